#include "codecs/formats/draft/field_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codecs/document/xml_text.hpp"
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
    case Target::reference:
      return "reference";
    case Target::property:
      return "property of its name";
    case Target::long_property:
      return "property of its name, in pieces";
    case Target::half_link:
      return "half link";
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

namespace {

// Whether it is both, one behind the other.
bool is_text_of(std::string_view text, std::string_view begin, std::string_view end) {
  return text.size() == begin.size() + end.size() && text.starts_with(begin) && text.ends_with(end);
}

}  // namespace

void FieldRules::look_up(std::string_view owner, std::string_view name, FoundRule& rule) const {
  const auto found_at = [&](std::string_view field) {
    return std::ranges::find(table_, field, &FieldRule::field);
  };
  const std::string field = lower_ascii(fmt::format("{}{}", owner, name));
  rule.parts_have_rows = std::ranges::any_of(table_, [&](const FieldRule& row) {
    const std::string_view rest = row.field.substr(std::min(field.size(), row.field.size()));
    return row.field.starts_with(field) && (rest.starts_with('.') || rest.starts_with('['));
  });
  auto found = found_at(field);
  rule.own_row = found != table_.end();
  if (!rule.own_row) found = found_at(fmt::format("{}*", owner));
  if (found == table_.end()) return;
  rule.target = found->target;
  rule.lost_because = found->lost_because;
  rule.rank = static_cast<std::uint32_t>(found - table_.begin());
}

std::pair<FieldRules::Found*, bool> FieldRules::find_or_add(FoundOf& found, std::string_view owner,
                                                            std::string_view name) {
  Found* const before = found.last;
  Found*& guessed = before == nullptr ? found.last : before->next;
  if (guessed != nullptr && is_text_of(guessed->field, owner, name)) {
    found.last = guessed;
    return {found.last, false};
  }
  (asked_ = owner) += name;
  const auto known = found.by_field.find(IdKey(asked_));
  const bool is_new = known == found.by_field.end();
  guessed = is_new ? &all_.emplace_back() : known->second;
  Found& asked = *guessed;
  found.last = &asked;
  if (!is_new) return {&asked, false};
  asked.field = asked_;
  found.by_field.emplace(IdKey(asked.field), &asked);
  asked.rule.field = asked.field;
  asked.rule.name = asked.rule.field.substr(owner.size());
  return {&asked, true};
}

void FieldRules::describe(Found& found, std::string_view owner, std::string_view name,
                          std::string_view called) const {
  look_up(owner, name, found.rule);
  found.called = as_xml_text(called);
  found.rule.called = found.called;
}

const FoundRule& FieldRules::find(std::string_view owner, std::string_view name,
                                  std::string_view called) {
  const auto [found, added] = find_or_add(found_, owner, name);
  if (added) describe(*found, owner, name, called);
  return found->rule;
}

const FoundRule& FieldRules::find(std::string_view owner, std::string_view name) {
  const auto [found, added] = find_or_add(found_, owner, name);
  if (added) describe(*found, owner, name, called(name));
  return found->rule;
}

std::string_view FieldRules::called(std::string_view name) const {
  // Whatever signs the name of a property has.
  if (name.starts_with(kPropertyPrefix)) return name.substr(kPropertyPrefix.size());
  const std::string_view behind = name.substr(name.rfind(mark_) + 1);  // all where there is none
  return behind.starts_with(kPropertyPrefix) ? behind.substr(kPropertyPrefix.size()) : behind;
}

const FoundRule& FieldRules::property(std::string_view owner, std::string_view name) {
  const auto [found, added] = find_or_add(properties_, owner, name);
  if (!added) return found->rule;
  found->called = as_xml_text(name);
  found->rule.target = Target::long_property;
  found->rule.called = found->called;
  return found->rule;
}

}  // namespace netml::codecs
