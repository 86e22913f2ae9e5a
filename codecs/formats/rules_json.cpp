#include "codecs/formats/rules_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <limits>
#include <optional>

#include "engine/base/json_string.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace json = boost::json;
using engine::Rule;
using engine::RuleInfo;
using engine::RulePart;
using engine::RulesetDraft;

namespace {

// ---- reading ----

Result<const json::value*> required(const json::object& object, std::string_view key) {
  if (const json::value* value = object.if_contains(key)) return value;
  return fail(Errc::invalid_input, fmt::format("\"{}\" is missing", key));
}

Result<std::string> text(const json::object& object, std::string_view key) {
  NETML_TRY(const json::value* value, required(object, key));
  if (!value->is_string()) return fail(Errc::invalid_input, fmt::format("\"{}\" is no text", key));
  return std::string(value->get_string());
}

// The objects of a list, each read by `read(object)`.
template <class Item, class Read>
Result<std::vector<Item>> list(const json::object& object, std::string_view key, Read read) {
  NETML_TRY(const json::value* value, required(object, key));
  if (!value->is_array()) return fail(Errc::invalid_input, fmt::format("\"{}\" is no list", key));
  std::vector<Item> items;
  for (const json::value& item : value->get_array()) {
    if (!item.is_object())
      return fail(Errc::invalid_input, fmt::format("an item of \"{}\" is no object", key));
    NETML_TRY(Item read_item, read(item.get_object()));
    items.push_back(std::move(read_item));
  }
  return items;
}

Result<std::int16_t> priority(const json::object& object) {
  const json::value* value = object.if_contains("priority");
  if (value == nullptr) return engine::kDefaultPriority;
  std::int64_t number = 0;
  bool good = false;
  if (const std::int64_t* integer = value->if_int64()) {
    number = *integer;
    good = true;
  } else if (const json::string* digits = value->if_string()) {
    const char* end = digits->data() + digits->size();
    const auto [stop, error] = std::from_chars(digits->data(), end, number);
    good = error == std::errc() && stop == end;
  }
  using Limits = std::numeric_limits<std::int16_t>;
  if (good && number >= Limits::min() && number <= Limits::max())
    return static_cast<std::int16_t>(number);
  return fail(Errc::invalid_input,
              fmt::format("\"priority\" is no number from {} to {}", Limits::min(), Limits::max()));
}

Result<bool> enabled(const json::object& object) {
  const json::value* value = object.if_contains("enabled");
  if (value == nullptr) return true;
  if (const bool* truth = value->if_bool()) return *truth;
  constexpr std::array<std::string_view, 6> kTrue{"true", "yes", "on", "t", "y", "1"};
  constexpr std::array<std::string_view, 6> kFalse{"false", "no", "off", "f", "n", "0"};
  const std::string word =
      lower_ascii(value->is_string() ? std::string(value->get_string()) : json::serialize(*value));
  if (std::ranges::find(kTrue, word) != kTrue.end()) return true;
  if (std::ranges::find(kFalse, word) != kFalse.end()) return false;
  return fail(Errc::invalid_input, "\"enabled\" is neither true nor false");
}

Result<RuleInfo> read_info(const json::object& object) {
  RuleInfo info;
  NETML_TRY(info.key, text(object, "key"));
  NETML_TRY(info.value, text(object, "value"));
  return info;
}

Result<RulePart> read_part(const json::object& object, std::string_view type_key,
                           std::string_view infos_key) {
  RulePart part;
  NETML_TRY(part.type, text(object, type_key));
  NETML_TRY(part.infos, list<RuleInfo>(object, infos_key, read_info));
  return part;
}

Result<Rule> read_rule(const json::object& object) {
  Rule rule;
  NETML_TRY(rule.name, text(object, "name"));
  NETML_TRY(rule.enabled, enabled(object));
  NETML_TRY(rule.priority, priority(object));
  NETML_TRY(rule.actions, list<RulePart>(object, "actions", [](const json::object& item) {
              return read_part(item, "action_type", "actioninfo_set");
            }));
  NETML_TRY(rule.criteria, list<RulePart>(object, "match_criteria", [](const json::object& item) {
              return read_part(item, "match_type", "matchinfo_set");
            }));
  return rule;
}

Result<RulesetDraft> read_ruleset(const json::object& object) {
  RulesetDraft draft;
  NETML_TRY(draft.ruleset.name, text(object, "name"));
  NETML_TRY(draft.ruleset.enabled, enabled(object));
  NETML_TRY(draft.ruleset.priority, priority(object));
  NETML_TRY(draft.rules, list<Rule>(object, "rules", read_rule));
  return draft;
}

std::string name_of(const json::object& object) {
  const json::value* name = object.if_contains("name");
  return name != nullptr && name->is_string() ? std::string(name->get_string()) : std::string();
}

// `before` is what stands before the error; nothing when the whole text is to blame.
tl::unexpected<RulesRefused> malformed(std::string_view why,
                                       std::optional<std::string_view> before = {}) {
  engine::InputError input{"malformed-file", fmt::format("Error: {}", why)};
  if (before) {
    const std::size_t line_begin = before->rfind('\n') + 1;  // npos + 1 = 0
    input.line = 1 + static_cast<std::uint64_t>(std::ranges::count(*before, '\n'));
    input.column = 1 + static_cast<std::uint64_t>(std::ranges::count_if(
                           before->substr(line_begin), [](char c) { return (c & 0xc0) != 0x80; }));
  }
  const std::string place = input.line == 0 ? std::string() : " at " + input.place();
  Error error{Errc::invalid_input, fmt::format("malformed file{}: {}", place, why)};
  engine::InputErrors errors;
  errors.first.push_back(std::move(input));
  errors.count = 1;
  return tl::unexpected(RulesRefused(std::move(error), std::move(errors)));
}

// ---- writing ----

// With one item on each line. Rules nest by their own shape, whatever somebody sends.
// NOLINTBEGIN(misc-no-recursion)
void append_indented(std::string& out, const json::value& value, std::size_t depth = 0) {
  const auto new_line = [&out](std::size_t indented) {
    constexpr std::size_t kIndent = 4;
    out.append(1, '\n').append(indented * kIndent, ' ');
  };
  const auto append_items = [&](const auto& items, char open, char close, auto&& append_item) {
    out += open;
    for (const auto& item : items) {
      if (&item != items.begin()) out += ',';
      new_line(depth + 1);
      append_item(item);
    }
    if (!items.empty()) new_line(depth);
    out += close;
  };
  if (const json::array* list = value.if_array()) {
    append_items(*list, '[', ']',
                 [&](const json::value& item) { append_indented(out, item, depth + 1); });
  } else if (const json::object* object = value.if_object()) {
    append_items(*object, '{', '}', [&](const json::key_value_pair& member) {
      append_json_string(out, member.key());
      out += ": ";
      append_indented(out, member.value(), depth + 1);
    });
  } else if (const json::string* text = value.if_string()) {
    append_json_string(out, *text);
  } else {
    out += json::serialize(value);
  }
}
// NOLINTEND(misc-no-recursion)

template <class Items, class Make>
json::array list_of(const Items& items, Make make) {
  json::array list;
  for (const auto& item : items) list.push_back(make(item));
  return list;
}

json::array parts_json(std::span<const RulePart> parts, std::string_view type_key,
                       std::string_view infos_key) {
  return list_of(parts, [&](const RulePart& part) {
    return json::object{{type_key, part.type},
                        {infos_key, list_of(part.infos, [](const RuleInfo& info) {
                           return json::object{{"key", info.key}, {"value", info.value}};
                         })}};
  });
}

json::object rule_json(const Rule& rule) {
  return {{"name", rule.name},
          {"actions", parts_json(rule.actions, "action_type", "actioninfo_set")},
          {"match_criteria", parts_json(rule.criteria, "match_type", "matchinfo_set")},
          {"enabled", rule.enabled},
          {"priority", rule.priority}};
}

json::object ruleset_json(const RulesetDraft& draft) {
  return {{"name", draft.ruleset.name},
          {"rules", list_of(draft.rules, rule_json)},
          {"enabled", draft.ruleset.enabled},
          {"priority", draft.ruleset.priority}};
}

}  // namespace

tl::expected<RulesFile, RulesRefused> read_rules(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  json::stream_parser parser;
  boost::system::error_code error;
  const std::size_t read =
      std::min(parser.write_some(text.data(), text.size(), error), text.size());
  if (!error && read < text.size()) error = json::error::extra_data;
  if (!error) parser.finish(error);
  if (error)
    return malformed(fmt::format("it is no JSON ({})", error.message()), text.substr(0, read));
  const json::value document = parser.release();
  if (!document.is_array()) return malformed("it is no list of rulesets");
  RulesFile file;
  for (const json::value& item : document.get_array()) {
    if (!item.is_object()) return malformed("an item of the list is no ruleset");
    Result<RulesetDraft> draft = read_ruleset(item.get_object());
    if (draft)
      file.rulesets.push_back(std::move(*draft));
    else
      file.invalid.push_back({name_of(item.get_object()), draft.error().text()});
  }
  return file;
}

std::string write_rules(std::span<const RulesetDraft> rulesets) {
  std::string out;
  append_indented(out, list_of(rulesets, ruleset_json));
  return out + '\n';
}

}  // namespace netml::codecs
