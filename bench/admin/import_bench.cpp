// A whole import as `netml import` does it: read, kept for audit, planned, journaled, synced,
// visible. In P, and beside the time that writing the same bytes takes.
#include "bench/support/bench_node.hpp"
#include "bench/support/workload.hpp"

namespace netml::bench {
namespace {

// Counted are the parts that depend on the program; what any program must write is counted apart::
// the journal, its segments filled with zeros before use, and the file kept for audit.
void report_import(benchmark::State& state, const LoopTimer& timer, Workload& work,
                   std::uint64_t journal_bytes) {
  const double p = work.pugixml_seconds();
  report(state, timer, work, p);
  const double journal = write_seconds(journal_bytes);
  const double upload = write_seconds(work.text().size());
  state.counters["journal_write_s"] = journal;
  state.counters["zero_fill_s"] = journal;
  state.counters["upload_write_s"] = upload;
  state.counters["x_P_beside_writes"] = (timer.mean() - 2 * journal - upload) / p;
}

void BM_import_fresh(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  LoopTimer timer(state);
  std::uint64_t journal_bytes = 0;
  for (auto _ : state) {
    const test::TemporaryDirectory directory;
    BenchNode bench(directory.file("data").string());
    timer.start();
    bench.import(work.text());
    timer.stop();
    journal_bytes = bench.node().journal_bytes();
  }
  report_import(state, timer, work, journal_bytes);
}

void BM_import_unchanged(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const test::TemporaryDirectory directory;
  BenchNode bench(directory.file("data").string());
  bench.import(work.text());
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    bench.import(work.text());
    timer.stop();
  }
  report_import(state, timer, work, 1 << 20);
}

BENCHMARK(BM_import_fresh)->Apply(all_sizes);
BENCHMARK(BM_import_unchanged)->Apply(all_sizes);

}  // namespace
}  // namespace netml::bench
