// Stages of work on several cores: what one makes the next one takes, in order, with a few items
// on their way so that neither waits for a single slow one.
//
// Thread: the caller's, which runs the last stage, and those of the Parallel; all stages have ended
// when it returns.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/base/parallel.hpp"
#include "engine/base/result.hpp"

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

// Closes a queue at the end of a stage, however that ends, so that the other side does not wait.
template <class Item>
class ClosesQueue {
 public:
  explicit ClosesQueue(BoundedQueue<Item>& queue) : queue_(queue) {}
  ~ClosesQueue() { queue_.close(); }
  ClosesQueue(const ClosesQueue&) = delete;
  ClosesQueue& operator=(const ClosesQueue&) = delete;

 private:
  BoundedQueue<Item>& queue_;
};

// On their way between two stages.
inline constexpr std::size_t kPipelineItemsMax = 8;

// Runs `produce` and `consume` at the same time with a queue between them: Status(BoundedQueue&)
// and Status(Item). The consumer's failure goes before the producer's.
template <class Item, class Produce, class Consume>
Status run_stages(Parallel& parallel, Produce&& produce, Consume&& consume) {
  BoundedQueue<Item> queue(kPipelineItemsMax);
  Status produced;
  Status consumed;
  parallel.run_both(
      [&] {
        const ClosesQueue closes(queue);
        while (std::optional<Item> item = queue.take()) {
          consumed = consume(*std::move(item));
          if (!consumed) return;
        }
      },
      [&] {
        const ClosesQueue closes(queue);
        produced = produce(queue);
      });
  NETML_TRY_VOID(std::move(consumed));
  return produced;
}

// Calls `produce` until it gives no item, and `consume` with each: Result<std::optional<Item>>()
// and Status(Item). The first failure ends both and is returned, the consumer's before the
// producer's; what one of them throws ends both, too.
template <class Item, class Produce, class Consume>
Status run_pipeline(Parallel& parallel, Produce&& produce, Consume&& consume) {
  if (!parallel.concurrent()) {
    while (true) {
      NETML_TRY(std::optional<Item> item, produce());
      if (!item) return {};
      NETML_TRY_VOID(consume(*std::move(item)));
    }
  }
  const auto fill = [&](BoundedQueue<Item>& queue) -> Status {
    while (true) {
      NETML_TRY(std::optional<Item> item, produce());
      if (!item || !queue.put(*std::move(item))) return {};
    }
  };
  return run_stages<Item>(parallel, fill, consume);
}

// Three stages on three threads: what `produce` gives, `transform` turns into what `consume`
// takes: Result<std::optional<First>>(), Result<Second>(First) and Status(Second).
template <class First, class Second, class Produce, class Transform, class Consume>
Status run_pipeline(Parallel& parallel, Produce&& produce, Transform&& transform,
                    Consume&& consume) {
  const auto both = [&](First&& item) -> Status {
    NETML_TRY(Second next, transform(std::move(item)));
    return consume(std::move(next));
  };
  if (!parallel.concurrent()) return run_pipeline<First>(parallel, produce, both);
  const auto fill = [&](BoundedQueue<Second>& queue) {
    return run_pipeline<First>(parallel, produce, [&](First&& item) -> Status {
      NETML_TRY(Second next, transform(std::move(item)));
      if (!queue.put(std::move(next))) return fail(Errc::internal, "the consumer has failed");
      return {};
    });
  };
  return run_stages<Second>(parallel, fill, consume);
}

}  // namespace netml
