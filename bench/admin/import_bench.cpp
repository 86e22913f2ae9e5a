// A whole import as `netml import` does it: read, kept for audit, planned, journaled, synced,
// visible. In P, and beside the time that writing the same bytes takes.
#include <cstdlib>
#include <string>

#include "admin/services/importer.hpp"
#include "admin/services/node.hpp"
#include "admin/services/system_clock.hpp"
#include "bench/support/workload.hpp"

namespace netml::bench {
namespace {

class SilentLog : public admin::EventLog {
 public:
  void information(std::string_view, std::string_view) override {}
  void warning(std::string_view, std::string_view) override {}
  void error(std::string_view, std::string_view) override {}
};

// A node of its own in a directory of its own.
class BenchNode {
 public:
  BenchNode() {
    auto opened =
        admin::Node::open({.data_directory = directory_.path() + "/data"}, clock_, random_, log_);
    if (!opened) std::abort();
    node_ = std::move(*opened);
  }
  ~BenchNode() {
    if (!node_->close(true)) std::abort();
  }
  admin::Node& node() { return *node_; }

  admin::ImportResult import(const std::string& text) {
    admin::ImportRequest request;
    request.file_name = "bench.xml";
    auto job = admin::ImportJob::begin(*node_, std::move(request));
    if (!job) std::abort();
    constexpr std::size_t kPiece = 1 << 20;
    for (std::size_t done = 0; done < text.size(); done += kPiece)
      (*job)->write(std::string_view(text).substr(done, kPiece));
    admin::ImportOutcome outcome = (*job)->commit();
    if (!outcome) std::abort();
    return *outcome;
  }

 private:
  TemporaryDirectory directory_;
  admin::SystemClock clock_;
  admin::SystemRandom random_;
  SilentLog log_;
  std::unique_ptr<admin::Node> node_;
};

// Counted are the parts that depend on the program; what any program must write is told apart:
// the journal, its segments filled with zeros before use, and the file kept for audit.
void report_import(benchmark::State& state, const LoopTimer& timer, Workload& work,
                   std::uint64_t journal_bytes) {
  const double p = work.pugixml_seconds();
  report(state, timer, work, p);
  const double journal = Workload::write_seconds(journal_bytes);
  const double upload = Workload::write_seconds(work.text().size());
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
    BenchNode bench;
    timer.start();
    bench.import(work.text());
    timer.stop();
    journal_bytes = bench.node().journal_bytes();
  }
  report_import(state, timer, work, journal_bytes);
}

void BM_import_unchanged(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  BenchNode bench;
  bench.import(work.text());
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    bench.import(work.text());
    timer.stop();
  }
  report_import(state, timer, work, 1 << 20);
}

BENCHMARK(BM_import_fresh)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_import_unchanged)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace netml::bench
