// Other formats: the same map, read and written. Floor of both: a plain parse of the same bytes
// (plain_parse.hpp). Beside it the memory that was needed besides the result, as a multiple of the
// file.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "bench/codecs/made_files.hpp"
#include "bench/codecs/plain_parse.hpp"
#include "bench/support/working_memory.hpp"
#include "bench/support/workload.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/export/export_order.hpp"
#include "tests/codecs/formats/format_text.hpp"

namespace netml::bench {
namespace {

using codecs::FileFormat;

// A spreadsheet holds one topology alone.
const engine::Graph& graph_for(const FileFormat& format, std::int64_t topologies) {
  const bool needs_one = format.write != nullptr && !format.holds_topologies;
  Workload& work =
      needs_one ? Workload::in_one_topology(topologies) : Workload::with_topologies(topologies);
  return work.state()->graph;
}

std::string written(const FileFormat& format, const engine::Graph& graph) {
  auto file = format.write(graph, *export_root(graph));
  if (!file) std::abort();
  return std::move(file->bytes);
}

std::string file_for(const FileFormat& format, const engine::Graph& graph) {
  if (format.write != nullptr) return written(format, graph);
  if (format.name == "ofds") return made_ofds(graph);
  if (format.name == "oscars") return made_oscars(graph);
  if (format.name == "netbox") return made_netbox(graph);
  std::abort();  // a format that is only read needs files to read
}

codecs::ReadResult read_back(const FileFormat& format, const std::string& bytes) {
  const codecs::FileLimits limits = bench_limits();
  codecs::test::TextFile file(bytes);
  return format.read(
      file,
      {.topology_name = format.names_topology ? "" : "map", .file_name = "map", .limits = limits});
}

// In a run apart: memory that comes from the system anew is slow.
template <class Work>
std::size_t memory_of(Work&& work) {
  const WorkingMemory working;
  const auto result = work();
  return working.bytes();
}

void report_bytes(benchmark::State& state, const LoopTimer& timer, const FileFormat& format,
                  const std::string& file, std::size_t memory) {
  const auto bytes = static_cast<double>(file.size());
  state.counters["memory_x_file"] = static_cast<double>(memory) / bytes;
  state.counters["MB_a_second"] = bytes / timer.mean() / 1e6;
  state.counters["MB"] = bytes / 1e6;
  state.counters["x_floor"] = timer.mean() / plain_parse_seconds(format, file);
}

void read(benchmark::State& state, const FileFormat& format) {
  const std::string file = file_for(format, graph_for(format, state.range(0)));
  // A refusal would be fast.
  if (const auto first = read_back(format, file); !first)
    return state.SkipWithError(first.error().first.front().message.c_str());
  const std::size_t memory = memory_of([&] { return read_back(format, file); });
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    auto read = read_back(format, file);
    timer.stop();
    benchmark::DoNotOptimize(read);
  }
  report_bytes(state, timer, format, file, memory);
}

void write(benchmark::State& state, const FileFormat& format) {
  const engine::Graph& graph = graph_for(format, state.range(0));
  std::string file;
  const std::size_t memory = memory_of([&] { return written(format, graph); });
  LoopTimer timer(state);
  for (auto _ : state) {
    timer.start();
    file = written(format, graph);
    timer.stop();
  }
  report_bytes(state, timer, format, file, memory);
}

void add_benchmark(const FileFormat& format, std::string_view what,
                   void (*run)(benchmark::State&, const FileFormat&)) {
  all_sizes(benchmark::RegisterBenchmark(
      fmt::format("{}_{}", format.name, what).c_str(),
      [&format, run](benchmark::State& state) { run(state, format); }));
}

// The main format, which has neither here, is measured as a stream.
[[maybe_unused]] const bool kRegistered = [] {
  for (const FileFormat& format : codecs::file_formats()) {
    if (format.write != nullptr) add_benchmark(format, "write", write);
    if (format.read != nullptr) add_benchmark(format, "read", read);
  }
  return true;
}();

}  // namespace
}  // namespace netml::bench
