// Other formats: the same map, read and written. Floor of both: a plain parser over the same bytes
// in memory, warm: pugixml of XML, Boost.JSON of JSON; of other texts copying them.
#include <boost/json.hpp>
#include <cstring>
#include <string>

#include "bench/support/floors.hpp"
#include "bench/support/workload.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/export/export_order.hpp"
#include "tests/codecs/formats/format_text.hpp"

namespace netml::bench {
namespace {

using codecs::FileFormat;

std::string written(const FileFormat& format, const engine::Graph& graph) {
  return format.write(graph, *export_root(graph))->bytes;
}

double floor_seconds(const FileFormat& format, const std::string& text) {
  if (format.media_type.ends_with("xml")) return pugixml_seconds(text);
  const double begin = now();
  if (format.media_type.ends_with("json")) {
    benchmark::DoNotOptimize(boost::json::parse(text));
  } else {
    std::string copy(text.size(), '\0');
    std::memcpy(copy.data(), text.data(), text.size());
    benchmark::DoNotOptimize(copy);
  }
  return now() - begin;
}

void report_bytes(benchmark::State& state, const LoopTimer& timer, const FileFormat& format,
                  const std::string& text) {
  const auto bytes = static_cast<double>(text.size());
  state.counters["MB_a_second"] = bytes / timer.mean() / 1e6;
  state.counters["MB"] = bytes / 1e6;
  state.counters["x_floor"] = timer.mean() / floor_seconds(format, text);
}

void read(benchmark::State& state, const FileFormat& format) {
  Workload& work = Workload::with_topologies(state.range(0));
  const std::string text = written(format, work.state()->graph);
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    auto read = codecs::test::read_text(format.name, text);
    timer.stop();
    benchmark::DoNotOptimize(read);
  }
  report_bytes(state, timer, format, text);
}

void write(benchmark::State& state, const FileFormat& format) {
  Workload& work = Workload::with_topologies(state.range(0));
  std::string text;
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    text = written(format, work.state()->graph);
    timer.stop();
  }
  report_bytes(state, timer, format, text);
}

// Spreadsheets are not among them: they hold one topology alone.
[[maybe_unused]] const bool kRegistered = [] {
  for (const FileFormat& format : codecs::file_formats()) {
    if (format.write == nullptr || !format.is_text) continue;
    const std::string name(format.name);
    all_sizes(benchmark::RegisterBenchmark((name + "_write").c_str(),
                                           [&](benchmark::State& state) { write(state, format); }));
    if (format.read == nullptr) continue;
    all_sizes(benchmark::RegisterBenchmark((name + "_read").c_str(),
                                           [&](benchmark::State& state) { read(state, format); }));
  }
  return true;
}();

}  // namespace
}  // namespace netml::bench
