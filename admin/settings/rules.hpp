// Collation rules as administrators handle them: exchanged as JSON, tried out, applied manually.
//
// Thread: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/node/node.hpp"
#include "codecs/formats/rules_json.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/rules/run_rules.hpp"

namespace netml::admin {

// What rules did to the records.
struct RulesOutcome {
  Lsn lsn;  // 0 when nothing was committed
  engine::ChangeCounts changes;
  std::vector<engine::RuleLog> logs;  // in the order of execution
};

// What became of a file of rulesets.
struct ImportedRules {
  std::vector<std::string> created;
  std::vector<engine::RefusedRuleset> invalid;
  std::vector<engine::UnhealthyRule> unhealthy;
  RulesOutcome outcome;
};

struct RestoredRules {
  std::uint64_t default_ruleset = 0;
  std::uint64_t custom_ruleset = 0;
  RulesOutcome outcome;
};

// Which rules to apply: one, those of one ruleset, or all that are enabled.
struct RuleChoice {
  std::optional<std::uint64_t> rule;
  std::optional<std::uint64_t> ruleset;
};

class Rules {
 public:
  explicit Rules(Node& node) : node_(node) {}

  // Commits a change to rules, and tells what it and the rules that ran after it did.
  Result<RulesOutcome> commit(Change change);

  // What stores the rulesets of the file. `imported` is given what becomes of them once it is
  // planned, and must live until then. Errc::invalid_input for a malformed file.
  static tl::expected<Change, codecs::RulesRefused> change_of_import(const Caller& caller,
                                                                     std::string_view json,
                                                                     ImportedRules& imported);
  // `state` with the rulesets of the file stored, whose rules have not run. Errors as those of
  // change_of_import().
  struct Stored {
    engine::State state;
    ImportedRules imported;  // without an outcome
  };
  static tl::expected<Stored, codecs::RulesRefused> stored_on(const engine::State& state,
                                                              std::string_view json);
  // What the rulesets of the file would match and change now, each run manually in their order.
  // Changes nothing.
  tl::expected<ImportedRules, codecs::RulesRefused> test(std::string_view json) const;
  std::string exported() const;

  // Errors as engine::plan_rule_run and its kin.
  Result<RulesOutcome> apply(const Caller& caller, const RuleChoice& choice,
                             decltype(Change::check) check = {});
  // What apply() would do to that state.
  static Result<engine::RuleRun> plan(const engine::State& state, const RuleChoice& choice);
  Result<RestoredRules> restore_defaults(const Caller& caller);

 private:
  Node& node_;
};

}  // namespace netml::admin
