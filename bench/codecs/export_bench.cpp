// Making an export from nothing kept, of all of a map and through views. Floor: copying as many
// bytes in memory. "x_whole": how many times as long as the export of all of the same map, measured
// in turn with it.
#include <array>
#include <string_view>

#include "bench/support/workload.hpp"
#include "codecs/netml/netml_writer.hpp"
#include "engine/export/export_order.hpp"
#include "engine/views/apply_view.hpp"

namespace netml::bench {
namespace {

// How many bytes it has.
std::size_t write_export(const engine::Graph& graph) {
  auto tree = export_tree(graph, *export_root(graph));
  codecs::NetmlWriter writer(graph, std::move(*tree));
  codecs::TextBuffer text;
  std::size_t bytes = 0;
  while (const auto piece = writer.next()) {
    text.clear();
    writer.write_part(*piece, text, std::string::npos);
    bytes += text.size();
  }
  return bytes;
}

void BM_export(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const engine::Graph& graph = work.state()->graph;
  LoopTimer timer(state);
  std::size_t bytes = 0;
  for (auto _ : state) {
    timer.start();
    bytes = write_export(graph);
    timer.stop();
  }
  report(state, timer, work, copy_seconds(bytes));
  state.counters["x_P"] = timer.mean() / work.pugixml_seconds();
}

BENCHMARK(BM_export)->Apply(all_sizes);

// One that hides a part, one that changes every place, one that gives every element a pseudonym.
const std::array<engine::View, 3>& views() {
  using engine::Field;
  static const std::array<engine::View, 3> kViews{
      engine::View{{engine::DropStep{{{.tag = "internal"}}},
                    engine::PropertiesStep{.keep = false, .names = {"contact*"}}}},
      engine::View{{engine::RoundStep{.grid = {500'000}}}},
      engine::View{{engine::PseudonymStep{.fields = {Field::id, Field::name}, .key = "k"}}}};
  return kViews;
}

void BM_export_through_view(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const engine::View& view = views()[static_cast<std::size_t>(state.range(1))];
  const engine::Graph& graph = work.state()->graph;
  HelperThreads helpers(1);
  LoopTimer timer(state);
  double whole = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const double began = now();
    write_export(graph);
    whole += now() - began;
    timer.start();
    bytes = write_export(seen_through(
        graph, view, [](std::string_view) { return engine::PseudonymKey{}; }, helpers));
    timer.stop();
  }
  report(state, timer, work, copy_seconds(bytes));
  state.counters["x_whole"] = timer.mean() * static_cast<double>(state.iterations()) / whole;
}

BENCHMARK(BM_export_through_view)
    ->ArgsProduct({{100}, {0, 1, 2}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace netml::bench
