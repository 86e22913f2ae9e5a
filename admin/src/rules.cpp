#include "admin/services/rules.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace netml::admin {

namespace {

Result<engine::RuleRun> plan_run(const engine::State& state, const RuleChoice& choice) {
  if (choice.rule) return plan_rule_run(state, *choice.rule);
  if (choice.ruleset) return plan_ruleset_run(state, *choice.ruleset);
  return plan_rules_run(state);
}

// The numbers of rulesets of these names, in the order in which they run.
std::vector<std::uint64_t> rulesets_named(const engine::Catalog& catalog,
                                          const std::vector<std::string>& names) {
  const std::unordered_set<std::string_view> wanted(names.begin(), names.end());
  std::vector<std::uint64_t> numbers = rulesets_in_order(catalog);
  std::erase_if(numbers, [&](std::uint64_t number) {
    return !wanted.contains(catalog.rulesets.find(number)->name);
  });
  return numbers;
}

// Of a file: what the codec refused and what the store refused.
ImportedRules imported(codecs::RulesFile&& file, engine::RulesImport&& planned) {
  ImportedRules result;
  result.created = std::move(planned.created);
  result.invalid = std::move(file.invalid);
  std::ranges::move(planned.invalid, std::back_inserter(result.invalid));
  result.unhealthy = std::move(planned.unhealthy);
  return result;
}

}  // namespace

Result<RulesOutcome> Rules::commit_and_run(const Caller& caller, const PlanChange& plan) {
  RulesOutcome outcome;
  Change change{.caller = caller, .cause = engine::Cause::rule, .rules = RulesAfter::skip};
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(engine::FollowedByRules followed, followed_by_rules(state, plan(state)));
    outcome.changes = count_changes(followed.transaction);
    outcome.logs = std::move(followed.logs);
    return std::move(followed.transaction);
  };
  NETML_TRY(outcome.lsn, node_.commit(std::move(change)));
  return outcome;
}

tl::expected<ImportedRules, codecs::RulesRefused> Rules::import(const Caller& caller,
                                                                std::string_view json) {
  NETML_TRY(codecs::RulesFile file, codecs::read_rules(json));
  engine::RulesImport planned;
  NETML_TRY(RulesOutcome outcome, commit_and_run(caller, [&](const engine::State& state) {
              planned = plan_rules_import(state, file.rulesets);
              return planned.transaction;
            }));
  ImportedRules result = imported(std::move(file), std::move(planned));
  result.outcome = std::move(outcome);
  return result;
}

tl::expected<ImportedRules, codecs::RulesRefused> Rules::test(std::string_view json) const {
  NETML_TRY(codecs::RulesFile file, codecs::read_rules(json));
  const engine::StatePtr state = node_.version().state;
  engine::RulesImport planned = plan_rules_import(*state, file.rulesets);
  NETML_TRY(const engine::State stored,
            engine::apply(*state, planned.transaction, state->lsn.next()));
  engine::RuleRun run = plan_rulesets_run(stored, rulesets_named(stored.catalog, planned.created));
  ImportedRules result = imported(std::move(file), std::move(planned));
  result.outcome.changes = count_changes(run.transaction);
  result.outcome.logs = std::move(run.logs);
  return result;
}

std::string Rules::exported() const {
  return codecs::write_rules(engine::export_rules(node_.version().state->catalog));
}

Result<RulesOutcome> Rules::apply(const Caller& caller, const RuleChoice& choice) {
  RulesOutcome outcome;
  Change change{.caller = caller, .cause = engine::Cause::rule, .rules = RulesAfter::skip};
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(engine::RuleRun run, plan_run(state, choice));
    outcome.changes = count_changes(run.transaction);
    outcome.logs = std::move(run.logs);
    return std::move(run.transaction);
  };
  NETML_TRY(outcome.lsn, node_.commit(std::move(change)));
  return outcome;
}

Result<RestoredRules> Rules::restore_defaults(const Caller& caller) {
  RestoredRules result;
  NETML_TRY(result.outcome, commit_and_run(caller, [&](const engine::State& state) {
              engine::RestoredDefaults restored = plan_restore_defaults(state);
              result.default_ruleset = restored.default_ruleset;
              result.custom_ruleset = restored.custom_ruleset;
              return std::move(restored.transaction);
            }));
  return result;
}

}  // namespace netml::admin
