// The map as it is sent, kept packed for as long as somebody may ask for it again. Equal data give
// the same answer, whatever else changed since: it tells the LSN and time at which they were first
// asked for.
//
// Thread: any.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "admin/base/memory_budget.hpp"
#include "admin/base/slots.hpp"
#include "engine/base/result.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::web {

struct MapAnswer {
  std::string etag;
  std::string packed;  // gzip
  std::uint64_t text_bytes = 0;
};

class MapAnswers {
 public:
  using Answer = std::shared_ptr<const MapAnswer>;

  // What is kept is a cache of the budget, which outlives this.
  explicit MapAnswers(MemoryBudget& memory);

  // The tag alone costs nothing.
  static std::string etag_of(const engine::State& state);
  // Errc::unavailable while too many wait for one that is being made, or the memory for it is
  // taken.
  Result<Answer> of(const engine::State& state);

 private:
  static constexpr std::size_t kKept = 16;
  static constexpr std::size_t kKeptBytes = 256 << 20;

  Answer find(const std::string& etag);
  void keep(Answer answer);
  void forget_all();

  static constexpr std::size_t kAskingMax = 8;  // each holds a worker of the server

  MemoryBudget& memory_;
  Slots asking_{kAskingMax};
  std::mutex making_;  // so that the same answer is not made twice at once
  std::mutex mutex_;
  std::deque<Answer> kept_;  // the last used first; guarded by mutex_
  MemoryReservation bytes_;  // of all that is kept; guarded by mutex_
  const MemoryBudget::Registration registration_;
};

}  // namespace netml::admin::web
