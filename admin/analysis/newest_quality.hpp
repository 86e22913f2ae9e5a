// How good the newest map is: inspected as a whole when somebody asks for the first time, and after
// that for what changed since somebody asked last. What is known of it is a cache of the memory
// budget: forgotten when somebody needs the memory, and then found anew.
//
// Failure: Errc::unavailable when the memory for what is to be looked at is taken. Owner: the site;
// the budget and the countries outlive it. Thread: any; while one asks, others wait.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "admin/base/memory_budget.hpp"
#include "engine/quality/quality_monitor.hpp"

namespace netml::admin::web {

class NewestQuality {
 public:
  explicit NewestQuality(MemoryBudget& memory);

  // Calls `use` with what is found in the map on that day. Any version may be asked about; it is
  // quick for one that has much in common with the one before.
  Status ask(const engine::Graph& graph, const engine::Countries& countries, Instant today,
             const std::function<void(const engine::Tallies&)>& use);

 private:
  using Monitor = std::unique_ptr<engine::QualityMonitor>;

  Monitor take_out();
  void store(Monitor monitor);

  MemoryBudget& memory_;
  std::mutex asking_;  // taken before mutex_
  std::mutex mutex_;
  // Both guarded by mutex_. Null: nothing is known, or somebody asks.
  Monitor monitor_;
  MemoryReservation bytes_;
  const MemoryBudget::Registration registration_;
};

}  // namespace netml::admin::web
