// What versions of the map take of the memory that the process may have.
// Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "admin/base/memory_budget.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin {

// A state whose memory is given back when nobody holds it any more.
inline engine::StatePtr holding(engine::StatePtr state, MemoryReservation reservation) {
  struct Held {
    engine::StatePtr state;
    MemoryReservation reservation;
  };
  reservation.set(state->graph.memory_bytes());
  auto held = std::make_shared<Held>(Held{std::move(state), std::move(reservation)});
  return {held, held->state.get()};
}

// About what the newest version takes, measured again when its size has changed: that visits all
// records.
class MapMemory {
 public:
  explicit MapMemory(MemoryReservation account) : account_(std::move(account)) {}

  std::uint64_t of(const engine::Graph& graph) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t size = graph.size();
    const std::uint64_t change = size > size_ ? size - size_ : size_ - size;
    if (change * kMeasuredAgain > size_) {
      account_.set(graph.memory_bytes());
      size_ = size;
    }
    return account_.bytes();
  }

 private:
  static constexpr std::uint64_t kMeasuredAgain = 16;  // after a change by one of so many parts

  std::mutex mutex_;
  MemoryReservation account_;  // guarded by mutex_
  std::uint64_t size_ = 0;     // when it was measured; guarded by mutex_
};

}  // namespace netml::admin
