// The history as tables (docs/analysis.md): a map imported, every node renamed, and that undone by
// another import, so that there are three versions of half of the elements. Rows are those of
// `versions` and `effects` together.
//
// BM_history_export: all of it. Floor: replaying the journal, which is what cannot be avoided;
// "x_replay" is how many times as long, measured in turn with it.
// BM_history_rows: the rows of `versions` of the map alone, without a journal: what the columns,
// their encoding and compression cost one core. Floor: copying the map as a file; "x_copy".
#include <cstdint>
#include <string>

#include "admin/history/history_export.hpp"
#include "admin/history/history_tables.hpp"
#include "bench/support/bench_node.hpp"
#include "bench/support/workload.hpp"

namespace netml::bench {
namespace {

std::string renamed_nodes(std::string text) {
  for (std::size_t at = text.find("<grenml:Node "); at != std::string::npos;
       at = text.find("<grenml:Node ", at + 1)) {
    at = text.find("<grenml:name>", at) + std::string_view("<grenml:name>").size();
    text[at] = '~';
  }
  return text;
}

std::uint64_t replay(admin::Node& node) {
  auto from = node.state_at(Lsn{});
  auto next = node.transactions_after(*from);
  std::uint64_t effects = 0;
  while (auto step = *(*next)()) effects += step->transaction.records.size();
  return effects;
}

std::uint64_t export_all(admin::Node& node) {
  auto exported = admin::export_history(node, std::nullopt);
  std::uint64_t bytes = 0;
  for (auto piece = *exported->body->next(); !piece.empty(); piece = *exported->body->next())
    bytes += piece.size();
  return bytes;
}

void BM_history_export(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  test::TemporaryDirectory directory;
  BenchNode bench(directory.file("data").string());
  bench.import(work.text());
  bench.import(renamed_nodes(work.text()));
  bench.import(work.text());
  LoopTimer timer(state);
  double replaying = 0;
  std::uint64_t bytes = 0;
  std::uint64_t effects = 0;
  for (auto _ : state) {
    const double began = now();
    effects = replay(bench.node());
    replaying += now() - began;
    timer.start();
    bytes = export_all(bench.node());
    timer.stop();
  }
  // Each effect made a version here, as nothing was deleted.
  state.SetItemsProcessed(static_cast<std::int64_t>(2 * effects) * state.iterations());
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["x_replay"] = timer.mean() * static_cast<double>(state.iterations()) / replaying;
}

void BM_history_rows(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const engine::Graph& graph = work.state()->graph;
  LoopTimer timer(state);
  std::uint64_t bytes = 0;
  const auto count = [&](std::string_view, std::string_view made) { bytes += made.size(); };
  for (auto _ : state) {
    bytes = 0;
    timer.start();
    admin::HistoryTables tables({});
    graph.for_each_record([&](RecordId id) {
      const engine::Record record = graph.record(id);
      if (!tables.add(admin::VersionRow{id, record, {Lsn{1}, {}}})) std::abort();
      tables.take(count);
    });
    if (!tables.finish()) std::abort();
    tables.take(count);
    timer.stop();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(graph.size()) * state.iterations());
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["x_copy"] = timer.mean() / copy_seconds(work.text().size());
}

BENCHMARK(BM_history_export)->Arg(10)->Arg(1000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_history_rows)->Arg(10)->Arg(1000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace netml::bench
