#include "bench/support/workload.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <pugixml.hpp>
#include <vector>

#include "bench/generator/generator.hpp"
#include "codecs/netml_reader.hpp"
#include "engine/plan_import.hpp"

namespace netml::bench {

namespace {
// The best of a few runs: a floor is what the machine can do, not what it did once.
template <class Run>
double best_of(int runs, Run&& run) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) best = std::min(best, run());
  return best;
}
}  // namespace

double LoopTimer::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Workload& Workload::with_topologies(std::int64_t topologies) {
  static std::map<std::int64_t, std::unique_ptr<Workload>> workloads;
  auto& workload = workloads[topologies];
  if (workload == nullptr) workload.reset(new Workload(topologies));
  return *workload;
}

Workload::Workload(std::int64_t topologies) {
  generator::GeneratorOptions options;
  options.topologies = static_cast<std::uint32_t>(topologies);
  options.nodes = 500;
  options.links = 500;
  const auto counts = generator::generate(options, [&](std::string_view piece) {
    text_ += piece;
    return true;
  });
  elements_ = static_cast<std::int64_t>(counts->elements());
}

// Warm: the allocator keeps what was freed, so that no run but the first waits for the system to
// hand out pages.
double Workload::pugixml_seconds() {
  if (pugixml_seconds_ > 0) return pugixml_seconds_;
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  pugixml_seconds_ = best_of(4, [&] {
    std::string copy = text_;
    pugi::xml_document parsed;
    const double begin = LoopTimer::now();
    const bool good = static_cast<bool>(parsed.load_buffer_inplace(copy.data(), copy.size()));
    const double seconds = LoopTimer::now() - begin;
    return good ? seconds : 1e9;
  });
  constexpr int kDefaultTrimThreshold = 128 * 1024;
  ::mallopt(M_TRIM_THRESHOLD, kDefaultTrimThreshold);
  ::malloc_trim(0);
  return pugixml_seconds_;
}

double Workload::copy_seconds(std::size_t bytes) {
  const std::vector<char> from(bytes, 'x');
  std::vector<char> to(bytes);
  return best_of(4, [&] {
    const double begin = LoopTimer::now();
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::DoNotOptimize(to.data());
    return LoopTimer::now() - begin;
  });
}

double Workload::write_seconds(std::size_t bytes) {
  const TemporaryDirectory directory;
  const std::vector<char> piece(1 << 20, 'x');
  return best_of(2, [&] {
    const std::string path = directory.path() + "/floor";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const double begin = LoopTimer::now();
    for (std::size_t done = 0; done < bytes; done += piece.size())
      if (::write(file, piece.data(), std::min(piece.size(), bytes - done)) < 0) std::abort();
    ::fdatasync(file);
    const double seconds = LoopTimer::now() - begin;
    ::close(file);
    return seconds;
  });
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

void report(benchmark::State& state, const LoopTimer& timer, const Workload& work, double floor) {
  state.SetItemsProcessed(state.iterations() * work.elements());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(work.text().size()));
  state.counters["floor_s"] = floor;
  state.counters["x_floor"] = timer.mean() / floor;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "netml-bench-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) std::abort();
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace netml::bench
