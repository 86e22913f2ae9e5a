// Running collation rules: from a state to a transaction without provenance and a log of what every
// rule did (docs/requirements/collation-rules.md, sections 2 to 4).
//
// Each rule sees what the ones before it changed. Its matched set is fixed before its first action
// and taken through indexes: by identifier, by topology, by identifiers that occur more than once.
// A rule cannot fail half-way: what cannot be done is found out before anything is changed, and
// aborts the actions for that one record.
//
// Thread: any (pure functions).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/catalog/rules.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

// A record as it was before the rule ran; no number when the same transaction creates it, and
// nothing for an element of a file that the import merged with others before it became a record.
struct RecordReference {
  RecordId id;
  RecordNumber number;
  bool operator==(const RecordReference&) const = default;
};
using ReferencesByKind = std::array<std::vector<RecordReference>, kKindCount>;  // each record once

// What one action did to one record.
struct ActionLog {
  std::string action;   // name of its type
  std::string element;  // "name <id> [number]"
  std::string message;
  bool succeeded = true;  // no: aborted, and nothing was changed
};

struct RuleLog {
  std::uint64_t rule = 0;
  std::string name;
  std::string problem;  // why it was skipped; empty when it ran
  Kind element = Kind::node;
  std::vector<RecordReference> matched;
  std::vector<ActionLog> actions;     // the first kActionLogsMax
  std::uint64_t action_count = 0;     // of all
  ReferencesByKind affected;          // matched records and targets that changed
  ReferencesByKind cascaded;          // records that changed or went because of those
  std::vector<std::string> warnings;  // the first kRuleWarningsMax, and how many more there are
};
inline constexpr std::size_t kActionLogsMax = 10'000;
inline constexpr std::size_t kRuleWarningsMax = 20;

struct RuleRun {
  Transaction transaction;
  std::vector<RuleLog> logs;  // one for each rule, in the order of execution
};

// One rule, enabled or not. Errc::not_found; Errc::invalid_input with the problem when it is not
// ready.
Result<RuleRun> plan_rule_run(const State& state, std::uint64_t rule);
// The enabled rules of one ruleset, enabled or not. Rules that are not ready are skipped; their
// logs say why. Errc::not_found.
Result<RuleRun> plan_ruleset_run(const State& state, std::uint64_t ruleset);
// The enabled rules of all enabled rulesets, then copies of which they left one original
// (docs/requirements/importing.md, section 7).
RuleRun plan_rules_run(const State& state);
// The enabled rules of these rulesets, enabled or not, one ruleset after the other.
RuleRun plan_rulesets_run(const State& state, std::span<const std::uint64_t> rulesets);

// `transaction`, planned on `state`, and all enabled rules after it, as one transaction: whoever
// edits data or rules never shows a state that the rules have not seen. Numbers come as planned.
// Imports run the rules themselves (plan_import.hpp), and are refused with Errc::internal.
struct FollowedByRules {
  Transaction transaction;
  std::vector<RuleLog> logs;
};
Result<FollowedByRules> followed_by_rules(const State& state, Transaction transaction);

// ---- which rules run, and in which order (section 4): for plans that run them as a part ----

struct NumberedRule {
  std::uint64_t number = 0;
  std::shared_ptr<const Rule> rule;
};

// The enabled rules of these rulesets, one ruleset after the other.
std::vector<NumberedRule> enabled_rules_of(const Catalog& catalog,
                                           std::span<const std::uint64_t> rulesets);
// The enabled rules of all enabled rulesets.
std::vector<NumberedRule> rules_in_order(const Catalog& catalog);

// Each on what the ones before it left.
std::vector<RuleLog> run_rules(Workspace& workspace, std::span<const NumberedRule> rules);

}  // namespace netml::engine
