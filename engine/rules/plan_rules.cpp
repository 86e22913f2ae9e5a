// Every plan here goes through a RulesEditor, which checks each entry when it is put, and sees what
// the same plan has put before. So after any of these transactions names are unique, and each rule
// has its ruleset. Whether a rule can run is no condition: one that cannot is stored, reported and
// passed over when rules run. Numbers belong to the node: what comes from a file, or is a copy,
// gets new ones.
#include "engine/rules/plan_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/rules/detail/rules_editor.hpp"

namespace netml::engine {

namespace {

template <class T>
std::vector<std::uint64_t> numbers_of(const Table<T>& table) {
  std::vector<std::uint64_t> numbers;
  table.for_each([&](std::uint64_t number, const T&) { numbers.push_back(number); });
  return numbers;
}

// Rules run by priority, then number. The numbers come ascending, and a stable sort keeps that.
void sort_by_priority(const Catalog& catalog, std::vector<std::uint64_t>& rules) {
  std::ranges::stable_sort(
      rules, {}, [&](std::uint64_t number) { return catalog.rules.find(number)->priority; });
}

// The numbers of the parts are those of the stored rule, as is the count that they are given from.
void forget_numbers(Rule& rule) {
  rule.last_ordinal = 0;
  for (std::vector<RulePart>* parts : {&rule.criteria, &rule.actions})
    for (RulePart& part : *parts) {
      part.number = 0;
      for (RuleInfo& info : part.infos) info.number = 0;
    }
}

// ---- exchange ----

// The editor stores a type that this program does not know; a ruleset of a file with one is
// refused.
Status check_types(const Rule& rule) {
  const auto unknown = [](const std::string& rule_name, const std::string& type) {
    return fail(Errc::invalid_input,
                fmt::format("rule \"{}\": unknown type \"{}\"", rule_name, type));
  };
  for (const MatchCriterion& criterion : rule.criteria)
    if (find_match_type(criterion.type) == nullptr) return unknown(rule.name, criterion.type);
  for (const Action& action : rule.actions)
    if (find_action_type(action.type) == nullptr) return unknown(rule.name, action.type);
  return {};
}

Status put_draft(RulesEditor& editor, const RulesetDraft& draft) {
  // The stored ruleset goes first, so that the names of its rules are free for those of the file.
  if (const std::uint64_t old = editor.ruleset_named(draft.ruleset.name); old != 0)
    editor.remove_ruleset(old);
  NETML_TRY(const std::uint64_t number, editor.put(0, draft.ruleset));
  for (Rule rule : draft.rules) {
    NETML_TRY_VOID(check_types(rule));
    rule.ruleset = number;
    const std::string name = rule.name;
    if (const auto put = editor.put(0, std::move(rule)); !put)
      return fail(put.error().code, fmt::format("rule \"{}\": {}", name, put.error().text()));
  }
  return {};
}

RulesetDraft draft_of(const Catalog& catalog, std::uint64_t number, const RulesByRuleset& rules) {
  RulesetDraft draft{*catalog.rulesets.find(number), {}};
  const auto inside = rules.find(number);
  if (inside == rules.end()) return draft;
  for (const std::uint64_t rule : inside->second) {
    draft.rules.push_back(*catalog.rules.find(rule));
    draft.rules.back().ruleset = 0;
    forget_numbers(draft.rules.back());
  }
  return draft;
}

// ---- the rulesets shipped ----

Rule collision_rule(std::uint64_t ruleset, std::string_view kind, std::string_view kinds) {
  Rule rule;
  rule.ruleset = ruleset;
  rule.name = fmt::format("Default {} ID Collision Resolution", kind);
  rule.priority = 0;
  rule.criteria.push_back({0, fmt::format("Match Duplicate {}", kinds), {}});
  rule.actions.push_back({0, fmt::format("Keep Newest {}", kind), {}});
  return rule;
}

// Names of rules are unique over all rulesets, so a rule of the user's may have the one that is
// wanted: it keeps the name, and the new rule gets a number behind its own.
std::string free_name(const RulesEditor& editor, const std::string& wanted) {
  std::string name = wanted;
  for (std::uint64_t n = 1; editor.rule_named(name) != 0; ++n)
    name = fmt::format("{} {}", wanted, n);
  return name;
}

std::uint64_t put_default_ruleset(RulesEditor& editor) {
  // Callers see to it that the name is free, so nothing here can fail.
  const Result<std::uint64_t> number =
      editor.put(0, Ruleset{std::string(kDefaultRulesetName), true, 0});
  NETML_ASSERT(number);
  constexpr std::array<std::array<std::string_view, 2>, 3> kKindNames{
      {{"Institution", "Institutions"}, {"Node", "Nodes"}, {"Link", "Links"}}};
  for (const auto& [kind, kinds] : kKindNames) {
    Rule rule = collision_rule(*number, kind, kinds);
    rule.name = free_name(editor, rule.name);
    NETML_ASSERT(editor.put(0, std::move(rule)));
  }
  return *number;
}

// Rulesets run in the order of their priorities: rules of the user's own act before the default
// ones, which would leave them no collision to act on.
std::uint64_t put_custom_ruleset(RulesEditor& editor) {
  const Result<std::uint64_t> number =
      editor.put(0, Ruleset{std::string(kCustomRulesetName), true, -1});
  NETML_ASSERT(number);
  return *number;
}

}  // namespace

// ---- one at a time ----

Result<Transaction> plan_ruleset_put(const State& state, std::uint64_t number, Ruleset ruleset) {
  RulesEditor editor(state);
  NETML_TRY_VOID(editor.put(number, std::move(ruleset)));
  return editor.finish();
}

Result<Transaction> plan_ruleset_delete(const State& state, std::uint64_t number) {
  if (state.catalog.rulesets.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no ruleset {}", number));
  RulesEditor editor(state);
  editor.remove_ruleset(number);
  return editor.finish();
}

Result<Transaction> plan_rule_put(const State& state, std::uint64_t number, Rule rule) {
  RulesEditor editor(state);
  NETML_TRY_VOID(editor.put(number, std::move(rule)));
  return editor.finish();
}

Result<Transaction> plan_rule_delete(const State& state, std::uint64_t number) {
  if (state.catalog.rules.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no rule {}", number));
  RulesEditor editor(state);
  editor.remove_rule(number);
  return editor.finish();
}

Result<Transaction> plan_rule_clone(const State& state, std::uint64_t number) {
  const auto original = state.catalog.rules.find(number);
  if (original == nullptr) return fail(Errc::not_found, fmt::format("there is no rule {}", number));
  // The count alone may give a name that is taken, where a copy was renamed or deleted.
  std::uint64_t alike = 0;
  state.catalog.rules.for_each([&](std::uint64_t, const Rule& rule) {
    alike += rule.name.starts_with(original->name) ? 1 : 0;
  });
  Rule clone = *original;
  clone.enabled = false;  // it would run at once, before anybody has changed it
  clone.name = fmt::format("{} {}", original->name, alike);
  forget_numbers(clone);
  RulesEditor editor(state);
  clone.name = free_name(editor, clone.name);
  NETML_TRY_VOID(editor.put(0, std::move(clone)));
  return editor.finish();
}

Transaction plan_rulesets_enable(const State& state, bool enabled) {
  RulesEditor editor(state);
  state.catalog.rulesets.for_each([&](std::uint64_t number, const Ruleset& ruleset) {
    Ruleset changed = ruleset;
    changed.enabled = enabled;
    NETML_ASSERT(editor.put(number, std::move(changed)));
  });
  return editor.finish();
}

// ---- exchange ----

RulesImport plan_rules_import(const State& state, std::span<const RulesetDraft> drafts) {
  RulesImport result;
  RulesEditor editor(state);
  // A ruleset comes in whole or not at all; one that is refused leaves the others, and what is
  // stored under its name.
  for (const RulesetDraft& draft : drafts) {
    RulesEditor with_draft = editor;
    if (const Status put = put_draft(with_draft, draft); !put) {
      result.invalid.push_back({draft.ruleset.name, put.error().text()});
      continue;
    }
    editor = std::move(with_draft);
    result.created.push_back(draft.ruleset.name);
    for (const Rule& rule : draft.rules)
      if (const auto problem = rule_problem(rule))
        result.unhealthy.push_back({draft.ruleset.name, rule.name, *problem});
  }
  result.transaction = editor.finish();
  return result;
}

std::vector<RulesetDraft> export_rules(const Catalog& catalog) {
  return export_rules(catalog, numbers_of(catalog.rulesets));
}

std::vector<RulesetDraft> export_rules(const Catalog& catalog,
                                       std::span<const std::uint64_t> numbers) {
  std::vector<RulesetDraft> drafts;
  const RulesByRuleset rules = rules_by_ruleset(catalog);
  for (const std::uint64_t number : numbers)
    if (catalog.rulesets.find(number) != nullptr)
      drafts.push_back(draft_of(catalog, number, rules));
  return drafts;
}

// ---- the rulesets shipped ----

Transaction plan_default_rulesets(const State& state) {
  RulesEditor editor(state);
  // A ruleset that is there stays as it is, whatever the user made of it.
  if (editor.ruleset_named(std::string(kCustomRulesetName)) == 0) put_custom_ruleset(editor);
  if (editor.ruleset_named(std::string(kDefaultRulesetName)) == 0) put_default_ruleset(editor);
  return editor.finish();
}

RestoredDefaults plan_restore_defaults(const State& state) {
  RestoredDefaults restored;
  RulesEditor editor(state);
  for (const std::string_view name : {kDefaultRulesetName, kCustomRulesetName})
    if (const std::uint64_t number = editor.ruleset_named(std::string(name)); number != 0)
      editor.remove_ruleset(number);
  restored.default_ruleset = put_default_ruleset(editor);
  restored.custom_ruleset = put_custom_ruleset(editor);
  restored.transaction = editor.finish();
  return restored;
}

// ---- reading ----

std::vector<std::uint64_t> rules_of(const Catalog& catalog, std::uint64_t ruleset) {
  std::vector<std::uint64_t> numbers;
  catalog.rules.for_each_with<&Rule::ruleset>(
      ruleset, [&](std::uint64_t number, const Rule&) { numbers.push_back(number); });
  sort_by_priority(catalog, numbers);
  return numbers;
}

RulesByRuleset rules_by_ruleset(const Catalog& catalog) {
  RulesByRuleset rules;
  catalog.rules.for_each(
      [&](std::uint64_t number, const Rule& rule) { rules[rule.ruleset].push_back(number); });
  for (auto& [ruleset, numbers] : rules) sort_by_priority(catalog, numbers);
  return rules;
}

std::vector<std::uint64_t> rulesets_in_order(const Catalog& catalog) {
  std::vector<std::uint64_t> numbers = numbers_of(catalog.rulesets);
  std::ranges::sort(numbers, {}, [&](std::uint64_t number) {
    const auto ruleset = catalog.rulesets.find(number);
    return std::pair(ruleset->priority, std::string_view(ruleset->name));
  });
  return numbers;
}

std::vector<std::string> rule_warnings(const State& state, const Rule& rule) {
  std::vector<std::string> warnings;
  const auto check = [&](const RulePart& part, Kind kind) {
    for (const RuleInfo& info : part.infos) {
      // A key `ID` means an element of the kind that the part is about.
      const bool topology = info.key == "Topology ID";
      if (!topology && info.key != "ID") continue;
      const Kind wanted = topology ? Kind::topology : kind;
      if (!state.graph.find_newest(wanted, info.value))
        warnings.push_back(
            fmt::format("{}: no {} has the id \"{}\"", part.type, kind_name(wanted), info.value));
    }
  };
  for (const MatchCriterion& criterion : rule.criteria)
    if (const MatchType* type = find_match_type(criterion.type)) check(criterion, type->element);
  for (const Action& action : rule.actions)
    if (const ActionType* type = find_action_type(action.type)) check(action, type->element);
  return warnings;
}

}  // namespace netml::engine
