// Collation rules: many by identifier on a large graph, and what they cost an import. Floor:
// looking up as many identifiers in the graph's index.
#include <fmt/format.h>

#include <chrono>

#include "bench/support/workload.hpp"
#include "engine/import/plan_import.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/rules/run_rules.hpp"

namespace netml::bench {
namespace {

constexpr std::size_t kRules = 1000;

// Ids of nodes that `state` has, spread over it.
std::vector<std::string> some_node_ids(const engine::State& state) {
  std::vector<std::string> ids;
  const std::uint64_t step = std::max<std::uint64_t>(1, state.graph.count(Kind::node) / kRules);
  std::uint64_t seen = 0;
  state.graph.for_each_record([&](RecordId id) {
    if (state.graph.kind(id) == Kind::node && seen++ % step == 0 && ids.size() < kRules)
      ids.emplace_back(state.graph.attributes(id).id());
  });
  return ids;
}

// The default rules, and before them a rule for each id that takes a property away from its node.
engine::State with_rules(const engine::State& state, const std::vector<std::string>& ids) {
  engine::RulesetDraft decisions{{std::string(engine::kCustomRulesetName), true, -1}, {}};
  for (const std::string& id : ids) {
    engine::Rule rule;
    rule.name = fmt::format("without k: {}", id);
    rule.criteria = {{0, "Match Nodes by ID", {{0, "ID", id}}}};
    rule.actions = {{0, "Delete Node Property", {{0, "name", "k"}}}};
    decisions.rules.push_back(std::move(rule));
  }
  const engine::State first = *apply(state, engine::plan_default_rulesets(state), state.lsn.next());
  return *apply(first, plan_rules_import(first, std::span(&decisions, 1)).transaction,
                first.lsn.next());
}

void BM_run_rules_by_id(benchmark::State& state) {
  const engine::StatePtr base = Workload::with_topologies(state.range(0)).state();
  const std::vector<std::string> ids = some_node_ids(*base);
  const engine::State ruled = with_rules(*base, ids);
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    auto run = engine::plan_rules_run(ruled);
    timer.stop();
    benchmark::DoNotOptimize(run);
  }
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string& id : ids)
    benchmark::DoNotOptimize(ruled.graph.find_newest(Kind::node, id));
  const std::chrono::duration<double> floor = std::chrono::steady_clock::now() - begin;
  state.counters["floor_s"] = floor.count();
}

void plan_with_rules(benchmark::State& state, const engine::State& base,
                     const std::vector<std::string>& ids) {
  const engine::Document document = Workload::with_topologies(state.range(0)).document();
  const engine::State ruled = with_rules(base, ids);
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    auto plan = plan_import(ruled, document,
                            {.parent = engine::default_parent(ruled.graph),
                             .collisions = engine::CollisionPolicy::by_rules});
    timer.stop();
    benchmark::DoNotOptimize(plan);
  }
}

void BM_plan_unchanged_default_rules(benchmark::State& state) {
  plan_with_rules(state, *Workload::with_topologies(state.range(0)).state(), {});
}
void BM_plan_unchanged_1000_rules(benchmark::State& state) {
  const engine::StatePtr base = Workload::with_topologies(state.range(0)).state();
  plan_with_rules(state, *base, some_node_ids(*base));
}
void BM_plan_fresh_1000_rules(benchmark::State& state) {
  const engine::StatePtr filled = Workload::with_topologies(state.range(0)).state();
  plan_with_rules(state, engine::State(), some_node_ids(*filled));
}

BENCHMARK(BM_run_rules_by_id)->Apply(all_sizes);
BENCHMARK(BM_plan_unchanged_default_rules)->Apply(all_sizes);
BENCHMARK(BM_plan_unchanged_1000_rules)->Apply(all_sizes);
BENCHMARK(BM_plan_fresh_1000_rules)->Apply(all_sizes);

}  // namespace
}  // namespace netml::bench
