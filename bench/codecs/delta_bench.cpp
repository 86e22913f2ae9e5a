// What a delta costs, step by step, on both sides (docs/following.md): one in a hundred nodes and
// links, in all topologies, gets another name. "x_whole": how many times as long all steps together
// take as reading, planning and applying the whole file, measured in turn with them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>

#include "bench/support/workload.hpp"
#include "codecs/netml/delta/delta_changes.hpp"
#include "codecs/netml/delta/exported_map.hpp"
#include "codecs/netml/delta/taken_export.hpp"
#include "codecs/netml/delta/write_delta.hpp"
#include "codecs/netml/netml_writer.hpp"
#include "engine/import/changed_file.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::bench {
namespace {

using codecs::ExportedMap;
using engine::State;

bool is_node_or_link(std::string_view begin) {
  return begin.ends_with("<grenml:Node ") || begin.ends_with("<grenml:Link ");
}

std::string changed(std::string_view text) {
  constexpr std::string_view kName = "<grenml:name>";
  std::mt19937 dice(1);
  std::string out;
  out.reserve(text.size() + text.size() / 64);
  while (true) {
    const std::size_t name = text.find(kName);
    if (name == text.npos) return out.append(text);
    const std::string_view before = text.substr(0, name);
    const std::string_view tag = before.substr(before.rfind("id="));
    out.append(before).append(kName);
    const bool is_element = is_node_or_link(before.substr(0, before.size() - tag.size()));
    if (is_element && dice() % 100 == 0) out += "Another ";
    text.remove_prefix(name + kName.size());
  }
}

std::string exported(const State& state) {
  codecs::NetmlWriter writer(state.graph, *export_tree(state.graph, *export_root(state.graph)));
  codecs::TextBuffer text;
  while (const auto piece = writer.next()) writer.write_part(*piece, text, std::string::npos);
  return std::string(text.view());
}

State imported(const State& state, std::string_view text,
               std::shared_ptr<const engine::KnownFile>* known = nullptr) {
  const auto document = codecs::read_netml(text);
  const auto plan = engine::plan_import(state, *document, {});
  if (known != nullptr) *known = plan->known;
  return *engine::apply(state, plan->transaction, Lsn{state.lsn.value + 1});
}

void BM_delta(benchmark::State& state) {
  Workload& work = Workload::with_topologies(state.range(0));
  const std::string first = exported(*work.state());
  const std::string next = changed(first);
  std::shared_ptr<const engine::KnownFile> known;
  const State before = imported(*work.state(), first, &known);
  const State after = imported(before, next);
  const RecordId root = *engine::export_root(before.graph);
  InlineParallel parallel;
  const auto from = *codecs::exported_map(before.graph, root, nullptr, parallel);
  const auto taken = *codecs::TakenExport::of(first);
  std::array<double, 7> seconds{};
  double whole = 0;
  for (auto _ : state) {
    double begin = now();
    std::size_t step = 0;
    const auto lap = [&] {
      const double end = now();
      seconds.at(step++) += end - begin;
      begin = end;
    };
    const auto to = *codecs::exported_map(after.graph, root, &from, parallel);
    lap();
    const auto text =
        *codecs::write_delta(from, to, {"stream", "1", "2", {}, {}}, 1 << 30, parallel);
    lap();
    const auto delta = *codecs::read_delta(text.view());
    lap();
    codecs::TopologyHasher::Counts counts;
    const auto then = taken.after(delta, "1", counts);
    lap();
    const auto changes = codecs::changes_of(delta, *codecs::document_of(delta), *then, counts);
    lap();
    const auto plan = engine::plan_changed_file(before, *known, *changes, {});
    lap();
    benchmark::DoNotOptimize(engine::apply(before, plan->transaction, Lsn{before.lsn.value + 1}));
    lap();
    benchmark::DoNotOptimize(imported(before, next));
    whole += now() - begin;
  }
  const auto rounds = static_cast<double>(state.iterations());
  double all = 0;
  for (const double each : seconds) all += each;
  constexpr std::array kSteps{"hash_ms", "write_ms", "read_ms", "take_ms",
                              "say_ms",  "plan_ms",  "apply_ms"};
  for (std::size_t i = 0; i < kSteps.size(); ++i)
    state.counters[kSteps.at(i)] = 1e3 * seconds.at(i) / rounds;
  state.counters["whole_ms"] = 1e3 * whole / rounds;
  state.counters["x_whole"] = all / whole;
}

BENCHMARK(BM_delta)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace netml::bench
