// Reading the exchange format. Floor: pugixml parsing the same bytes in place, warm (the unit P).
#include "bench/support/workload.hpp"
#include "codecs/netml/netml_reader.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::bench {
namespace {

void parse(benchmark::State& state, unsigned threads) {
  Workload& work = Workload::with_topologies(state.range(0));
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    auto read = codecs::read_netml(work.text(), {}, threads);
    timer.stop();
    benchmark::DoNotOptimize(read);
  }
  report(state, timer, work, work.pugixml_seconds());
}

void BM_parse_one_thread(benchmark::State& state) {
  parse(state, 1);
}
void BM_parse_two_threads(benchmark::State& state) {
  parse(state, 2);
}

// What any other than a plain file takes: strict, on one thread, with every error's place.
void BM_parse_strict(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    codecs::NetmlReader reader;
    reader.feed(std::as_bytes(std::span(work.text())));
    auto read = reader.finish();
    timer.stop();
    benchmark::DoNotOptimize(read);
  }
  report(state, timer, work, work.pugixml_seconds());
}

BENCHMARK(BM_parse_one_thread)->Apply(all_sizes);
BENCHMARK(BM_parse_two_threads)->Apply(all_sizes);
BENCHMARK(BM_parse_strict)->Apply(all_sizes);

}  // namespace
}  // namespace netml::bench
