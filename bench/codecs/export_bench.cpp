// Making an export from nothing kept. Floor: copying as many bytes in memory.
#include "bench/support/workload.hpp"
#include "codecs/netml/netml_writer.hpp"
#include "engine/export/export_order.hpp"

namespace netml::bench {
namespace {

void BM_export(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const engine::Graph& graph = work.state()->graph;
  LoopTimer timer(state);
  std::size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    timer.start();
    auto tree = export_tree(graph, *export_root(graph));
    codecs::NetmlWriter writer(graph, std::move(*tree));
    codecs::TextBuffer text;
    while (const auto piece = writer.next()) {
      text.clear();
      writer.write_part(*piece, text, std::string::npos);
      bytes += text.size();
    }
    timer.stop();
  }
  report(state, timer, work, copy_seconds(bytes));
  state.counters["x_P"] = timer.mean() / work.pugixml_seconds();
}

BENCHMARK(BM_export)->Apply(all_sizes);

}  // namespace
}  // namespace netml::bench
