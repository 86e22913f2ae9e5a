// Committing, taking a checkpoint, restarting. Floor: writing the same bytes to a file in sequence
// and fdatasync; for a restart pugixml parsing the file that was imported.
#include "bench/support/store_on_disk.hpp"

namespace netml::bench {
namespace {

// Encode, checksum, chain, write, sync and apply one import; includes filling new segments with
// zeros, which the journal does once for each.
void BM_commit(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const engine::Transaction& transaction = work.transaction();
  LoopTimer timer(state);
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    Bench bench;
    timer.start();
    bench.commit(transaction);
    timer.stop();
    bytes = bench.store().checkpoints().journal_bytes();
  }
  report(state, timer, work, write_seconds(bytes));
  state.counters["x_P"] = timer.mean() / work.pugixml_seconds();
  state.counters["journal_bytes"] = static_cast<double>(bytes);
}

void BM_checkpoint(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  LoopTimer timer(state);
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    Bench bench;
    bench.commit(work.transaction());
    timer.start();
    need(bench.store().checkpoint());
    timer.stop();
    bytes = bench.store().manifest().checkpoints.front().graph.bytes;
  }
  report(state, timer, work, write_seconds(bytes));
}

void restart(benchmark::State& state, bool from_checkpoint) {
  Workload& work = Workload::with_topologies(state.range(0));
  Bench bench;
  bench.commit(work.transaction());
  if (from_checkpoint) need(bench.store().checkpoint());
  LoopTimer timer(state);
  for (auto _ : state) {
    bench.close();
    timer.start();
    bench.open();
    timer.stop();
  }
  report(state, timer, work, work.pugixml_seconds());
}

void BM_restart_from_checkpoint(benchmark::State& state) {
  restart(state, true);
}
void BM_restart_from_journal(benchmark::State& state) {
  restart(state, false);
}

BENCHMARK(BM_commit)->Apply(all_sizes);
BENCHMARK(BM_checkpoint)->Apply(all_sizes);
BENCHMARK(BM_restart_from_checkpoint)->Apply(all_sizes);
BENCHMARK(BM_restart_from_journal)->Apply(all_sizes);

}  // namespace
}  // namespace netml::bench
