// The default rules have two forms: rule by rule on what an import left
// (docs/requirements/collation-rules.md, sections 2 to 4), and set by set inside the import.
// Whatever is imported in whatever order, both leave the same store behind; and running the rules
// once more changes nothing (decision 34).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/rules/plan_rules.hpp"
#include "engine/rules/run_rules.hpp"
#include "tests/support/content_lines.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/random_files.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {
namespace {

using engine::State;
using engine::Transaction;

State committed(const State& state, const Transaction& transaction) {
  auto after = engine::apply(state, transaction, state.lsn.next());
  if (!after) RC_FAIL(after.error().message);
  return std::move(*after);
}

State with_default_rules() {
  return committed(State(), engine::plan_default_rulesets(State()));
}

// A rule that may match, and so must be evaluated, but never does.
engine::Rule idle_rule(std::uint64_t ruleset) {
  engine::Rule rule;
  rule.ruleset = ruleset;
  rule.name = "idle";
  rule.criteria = {{0, "Match Nodes by Topology", {{0, "Topology ID", "no such topology"}}}};
  rule.actions = {{0, "Delete Node", {}}};
  return rule;
}

// The same rules, but an idle one before them keeps the import from uniting on the way.
State with_default_rules_one_by_one() {
  const State state = with_default_rules();
  const std::uint64_t custom = engine::rulesets_in_order(state.catalog).front();
  const auto planned = engine::plan_rule_put(state, 0, idle_rule(custom));
  if (!planned) RC_FAIL(planned.error().message);
  return committed(state, *planned);
}

struct Import {
  std::string xml;
  std::string parent;
  bool propagate = true;
};

Import random_import(Marks marks) {
  Import import;
  import.xml = random_file(5, marks);
  import.propagate = *rc::gen::arbitrary<bool>();
  if (*rc::gen::element(false, false, true)) import.parent = random_topology_id();
  RC_LOG() << "below \"" << import.parent << "\", propagate " << import.propagate << ":\n"
           << import.xml << '\n';
  return import;
}

Result<engine::ImportPlan> planned(const State& state, const Import& import,
                                   engine::CollisionPolicy collisions) {
  const auto document = codecs::read_netml(import.xml);
  RC_ASSERT(document.has_value());
  engine::ImportOptions options;
  options.parent = state.graph.find_newest(Kind::topology, import.parent);
  options.collisions = collisions;
  options.propagate_topology_deletion = import.propagate;
  return engine::plan_import(state, *document, options);
}

void expect_same_content(const State& a, const State& b) {
  const std::string differs = difference(content_lines(a.graph), content_lines(b.graph));
  if (!differs.empty()) RC_FAIL(differs);
}

// What the rules matched and changed, after the idle one.
void expect_same_logs(const std::vector<engine::RuleLog>& by_sets,
                      const std::vector<engine::RuleLog>& one_by_one) {
  RC_ASSERT(by_sets.size() == 3U);
  RC_ASSERT(one_by_one.size() == 4U);
  for (std::size_t i = 0; i < by_sets.size(); ++i) {
    const engine::RuleLog& expected = one_by_one[i + 1];
    RC_ASSERT(by_sets[i].name == expected.name);
    RC_ASSERT(by_sets[i].element == expected.element);
    RC_ASSERT(by_sets[i].matched.size() == expected.matched.size());
    for (std::size_t kind = 0; kind < kKindCount; ++kind)
      RC_ASSERT(by_sets[i].affected[kind].size() == expected.affected[kind].size());
  }
}

int some_imports() {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, 7));
}

RC_GTEST_PROP(DefaultRules, LeaveTheSameStoreSetBySetAsRuleByRule, ()) {
  State fast = with_default_rules();
  State literal = with_default_rules_one_by_one();
  for (int imports = some_imports(); imports > 0; --imports) {
    const Import import = random_import(Marks::any);
    const auto by_sets = planned(fast, import, engine::CollisionPolicy::by_rules);
    const auto one_by_one = planned(literal, import, engine::CollisionPolicy::by_rules);
    RC_ASSERT(by_sets.has_value() == one_by_one.has_value());
    if (!by_sets) continue;
    expect_same_logs(by_sets->rules, one_by_one->rules);
    fast = committed(fast, by_sets->transaction);
    literal = committed(literal, one_by_one->transaction);
    expect_same_content(fast, literal);
    RC_ASSERT(!fast.graph.has_duplicates());
  }
}

RC_GTEST_PROP(DefaultRules, RunTwiceAreAsRunOnce, ()) {
  State state = with_default_rules();
  for (int imports = some_imports(); imports > 0; --imports) {
    const auto plan =
        planned(state, random_import(Marks::any), engine::CollisionPolicy::keep_separate);
    if (plan) state = committed(state, plan->transaction);
  }
  const State once = committed(state, engine::plan_rules_run(state).transaction);
  RC_ASSERT(!once.graph.has_duplicates());
  RC_ASSERT(engine::plan_rules_run(once).transaction.empty());
}

// Duplicates that other rules left are resolved by the next import, whatever it brings.
RC_GTEST_PROP(DefaultRules, ResolveWhatWasThereBeforeThem, ()) {
  State state = with_default_rules();
  for (int imports = some_imports(); imports > 0; --imports) {
    const auto plan =
        planned(state, random_import(Marks::any), engine::CollisionPolicy::keep_separate);
    if (plan) state = committed(state, plan->transaction);
  }
  const auto plan = planned(state, random_import(Marks::any), engine::CollisionPolicy::by_rules);
  if (!plan) return;
  const State after = committed(state, plan->transaction);
  RC_ASSERT(!after.graph.has_duplicates());
  RC_ASSERT(engine::plan_rules_run(after).transaction.empty());
}

}  // namespace
}  // namespace netml::test
