// Exports as they are pulled to be sent, without sending them. Floor: copying as many bytes.
//
// BM_export_cold by topologies and helpers: nothing is cached; 0 is one thread.
// BM_export_again: all is cached, so this is what giving the pieces costs.
// BM_export_after_a_change: all is cached but for the one topology in which a node has another name
// each time; with finding that out, and the tree of the export. "x_P" less that of the row before
// is what one change costs beyond sending the bytes.
#include "admin/exports/export_pieces.hpp"
#include "bench/support/pull_export.hpp"
#include "bench/support/workload.hpp"
#include "engine/graph/graph_changes.hpp"

namespace netml::bench {
namespace {

using engine::StatePtr;

// The same map, but for the name of one node.
StatePtr renamed(const StatePtr& state, std::string_view name) {
  RecordId node;
  state->graph.for_each_of(Kind::node, [&](RecordId id) { node = id; });
  const engine::Record record = state->graph.record(node);
  engine::GraphChanges changes(state->graph);
  changes.put(node, {changed_copy(*record.attributes,
                                  [&](engine::AttributeFields& fields) { fields.name = name; }),
                     record.relations});
  auto changed = std::make_shared<engine::State>(*state);
  changed->graph = std::move(changes).finish();
  return changed;
}

void report_export(benchmark::State& state, const LoopTimer& timer, Workload& work,
                   std::size_t bytes) {
  report(state, timer, work, copy_seconds(bytes));
  state.counters["x_P"] = timer.mean() / work.pugixml_seconds();
}

void BM_export_cold(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const StatePtr map = work.state();
  admin::MemoryBudget memory;
  admin::ExportHelpers helpers(static_cast<unsigned>(state.range(1)));
  LoopTimer timer(state);
  std::size_t bytes = 0;
  for (auto _ : state) {
    timer.start();
    bytes = pull_export(memory, map, nullptr, &helpers);
    timer.stop();
  }
  report_export(state, timer, work, bytes);
}

// Cached from the second time on.
void export_cached(benchmark::State& state, bool change) {
  Workload& work = Workload::with_topologies(state.range(0));
  const StatePtr maps[] = {work.state(), renamed(work.state(), "another name")};
  admin::MemoryBudget memory;
  admin::ExportPieces pieces(std::uint64_t{8} << 30, memory);
  admin::ExportHelpers helpers(1);
  for (int i = 0; i < 2; ++i) pull_export(memory, maps[0], &pieces, &helpers);
  LoopTimer timer(state);
  std::size_t bytes = 0;
  std::size_t shown = 0;
  for (auto _ : state) {
    if (change) shown ^= 1;
    timer.start();
    bytes = pull_export(memory, maps[shown], &pieces, &helpers);
    timer.stop();
  }
  report_export(state, timer, work, bytes);
}

void BM_export_again(benchmark::State& state) {
  export_cached(state, false);
}
void BM_export_after_a_change(benchmark::State& state) {
  export_cached(state, true);
}

void sizes_and_helpers(benchmark::internal::Benchmark* each) {
  for (const int topologies : {10, 100, 1000})
    for (const int helpers : {0, 1}) each->Args({topologies, helpers});
  each->UseManualTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK(BM_export_cold)->Apply(sizes_and_helpers);
BENCHMARK(BM_export_again)->Apply(all_sizes);
BENCHMARK(BM_export_after_a_change)->Apply(all_sizes);

}  // namespace
}  // namespace netml::bench
