#include "codecs/formats/rules_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <limits>
#include <optional>

#include "engine/base/json_string.hpp"

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
  std::string word =
      value->is_string() ? std::string(value->get_string()) : json::serialize(*value);
  std::ranges::transform(word, word.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
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

// Writes nested lists and objects with one item on each line.
class IndentedWriter {
 public:
  IndentedWriter& key(std::string_view name) {
    separate();
    append_json_string(text_, name);
    text_ += ": ";
    after_key_ = true;
    return *this;
  }
  void value(std::string_view text) { item(json_string(text)); }
  void value(bool truth) { item(truth ? "true" : "false"); }
  void value(std::int16_t number) { item(std::to_string(number)); }
  void open(char bracket) {
    item(std::string(1, bracket));
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) new_line();
    text_ += bracket;
    first_ = false;
  }
  std::string finish() { return std::move(text_) + '\n'; }

 private:
  static constexpr std::size_t kIndent = 4;

  void new_line() { text_.append(1, '\n').append(depth_ * kIndent, ' '); }
  void separate() {
    if (!first_) text_ += ',';
    if (depth_ > 0) new_line();
    first_ = false;
  }
  void item(std::string_view text) {
    if (!after_key_) separate();
    after_key_ = false;
    text_ += text;
  }

  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;
  bool after_key_ = false;
};

void write_parts(IndentedWriter& out, std::span<const RulePart> parts, std::string_view type_key,
                 std::string_view infos_key) {
  out.open('[');
  for (const RulePart& part : parts) {
    out.open('{');
    out.key(type_key).value(part.type);
    out.key(infos_key).open('[');
    for (const RuleInfo& info : part.infos) {
      out.open('{');
      out.key("key").value(info.key);
      out.key("value").value(info.value);
      out.close('}');
    }
    out.close(']');
    out.close('}');
  }
  out.close(']');
}

void write_rule(IndentedWriter& out, const Rule& rule) {
  out.open('{');
  out.key("name").value(rule.name);
  out.key("actions");
  write_parts(out, rule.actions, "action_type", "actioninfo_set");
  out.key("match_criteria");
  write_parts(out, rule.criteria, "match_type", "matchinfo_set");
  out.key("enabled").value(rule.enabled);
  out.key("priority").value(rule.priority);
  out.close('}');
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
  IndentedWriter out;
  out.open('[');
  for (const RulesetDraft& draft : rulesets) {
    out.open('{');
    out.key("name").value(draft.ruleset.name);
    out.key("rules").open('[');
    for (const Rule& rule : draft.rules) write_rule(out, rule);
    out.close(']');
    out.key("enabled").value(draft.ruleset.enabled);
    out.key("priority").value(draft.ruleset.priority);
    out.close('}');
  }
  out.close(']');
  return out.finish();
}

}  // namespace netml::codecs
