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

// About what the newest version takes: what a graph counts, and its blocks, which are looked at
// again when it has changed by much.
class MapMemory {
 public:
  explicit MapMemory(MemoryReservation account) : account_(std::move(account)) {}

  std::uint64_t of(const engine::Graph& graph) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t counted = graph.counted_bytes();  // first: it grows with every look
    if (is_other(graph.size(), size_) || is_other(counted, counted_)) {
      blocks_ = graph.memory_bytes() - counted;
      size_ = graph.size();
      counted_ = counted;
    }
    if (account_.bytes() != blocks_ + counted) account_.set(blocks_ + counted);
    return account_.bytes();
  }

 private:
  static bool is_other(std::uint64_t now, std::uint64_t then) {
    constexpr std::uint64_t kPart = 16;  // a change by one of so many parts
    return (now > then ? now - then : then - now) * kPart > then;
  }

  std::mutex mutex_;
  MemoryReservation account_;  // guarded by mutex_
  // When the blocks were looked at; guarded by mutex_.
  std::uint64_t blocks_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t counted_ = 0;
};

}  // namespace netml::admin
