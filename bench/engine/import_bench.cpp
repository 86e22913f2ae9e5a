// Planning and applying. Floor: copying as many bytes in memory as the file has; in P, too.
#include "bench/support/workload.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::bench {
namespace {

void report_in_p(benchmark::State& state, const LoopTimer& timer, Workload& work) {
  report(state, timer, work, copy_seconds(work.text().size()));
  state.counters["x_P"] = timer.mean() / work.pugixml_seconds();
}

void plan_on(benchmark::State& state, const engine::State& base) {
  Workload& work = Workload::with_topologies(state.range(0));
  const engine::Document document = work.document();
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    auto plan = plan_import(base, document, {.parent = engine::default_parent(base.graph)});
    timer.stop();
    benchmark::DoNotOptimize(plan);
  }
  report_in_p(state, timer, work);
}

void BM_plan_fresh(benchmark::State& state) {
  plan_on(state, engine::State{});
}
void BM_plan_unchanged(benchmark::State& state) {
  plan_on(state, *Workload::with_topologies(state.range(0)).state());
}

void BM_apply(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const engine::State empty;
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    auto applied = apply(empty, work.transaction(), Lsn{1});
    timer.stop();
    benchmark::DoNotOptimize(applied);
  }
  report_in_p(state, timer, work);
  state.counters["graph_bytes_per_file_byte"] =
      static_cast<double>(work.state()->graph.memory_bytes()) /
      static_cast<double>(work.text().size());
}

BENCHMARK(BM_plan_fresh)->Apply(all_sizes);
BENCHMARK(BM_plan_unchanged)->Apply(all_sizes);
BENCHMARK(BM_apply)->Apply(all_sizes);

}  // namespace
}  // namespace netml::bench
