// A store in memory for tests of collation rules: files in, rules run manually or inside imports.
// Without rules of its own, so that imports leave records of one identifier apart.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/rules/plan_rules.hpp"
#include "engine/rules/run_rules.hpp"
#include "tests/support/import_harness.hpp"

namespace netml::test {

using Infos = std::initializer_list<std::pair<std::string, std::string>>;

// A criterion or an action.
engine::RulePart part(std::string type, Infos infos = {});
engine::Rule rule(std::string name, std::vector<engine::RulePart> criteria,
                  std::vector<engine::RulePart> actions);

class RulesHarness : public ImportHarness {
 public:
  RulesHarness() : ImportHarness(engine::CollisionPolicy::by_rules) {}

  // ---- storing, without running ----
  std::uint64_t ruleset(const std::string& name, std::int16_t priority = 1000, bool enabled = true);
  std::uint64_t store(std::uint64_t ruleset, engine::Rule rule);
  void store_defaults() { commit(engine::plan_default_rulesets(state())); }
  void commit(const engine::Transaction& transaction);

  // ---- running ----
  // A rule run manually, stored in a ruleset of the harness that batch runs pass over.
  engine::RuleLog run(engine::Rule rule);
  std::vector<engine::RuleLog> run_all();

  std::string content() const;  // all records, to compare

 private:
  std::uint64_t by_hand_ = 0;
};

// How many records of a kind the rule affected, or changed with them.
std::size_t affected(const engine::RuleLog& log, Kind kind);
std::size_t cascaded(const engine::RuleLog& log, Kind kind);
// The message of the only action.
std::string message(const engine::RuleLog& log);
bool aborted(const engine::RuleLog& log);

}  // namespace netml::test
