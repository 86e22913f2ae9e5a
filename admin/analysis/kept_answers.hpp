// Answers that are costly to make, open to everybody and asked for again and again: what differs
// between two points in time, what an outage would do. They are kept by what they were made from,
// and few are made at once, so that nobody keeps the server busy with them.
//
// Thread: any.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "admin/base/memory_budget.hpp"
#include "admin/base/slots.hpp"
#include "engine/base/result.hpp"

namespace netml::admin::web {

class KeptAnswers {
 public:
  using Answer = std::shared_ptr<const std::string>;
  using Make = std::function<Result<std::string>()>;

  // What is kept is a cache of the budget, which outlives this.
  explicit KeptAnswers(MemoryBudget& memory);

  // The answer of that key, or what `make` gives. Errc::unavailable while as many as may be are
  // being made.
  Result<Answer> get(const std::string& key, const Make& make);

  static constexpr std::size_t kMadeAtOnce = 2;

 private:
  static constexpr std::size_t kKept = 64;
  static constexpr std::size_t kKeptBytes = 32 << 20;

  struct Entry {
    std::string key;
    Answer answer;
  };
  Answer find(const std::string& key);
  void keep(Entry entry);
  void forget_all();

  MemoryBudget& memory_;
  Slots making_{kMadeAtOnce};
  std::mutex mutex_;
  std::deque<Entry> kept_;   // the last used first; guarded by mutex_
  MemoryReservation bytes_;  // of all that is kept; guarded by mutex_
  const MemoryBudget::Registration registration_;
};

}  // namespace netml::admin::web
