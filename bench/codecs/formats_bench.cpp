// Other formats: the same map as GraphML, read and written. Floor of both: pugixml parsing the same
// bytes in place, warm.
#include "bench/support/workload.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/export/export_order.hpp"
#include "tests/codecs/formats/format_text.hpp"

namespace netml::bench {
namespace {

const codecs::FileFormat& graphml() {
  return *codecs::find_format("graphml");
}

std::string written(const engine::Graph& graph) {
  return graphml().write(graph, *export_root(graph))->bytes;
}

void report_bytes(benchmark::State& state, const LoopTimer& timer, const std::string& text) {
  const auto bytes = static_cast<double>(text.size());
  state.counters["MB_a_second"] = bytes / timer.mean() / 1e6;
  state.counters["MB"] = bytes / 1e6;
  state.counters["x_pugixml"] = timer.mean() / pugixml_seconds(text);
}

void BM_graphml_read(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const std::string text = written(work.state()->graph);
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    auto read = codecs::test::read_text("graphml", text);
    timer.stop();
    benchmark::DoNotOptimize(read);
  }
  report_bytes(state, timer, text);
}

void BM_graphml_write(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  std::string text;
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    text = written(work.state()->graph);
    timer.stop();
  }
  report_bytes(state, timer, text);
}

BENCHMARK(BM_graphml_read)->Apply(all_sizes);
BENCHMARK(BM_graphml_write)->Apply(all_sizes);

}  // namespace
}  // namespace netml::bench
