// Planning changes to rules: each is a pure function from the state to a transaction without
// provenance, which the caller fills in (docs/requirements/collation-rules.md, sections 1, 5 and
// 7).
//
// Failure: messages about a name, a ruleset, a key or a value begin with that word and a colon.
// Thread: any (pure functions).
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/catalog/rules.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

inline constexpr std::string_view kDefaultRulesetName = "Default ID Collision Resolution";
inline constexpr std::string_view kCustomRulesetName = "Custom ID Collision Resolution";

// ---- one at a time ----

// Creates (number 0) or replaces. Errc::not_found for an unknown number; Errc::invalid_input for
// an empty or over-long name; Errc::conflict for one that is taken. The number of what was created
// is that of the transaction's only change.
Result<Transaction> plan_ruleset_put(const State& state, std::uint64_t number, Ruleset ruleset);
// With all its rules.
Result<Transaction> plan_ruleset_delete(const State& state, std::uint64_t number);

// As plan_ruleset_put. Criteria, actions and infos that are new have the number 0 and get one;
// others keep theirs. An unhealthy rule is accepted. Errc::invalid_input also for texts that are
// too long, an info without value, a ruleset that does not exist; Errc::too_large for a rule
// beyond kRulePartsMax.
Result<Transaction> plan_rule_put(const State& state, std::uint64_t number, Rule rule);
Result<Transaction> plan_rule_delete(const State& state, std::uint64_t number);
// "<name> <n>", n = how many rule names begin with that name; disabled.
Result<Transaction> plan_rule_clone(const State& state, std::uint64_t number);
// All rulesets at once; what is so already does not change.
Transaction plan_rulesets_enable(const State& state, bool enabled);

// ---- exchange ----

// A ruleset with its rules as a file gives it; rules have no ruleset, parts no numbers.
struct RulesetDraft {
  Ruleset ruleset;
  std::vector<Rule> rules;
};

struct RefusedRuleset {
  std::string name;  // empty when it has none
  std::string reason;
};

struct UnhealthyRule {
  std::string ruleset;
  std::string rule;
  std::string problem;
};

struct RulesImport {
  Transaction transaction;
  std::vector<std::string> created;  // names of rulesets
  std::vector<RefusedRuleset> invalid;
  std::vector<UnhealthyRule> unhealthy;  // among the created ones
};

// A ruleset of a name that exists replaces the stored one with all its rules. One with an unknown
// type, a text that is too long, or a rule name used in another ruleset is left out, and what is
// stored under its name stays.
RulesImport plan_rules_import(const State& state, std::span<const RulesetDraft> drafts);

// Stored rulesets as drafts: all of them by number, or those of `numbers` in that order; numbers
// that are unknown are left out.
std::vector<RulesetDraft> export_rules(const Catalog& catalog);
std::vector<RulesetDraft> export_rules(const Catalog& catalog,
                                       std::span<const std::uint64_t> numbers);

// ---- the rulesets shipped ----

// Creates those of the two that do not exist: what a new data directory begins with.
Transaction plan_default_rulesets(const State& state);

// Deletes both, with custom rules in them, and creates them anew.
struct RestoredDefaults {
  Transaction transaction;
  std::uint64_t default_ruleset = 0;
  std::uint64_t custom_ruleset = 0;
};
RestoredDefaults plan_restore_defaults(const State& state);

// ---- reading ----

// Rules of a ruleset in the order in which they run: by priority, then number.
std::vector<std::uint64_t> rules_of(const Catalog& catalog, std::uint64_t ruleset);
// The same of all rulesets that have rules, in one pass.
using RulesByRuleset = std::unordered_map<std::uint64_t, std::vector<std::uint64_t>>;
RulesByRuleset rules_by_ruleset(const Catalog& catalog);
// Rulesets in the order in which they run: by priority, then name.
std::vector<std::uint64_t> rulesets_in_order(const Catalog& catalog);

// What looks like a mistake although the rule is ready: identifiers that no record has.
std::vector<std::string> rule_warnings(const State& state, const Rule& rule);

}  // namespace netml::engine
