#include "codecs/formats/draft/field_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/texts.hpp"

namespace netml::codecs {

std::string_view target_text(Target target) {
  switch (target) {
    case Target::identifier:
      return "identifier";
    case Target::name:
      return "name";
    case Target::short_name:
      return "short name";
    case Target::version:
      return "version";
    case Target::start:
      return "start of the lifetime";
    case Target::end:
      return "end of the lifetime";
    case Target::latitude:
      return "latitude";
    case Target::longitude:
      return "longitude";
    case Target::altitude:
      return "altitude";
    case Target::unlocode:
      return "UN/LOCODE";
    case Target::address:
      return "address";
    case Target::owner:
      return "owner";
    case Target::topology:
      return "topology";
    case Target::parent:
      return "parent topology";
    case Target::key:
      return "key";
    case Target::link_end:
      return "link end";
    case Target::property:
      return "property of its name";
    case Target::long_property:
      return "property of its name, in pieces";
    case Target::structure:
      return "as in every map";
    case Target::nothing:
      return "lost";
  }
  return "";
}

std::string FieldRule::text() const {
  if (target == Target::nothing) return fmt::format("lost: {}", lost_because);
  return std::string(target_text(target));
}

FoundRule FieldRules::look_up(std::string_view owner, std::string_view name) const {
  const auto found_at = [&](std::string_view field) {
    return std::ranges::find(table_, field, &FieldRule::field);
  };
  auto found = found_at(lower_ascii(fmt::format("{}{}", owner, name)));
  const bool own_row = found != table_.end();
  if (!own_row) found = found_at(fmt::format("{}*", owner));
  if (found == table_.end()) return {};
  return {found->target, found->lost_because, own_row,
          static_cast<std::uint32_t>(found - table_.begin())};
}

const FoundRule& FieldRules::find(std::string_view owner, std::string_view name) {
  (asked_ = owner) += name;
  const auto [found, added] = found_.try_emplace(asked_);
  FoundRule& rule = found->second.rule;
  if (!added) return rule;
  rule = look_up(owner, name);
  rule.field = found->first;
  rule.name = rule.field.substr(owner.size());
  std::string& called = found->second.called;
  called = rule.name.substr(rule.name.rfind('@') + 1);  // all where there is none
  constexpr std::string_view kListMark = "[]";
  for (std::size_t mark; (mark = called.find(kListMark)) != std::string::npos;)
    called.erase(mark, kListMark.size());
  rule.called = called;
  if (rule.target == Target::property && rule.called.starts_with(kPropertyPrefix))
    rule.called.remove_prefix(kPropertyPrefix.size());
  return rule;
}

}  // namespace netml::codecs
