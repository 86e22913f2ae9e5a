// The order of rules is part of what they mean: each sees what those before it left, and all of
// them work on one workspace, so that a run is one transaction or none. A rule that is not ready
// changes nothing and stops nobody; its log says why.
#include "engine/rules/run_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/rules/copies.hpp"
#include "engine/rules/detail/rule_runner.hpp"
#include "engine/rules/plan_rules.hpp"

namespace netml::engine {

namespace {

RuleRun run_in_order(Workspace& workspace, std::span<const NumberedRule> rules) {
  RuleRun run;
  run.logs = run_rules(workspace, rules);
  run.transaction = workspace.finish();
  return run;
}

}  // namespace

std::vector<NumberedRule> enabled_rules_of(const Catalog& catalog,
                                           std::span<const std::uint64_t> rulesets) {
  std::vector<NumberedRule> rules;
  const RulesByRuleset by_ruleset = rules_by_ruleset(catalog);
  for (const std::uint64_t ruleset : rulesets) {
    const auto inside = by_ruleset.find(ruleset);
    if (inside == by_ruleset.end()) continue;
    for (const std::uint64_t number : inside->second)
      if (auto rule = catalog.rules.find(number); rule->enabled)
        rules.push_back({number, std::move(rule)});
  }
  return rules;
}

std::vector<NumberedRule> rules_in_order(const Catalog& catalog) {
  std::vector<std::uint64_t> rulesets = rulesets_in_order(catalog);
  std::erase_if(rulesets,
                [&](std::uint64_t number) { return !catalog.rulesets.find(number)->enabled; });
  return enabled_rules_of(catalog, rulesets);
}

std::vector<RuleLog> run_rules(Workspace& workspace, std::span<const NumberedRule> rules) {
  std::vector<RuleLog> logs;
  RuleRunner runner(workspace);
  for (const auto& [number, rule] : rules) logs.push_back(runner.run(number, *rule));
  return logs;
}

Result<RuleRun> plan_rule_run(const State& state, std::uint64_t number) {
  auto rule = state.catalog.rules.find(number);
  if (rule == nullptr) return fail(Errc::not_found, fmt::format("there is no rule {}", number));
  if (const auto problem = rule_problem(*rule))
    return fail(Errc::conflict, fmt::format("rule \"{}\": {}", rule->name, *problem));
  Workspace workspace(state);
  const NumberedRule alone{number, std::move(rule)};
  return run_in_order(workspace, std::span(&alone, 1));
}

Result<RuleRun> plan_ruleset_run(const State& state, std::uint64_t ruleset) {
  if (state.catalog.rulesets.find(ruleset) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no ruleset {}", ruleset));
  return plan_rulesets_run(state, std::span(&ruleset, 1));
}

RuleRun plan_rulesets_run(const State& state, std::span<const std::uint64_t> rulesets) {
  Workspace workspace(state);
  return run_in_order(workspace, enabled_rules_of(state.catalog, rulesets));
}

RuleRun plan_rules_run(const State& state) {
  Workspace workspace(state);
  RuleRun run;
  run.logs = run_rules(workspace, rules_in_order(state.catalog));
  // Rules may have left just one original to a copy.
  resolve_copies(workspace);
  run.transaction = workspace.finish();
  return run;
}

Result<FollowedByRules> followed_by_rules(const State& state, Transaction transaction) {
  // Those are of imports, whose planner runs the rules itself.
  if (!transaction.renumberings.empty())
    return fail(Errc::internal, "rules cannot follow a change that numbers whole topologies");
  // The rules see the change as if it were committed; nobody else does.
  NETML_TRY(const State after, apply(state, transaction, state.lsn.next()));
  RuleRun run = plan_rules_run(after);
  // What the rules turned back is no change, and must not stand in the journal as one.
  transaction.records =
      combined_changes(std::move(transaction.records), std::move(run.transaction.records));
  std::ranges::move(run.transaction.numberings, std::back_inserter(transaction.numberings));
  transaction.next_id = run.transaction.next_id;
  transaction.next_number = run.transaction.next_number;
  // A record that a rule removed again gets no number.
  std::erase_if(transaction.numberings, [&](const Numbering& numbering) {
    const auto change =
        std::ranges::lower_bound(transaction.records, numbering.id, {}, &RecordChange::id);
    const bool changed = change != transaction.records.end() && change->id == numbering.id;
    return changed ? !change->after : !state.graph.contains(numbering.id);
  });
  return FollowedByRules{std::move(transaction), std::move(run.logs)};
}

}  // namespace netml::engine
