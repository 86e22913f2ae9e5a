// The one workload of all benchmarks: the tree that `netml generate --nodes 500 --links 500` makes,
// by its number of topologies.
//
// Each is made when first asked for and kept while the program runs. Thread: one.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "bench/support/floors.hpp"
#include "engine/graph/document.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::bench {

class Workload {
 public:
  static Workload& with_topologies(std::int64_t topologies);
  // As many nodes and links, all of them in one topology.
  static Workload& in_one_topology(std::int64_t topologies);

  const std::string& text() const { return text_; }
  std::int64_t elements() const { return elements_; }

  double pugixml_seconds();  // measured once

  engine::Document document() const;
  // The transaction that imports the document into an empty store, and the state it leads to.
  const engine::Transaction& transaction();
  const engine::StatePtr& state();

 private:
  Workload(std::int64_t topologies, std::int64_t nodes);  // and links, of each

  std::string text_;
  std::int64_t elements_ = 0;
  double pugixml_seconds_ = 0;
  std::unique_ptr<engine::Transaction> transaction_;
  engine::StatePtr state_;
};

// Times the body of a benchmark's loop, so that it can be set beside a floor.
class LoopTimer {
 public:
  explicit LoopTimer(benchmark::State& state) : state_(state) {}
  void start() { begin_ = now(); }
  void stop() {
    const double seconds = now() - begin_;
    state_.SetIterationTime(seconds);
    total_ += seconds;
  }
  double mean() const { return total_ / static_cast<double>(state_.iterations()); }

 private:
  benchmark::State& state_;
  double begin_ = 0;
  double total_ = 0;
};

// Trees of 10, 100 and 1,000 topologies, each timed by a LoopTimer.
void all_sizes(benchmark::internal::Benchmark* each);

// Reports elements and bytes a second and the ratio to the floor.
void report(benchmark::State& state, const LoopTimer& timer, const Workload& work, double floor);

}  // namespace netml::bench
