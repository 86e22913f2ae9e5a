// Whatever is put or removed, no two rulesets and no two rules have one name, and each rule names a
// ruleset that is there. An entry is checked before anything is stored, so a put that fails changes
// nothing. The editor works on copies of the tables, which share with those of the state what they
// have in common: so a lookup sees all changes so far, and copying an editor costs nothing. What
// has changed is found in the end by comparing values, so a change and its reversal together are
// none.
#include "engine/rules/detail/rules_editor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace netml::engine {

namespace {

Status check_name(std::string_view name, const char* what) {
  if (name.empty()) return fail(Errc::invalid_input, "name", fmt::format("a {} needs one", what));
  if (character_count(name) > kRuleNameCharactersMax)
    return fail(
        Errc::invalid_input, "name",
        fmt::format("that of a {} has at most {} characters", what, kRuleNameCharactersMax));
  return {};
}

// Only the form is checked. A type that this program does not know may be stored; rule_problem()
// says why its rule does not run.
Status check_part(const RulePart& part) {
  if (part.type.empty() || character_count(part.type) > kRuleTypeCharactersMax)
    return fail(Errc::invalid_input,
                fmt::format("a type has 1 to {} characters", kRuleTypeCharactersMax));
  for (const RuleInfo& info : part.infos) {
    if (info.key.empty() || character_count(info.key) > kRuleInfoKeyCharactersMax)
      return fail(Errc::invalid_input, "key",
                  fmt::format("those of \"{}\" have 1 to {} characters", part.type,
                              kRuleInfoKeyCharactersMax));
    if (info.value.empty() || character_count(info.value) > kRuleInfoValueCharactersMax)
      return fail(Errc::invalid_input, "value",
                  fmt::format("that of \"{}\" in \"{}\" has 1 to {} characters", info.key,
                              part.type, kRuleInfoValueCharactersMax));
  }
  return {};
}

template <class Visit>
void for_each_part(Rule& rule, Visit&& visit) {
  std::ranges::for_each(rule.criteria, visit);
  std::ranges::for_each(rule.actions, visit);
}

// The limit is on all parts together, because a rule is written as one entry, into one frame of the
// journal.
Status check_parts(Rule& rule) {
  std::size_t count = 0;
  Status status;
  for_each_part(rule, [&](const RulePart& part) {
    count += 1 + part.infos.size();
    if (status) status = check_part(part);
  });
  if (count > kRulePartsMax)
    return fail(
        Errc::too_large,
        fmt::format("a rule has at most {} criteria, actions and values together", kRulePartsMax));
  return status;
}

// A part without a number gets the next one of its rule. A part that brings one must have it from
// this rule: a number of another rule is that of another part, and one that was not given yet will
// be given to another.
Status give_numbers(std::uint64_t rule_number, Rule& rule) {
  Status status;
  const std::uint64_t last = part_number(rule_number, rule.last_ordinal);
  const auto give = [&](std::uint64_t& number) {
    if (number != 0 && (rule_of_part(number) != rule_number || number > last))
      status = fail(Errc::invalid_input, fmt::format("{} is no part of the rule", number));
    if (number != 0) return;
    // No ordinal is given twice, so a rule has only so many in its life.
    if (rule.last_ordinal == kOrdinalMax)
      status = fail(Errc::too_large, "the rule was changed too often; clone it and use the clone");
    else
      number = part_number(rule_number, ++rule.last_ordinal);
  };
  for_each_part(rule, [&](RulePart& part) {
    give(part.number);
    for (RuleInfo& info : part.infos) give(info.number);
  });
  return status;
}

template <class T>
EntryChanges<T> changes_between(const Table<T>& before, const Table<T>& after) {
  EntryChanges<T> changes;
  after.for_each_difference(before, [&](std::uint64_t number) {
    auto was = before.find(number);
    auto is = after.find(number);
    if (!was || !is || *was != *is) changes.push_back({number, std::move(was), std::move(is)});
  });
  return changes;
}

}  // namespace

std::uint64_t RulesEditor::ruleset_named(const std::string& name) const {
  return rulesets_.find_with<&Ruleset::name>(name);
}

std::uint64_t RulesEditor::rule_named(const std::string& name) const {
  return rules_.find_with<&Rule::name>(name);
}

Result<std::uint64_t> RulesEditor::put(std::uint64_t number, Ruleset ruleset) {
  NETML_TRY_VOID(check_name(ruleset.name, "ruleset"));
  if (number != 0 && rulesets_.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no ruleset {}", number));
  // An entry that keeps its name meets itself here.
  const std::uint64_t holder = ruleset_named(ruleset.name);
  if (holder != 0 && holder != number)
    return fail(Errc::conflict, "name", fmt::format("a ruleset \"{}\" exists", ruleset.name));
  if (number == 0) number = rulesets_.next_number();
  rulesets_.set(number, std::make_shared<const Ruleset>(std::move(ruleset)));
  return number;
}

Result<std::uint64_t> RulesEditor::put(std::uint64_t number, Rule rule) {
  NETML_TRY_VOID(check_name(rule.name, "rule"));
  NETML_TRY_VOID(check_parts(rule));
  const Table<Rule>::Entry before = rules_.find(number);
  if (number != 0 && before == nullptr)
    return fail(Errc::not_found, fmt::format("there is no rule {}", number));
  if (rulesets_.find(rule.ruleset) == nullptr)
    return fail(Errc::invalid_input, "ruleset",
                fmt::format("there is no ruleset {}", rule.ruleset));
  const std::uint64_t holder = rule_named(rule.name);
  if (holder != 0 && holder != number)
    return fail(Errc::conflict, "name", fmt::format("a rule \"{}\" exists", rule.name));
  if (number == 0) number = rules_.next_number();
  // The stored rule knows which ordinals were given, whatever the caller says.
  rule.last_ordinal = before ? before->last_ordinal : 0;
  NETML_TRY_VOID(give_numbers(number, rule));
  rules_.set(number, std::make_shared<const Rule>(std::move(rule)));
  return number;
}

void RulesEditor::remove_ruleset(std::uint64_t number) {
  NETML_ASSERT(rulesets_.find(number) != nullptr);
  // A copy, because removing a rule changes the table and the index that is walked.
  const Table<Rule> rules = rules_;
  rules.for_each_with<&Rule::ruleset>(number,
                                      [&](std::uint64_t rule, const Rule&) { remove_rule(rule); });
  rulesets_.set(number, nullptr);
}

void RulesEditor::remove_rule(std::uint64_t number) {
  NETML_ASSERT(rules_.find(number) != nullptr);
  rules_.set(number, nullptr);
}

Transaction RulesEditor::finish() const {
  Transaction transaction = empty_transaction(*state_);
  transaction.rulesets = changes_between(state_->catalog.rulesets, rulesets_);
  transaction.rules = changes_between(state_->catalog.rules, rules_);
  return transaction;
}

}  // namespace netml::engine
