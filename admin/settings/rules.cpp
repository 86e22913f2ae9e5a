#include "admin/settings/rules.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace netml::admin {

namespace {

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
ImportedRules imported(const codecs::RulesFile& file, engine::RulesImport&& planned) {
  ImportedRules result;
  result.created = std::move(planned.created);
  result.invalid = file.invalid;
  std::ranges::move(planned.invalid, std::back_inserter(result.invalid));
  result.unhealthy = std::move(planned.unhealthy);
  return result;
}

RulesOutcome outcome_of(engine::RuleRun&& run) {
  return {.lsn = {}, .changes = count_changes(run.transaction), .logs = std::move(run.logs)};
}

}  // namespace

Result<RulesOutcome> Rules::commit(Change change) {
  RulesOutcome outcome;
  change.check = [&outcome, check = std::move(change.check)](
                     const engine::State& state, const engine::FollowedByRules& planned) -> Status {
    if (check) NETML_TRY_VOID(check(state, planned));
    outcome.changes = count_changes(planned.transaction);
    outcome.logs = planned.logs;
    return {};
  };
  NETML_TRY(outcome.lsn, node_.commit(std::move(change)));
  return outcome;
}

tl::expected<Change, codecs::RulesRefused> Rules::change_of_import(const Caller& caller,
                                                                   std::string_view json,
                                                                   ImportedRules& result) {
  NETML_TRY(codecs::RulesFile file, codecs::read_rules(json));
  Change change{.caller = caller, .cause = engine::Cause::rule};
  change.plan = [&result, file = std::move(file)](const engine::State& state,
                                                  WallTime) -> Result<engine::Transaction> {
    engine::RulesImport planned = plan_rules_import(state, file.rulesets);
    engine::Transaction transaction = std::move(planned.transaction);
    result = imported(file, std::move(planned));
    return transaction;
  };
  return change;
}

tl::expected<Rules::Stored, codecs::RulesRefused> Rules::stored_on(const engine::State& state,
                                                                   std::string_view json) {
  NETML_TRY(codecs::RulesFile file, codecs::read_rules(json));
  engine::RulesImport planned = plan_rules_import(state, file.rulesets);
  NETML_TRY(engine::State stored, engine::apply(state, planned.transaction, state.lsn.next()));
  return Stored{std::move(stored), imported(file, std::move(planned))};
}

tl::expected<ImportedRules, codecs::RulesRefused> Rules::test(std::string_view json) const {
  NETML_TRY(Stored stored, stored_on(*node_.version().state, json));
  ImportedRules& result = stored.imported;
  result.outcome = outcome_of(
      plan_rulesets_run(stored.state, rulesets_named(stored.state.catalog, result.created)));
  return std::move(result);
}

std::string Rules::exported() const {
  return codecs::write_rules(engine::export_rules(node_.version().state->catalog));
}

Result<RulesOutcome> Rules::apply(const Caller& caller, const RuleChoice& choice,
                                  decltype(Change::check) check) {
  RulesOutcome outcome;
  Change change{.caller = caller, .cause = engine::Cause::rule, .rules = RulesAfter::skip};
  change.check = std::move(check);
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(engine::RuleRun run, plan(state, choice));
    outcome.changes = count_changes(run.transaction);
    outcome.logs = std::move(run.logs);
    return std::move(run.transaction);
  };
  NETML_TRY(outcome.lsn, node_.commit(std::move(change)));
  return outcome;
}

Result<engine::RuleRun> Rules::plan(const engine::State& state, const RuleChoice& choice) {
  if (choice.rule) return plan_rule_run(state, *choice.rule);
  if (choice.ruleset) return plan_ruleset_run(state, *choice.ruleset);
  return plan_rules_run(state);
}

Result<RestoredRules> Rules::restore_defaults(const Caller& caller) {
  RestoredRules result;
  Change change{.caller = caller, .cause = engine::Cause::rule};
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    engine::RestoredDefaults restored = plan_restore_defaults(state);
    result.default_ruleset = restored.default_ruleset;
    result.custom_ruleset = restored.custom_ruleset;
    return std::move(restored.transaction);
  };
  NETML_TRY(result.outcome, commit(std::move(change)));
  return result;
}

}  // namespace netml::admin
