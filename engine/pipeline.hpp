// A producer and a consumer on two cores: what one makes the other takes, in order, with a few
// items on their way so that neither waits for a single slow one.
//
// Thread: the caller's and that of the Parallel; both have ended when it returns.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/parallel.hpp"
#include "engine/result.hpp"

namespace netml {

// Items on their way. One side puts, the other takes.
template <class Item>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t items_max) : items_max_(items_max) {}

  // Waits for room. False when the other side has closed the queue.
  bool put(Item item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return items_.size() < items_max_ || closed_; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    changed_.notify_one();
    return true;
  }
  // Waits for an item. Nothing when the queue is closed and empty.
  std::optional<Item> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !items_.empty() || closed_; });
    if (items_.empty()) return std::nullopt;
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
    changed_.notify_one();
    return item;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

 private:
  const std::size_t items_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
};

// Calls `produce` until it gives no item, and `consume` with each: Result<std::optional<Item>>()
// and Status(Item). The first failure ends both and is returned, the consumer's before the
// producer's.
template <class Item, class Produce, class Consume>
Status run_pipeline(Parallel& parallel, Produce&& produce, Consume&& consume) {
  if (!parallel.concurrent()) {
    while (true) {
      NETML_TRY(std::optional<Item> item, produce());
      if (!item) return {};
      NETML_TRY_VOID(consume(*std::move(item)));
    }
  }
  constexpr std::size_t kItemsMax = 8;
  BoundedQueue<Item> queue(kItemsMax);
  const auto fill = [&]() -> Status {
    while (true) {
      NETML_TRY(std::optional<Item> item, produce());
      if (!item || !queue.put(*std::move(item))) return {};
    }
  };
  const auto drain = [&]() -> Status {
    while (std::optional<Item> item = queue.take()) NETML_TRY_VOID(consume(*std::move(item)));
    return {};
  };
  Status produced;
  Status consumed;
  parallel.run_both(
      [&] {
        consumed = drain();
        queue.close();
      },
      [&] {
        produced = fill();
        queue.close();
      });
  NETML_TRY_VOID(std::move(consumed));
  return produced;
}

}  // namespace netml
