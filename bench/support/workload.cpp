#include "bench/support/workload.hpp"

#include <cstdlib>
#include <map>

#include "bench/generator/generator.hpp"
#include "engine/import/plan_import.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::bench {

namespace {

constexpr std::int64_t kNodes = 500;  // of a topology

}  // namespace

Workload& Workload::with_topologies(std::int64_t topologies) {
  static std::map<std::int64_t, std::unique_ptr<Workload>> workloads;
  auto& workload = workloads[topologies];
  if (workload == nullptr) workload.reset(new Workload(topologies, kNodes));
  return *workload;
}

Workload& Workload::in_one_topology(std::int64_t topologies) {
  static std::map<std::int64_t, std::unique_ptr<Workload>> workloads;
  auto& workload = workloads[topologies];
  if (workload == nullptr) workload.reset(new Workload(1, topologies * kNodes));
  return *workload;
}

Workload::Workload(std::int64_t topologies, std::int64_t nodes) {
  generator::GeneratorOptions options;
  options.topologies = static_cast<std::uint32_t>(topologies);
  options.nodes = options.links = static_cast<std::uint32_t>(nodes);
  const auto counts = generator::generate(options, [&](std::string_view piece) {
    text_ += piece;
    return true;
  });
  elements_ = static_cast<std::int64_t>(counts->elements());
}

double Workload::pugixml_seconds() {
  if (pugixml_seconds_ == 0) pugixml_seconds_ = bench::pugixml_seconds(text_);
  return pugixml_seconds_;
}

engine::Document Workload::document() const {
  auto read = codecs::read_netml(text_);
  if (!read) std::abort();
  return std::move(*read);
}

const engine::Transaction& Workload::transaction() {
  if (transaction_ == nullptr) {
    const engine::State empty;
    auto plan = plan_import(empty, document(), {});
    transaction_ = std::make_unique<engine::Transaction>(std::move(plan->transaction));
  }
  return *transaction_;
}

const engine::StatePtr& Workload::state() {
  if (state_ == nullptr) {
    auto applied = apply(engine::State{}, transaction(), Lsn{1});
    state_ = std::make_shared<const engine::State>(std::move(*applied));
  }
  return state_;
}

void all_sizes(benchmark::internal::Benchmark* each) {
  each->Arg(10)->Arg(100)->Arg(1000)->UseManualTime()->Unit(benchmark::kMillisecond);
}

void report(benchmark::State& state, const LoopTimer& timer, const Workload& work, double floor) {
  state.SetItemsProcessed(state.iterations() * work.elements());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(work.text().size()));
  state.counters["floor_s"] = floor;
  state.counters["x_floor"] = timer.mean() / floor;
}

}  // namespace netml::bench
