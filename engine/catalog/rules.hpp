// Collation rules as data (docs/requirements/collation-rules.md, sections 1 to 3 and 6): stored
// edits that run again after every change. Rulesets and rules are entries of the catalog; a rule
// holds its criteria, actions and their infos, so that it is read, checked and replaced as one
// value.
//
// Numbers: rulesets and rules have the numbers of their tables. A criterion, action or info has a
// number of its own made of its rule's number and an ordinal that the rule never gives twice, so
// none is ever reused and the rule is found from it.
//
// Thread: any (immutable once stored).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/catalog/entry_fields.hpp"

namespace netml::engine {

// Lengths in characters.
inline constexpr std::size_t kRuleNameCharactersMax = 200;
inline constexpr std::size_t kRuleTypeCharactersMax = 50;
inline constexpr std::size_t kRuleInfoKeyCharactersMax = 50;
inline constexpr std::size_t kRuleInfoValueCharactersMax = 1000;
// Criteria, actions and infos of one rule together: a rule must fit one frame of the journal.
inline constexpr std::size_t kRulePartsMax = 400;
inline constexpr std::int16_t kDefaultPriority = 1000;

struct RuleInfo {
  std::uint64_t number = 0;
  std::string key;
  std::string value;
  bool operator==(const RuleInfo&) const = default;
};

// A match criterion or an action: one line of a rule. `type` is the name of a match type or action
// type; a name that this program does not know is kept as it is.
struct RulePart {
  std::uint64_t number = 0;
  std::string type;
  std::vector<RuleInfo> infos;
  bool operator==(const RulePart&) const = default;

  // The value for `key`; nothing when it has none.
  std::optional<std::string_view> value(std::string_view key) const;
};
using MatchCriterion = RulePart;
using Action = RulePart;

struct Rule {
  std::uint64_t ruleset = 0;
  std::string name;  // unique over all rulesets
  bool enabled = true;
  std::int16_t priority = kDefaultPriority;
  std::uint32_t last_ordinal = 0;        // the newest criterion, action or info got this one
  std::vector<MatchCriterion> criteria;  // in the order of evaluation
  std::vector<Action> actions;           // in the order of execution
  bool operator==(const Rule&) const = default;

  static constexpr EntryKind kKind{.name = "rule", .table = "rules", .role = 10, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("ruleset", &Rule::ruleset, {.index = Index::exact}),
        field("name", &Rule::name,
              {.characters_max = kRuleNameCharactersMax, .index = Index::exact, .title = true}),
        field("enabled", &Rule::enabled),
        field("priority", &Rule::priority),
        field("last_ordinal", &Rule::last_ordinal, {.shown = Shown::nothing}),
        field("criteria", &Rule::criteria),
        field("actions", &Rule::actions)};
  }
};

struct Ruleset {
  std::string name;  // unique
  bool enabled = true;
  std::int16_t priority = kDefaultPriority;
  bool operator==(const Ruleset&) const = default;

  static constexpr EntryKind kKind{
      .name = "ruleset", .table = "rulesets", .role = 9, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("name", &Ruleset::name,
              {.characters_max = kRuleNameCharactersMax, .index = Index::exact, .title = true}),
        field("enabled", &Ruleset::enabled), field("priority", &Ruleset::priority)};
  }
};

// A number of a criterion, action or info, and the rule it belongs to.
inline constexpr unsigned kOrdinalBits = 20;
inline constexpr std::uint32_t kOrdinalMax = (std::uint32_t{1} << kOrdinalBits) - 1;
constexpr std::uint64_t part_number(std::uint64_t rule, std::uint32_t ordinal) {
  return rule << kOrdinalBits | ordinal;
}
constexpr std::uint64_t rule_of_part(std::uint64_t part) {
  return part >> kOrdinalBits;
}

// ---- types, fixed by the program ----

enum class MatchKind : std::uint8_t { by_id, by_topology, duplicates, half_links };
enum class ActionKind : std::uint8_t {
  remove,
  remove_property,
  remove_tag,
  replace,
  merge,
  keep_newest,
  join_half_links,
};

// What match types and action types have in common.
struct RuleType {
  std::string_view class_name;
  std::string_view name;  // as JSON has it
  Kind element = Kind::node;
  std::span<const std::string_view> required;
  std::span<const std::string_view> optional;
};
struct MatchType : RuleType {
  MatchKind kind = MatchKind::by_id;
};
struct ActionType : RuleType {
  ActionKind kind = ActionKind::remove;
};

// In the order of docs/requirements/collation-rules.md, then those that came later; a type's
// primary key is its position, from 1.
std::span<const MatchType> match_types();
std::span<const ActionType> action_types();
// By `name`, exactly; none when this program does not know it.
const MatchType* find_match_type(std::string_view name);
const ActionType* find_action_type(std::string_view name);

// ---- the health check ----

// Why the rule cannot run: the first failure in the order of docs/requirements/collation-rules.md,
// section 6. Nothing when it is ready. Values are not looked at.
std::optional<std::string> rule_problem(const Rule& rule);

// The kind of records that a ready rule is about.
Kind rule_element(const Rule& rule);

}  // namespace netml::engine
