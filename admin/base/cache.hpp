// The one bounded cache: what takes long to make, is asked for again and may be forgotten at any
// time. Bounded by the number of values and by their bytes, which are a cache of the memory budget:
// stored only as far as nobody else needs the memory, and emptied when somebody does.
//
// Asked for by several at once, a value is made once, and the others wait for it, a bounded number
// of them. Only so many different ones are made at once; further ones are refused instead of
// waiting, so that expensive questions, which anybody may ask, do not take all threads of the
// server.
//
// Failure: Errc::unavailable beyond these bounds; otherwise what the making gave, which is not
// stored and given to all who waited for it. Cost: one look-up in a hash table under a lock;
// nothing is made or destroyed while it is held. Owner: whoever gives the answers; the budget
// outlives it. Thread: any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "admin/base/memory_budget.hpp"
#include "admin/metrics/counter.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

struct CacheBounds {
  // Beyond these the value that was not used for the longest time goes. The one used last stays,
  // however large.
  std::size_t values_max = std::numeric_limits<std::size_t>::max();
  std::uint64_t bytes_max = std::numeric_limits<std::uint64_t>::max();
  // Different values that are made at once.
  std::size_t making_max = 2;
  // Those who wait for a value that is being made, for all values together: each holds a thread.
  std::size_t waiting_max = 8;
  // The answer to whoever would be beyond that.
  const char* busy = "too many ask for this; try again later";
  // Counts look-ups, and outlives the cache. Null: nobody does.
  CacheCounts* counted = nullptr;
};

template <class Key, class Value>
class Cache {
 public:
  using Pointer = std::shared_ptr<const Value>;
  // What a value takes while it is stored. 0 where it holds a reservation of its own.
  using Bytes = std::function<std::uint64_t(const Value&)>;

  Cache(MemoryBudget& memory, CacheBounds bounds, Bytes bytes)
      : memory_(memory),
        bounds_(bounds),
        bytes_of_(std::move(bytes)),
        bytes_(memory.account(MemoryUse::caches, 0)),
        registration_(memory.add_cache([this] { clear(); })) {}

  // The value of the key, or what `make` gives, a Result<Pointer>. `make` must not ask for the same
  // key.
  template <class Make>
  Result<Pointer> get(const Key& key, Make&& make);

  // ---- without making ----
  Pointer find(const Key& key);  // null: not there
  // Instead of another one of the key. Not where somebody needs the memory.
  void store(const Key& key, Pointer value);
  void erase(const Key& key);
  // Those whose keys are `unwanted`.
  template <class Unwanted>
  void erase_if(Unwanted&& unwanted);
  void clear();
  std::uint64_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_.bytes();
  }

 private:
  struct Entry {
    Key key;
    Pointer value;
    std::uint64_t bytes = 0;
  };
  using Entries = std::list<Entry>;
  // A value that is being made. Guarded by mutex_.
  struct Flight {
    std::optional<Result<Pointer>> result;
  };

  Pointer use(const Key& key);  // these under the lock
  void take_out(typename Entries::iterator entry, Entries& gone);
  Result<Pointer> wait_for(const std::shared_ptr<Flight>& flight,
                           std::unique_lock<std::mutex>& lock);
  tl::unexpected<Error> refused() const { return fail(Errc::unavailable, bounds_.busy); }

  MemoryBudget& memory_;
  const CacheBounds bounds_;
  const Bytes bytes_of_;
  mutable std::mutex mutex_;
  std::condition_variable made_;
  // All below guarded by mutex_.
  Entries entries_;  // the last used first
  std::unordered_map<Key, typename Entries::iterator> places_;
  std::unordered_map<Key, std::shared_ptr<Flight>> making_;
  std::size_t waiting_ = 0;
  MemoryReservation bytes_;  // of all that is stored
  const MemoryBudget::Registration registration_;
};

template <class Key, class Value>
template <class Make>
Result<typename Cache<Key, Value>::Pointer> Cache<Key, Value>::get(const Key& key, Make&& make) {
  std::unique_lock lock(mutex_);
  if (Pointer found = use(key)) return found;
  if (const auto under_way = making_.find(key); under_way != making_.end())
    return wait_for(under_way->second, lock);
  if (making_.size() >= bounds_.making_max) return refused();
  const auto flight = std::make_shared<Flight>();
  making_.emplace(key, flight);
  lock.unlock();
  Result<Pointer> result = guarded([&]() -> Result<Pointer> {
    NETML_TRY(Pointer made, make());
    store(key, made);  // before the flight ends: who asks after that finds it
    return made;
  });
  lock.lock();
  flight->result = std::move(result);
  making_.erase(key);
  made_.notify_all();
  lock.unlock();
  return *flight->result;
}

template <class Key, class Value>
Result<typename Cache<Key, Value>::Pointer> Cache<Key, Value>::wait_for(
    const std::shared_ptr<Flight>& flight, std::unique_lock<std::mutex>& lock) {
  if (waiting_ >= bounds_.waiting_max) return refused();
  // `flight` goes when it ends.
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const std::shared_ptr<Flight> waited_for = flight;
  ++waiting_;
  made_.wait(lock, [&] { return waited_for->result.has_value(); });
  --waiting_;
  return *waited_for->result;
}

template <class Key, class Value>
typename Cache<Key, Value>::Pointer Cache<Key, Value>::use(const Key& key) {
  const auto found = places_.find(key);
  const bool there = found != places_.end();
  if (bounds_.counted != nullptr) (there ? bounds_.counted->hits : bounds_.counted->misses).add();
  if (!there) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->value;
}

template <class Key, class Value>
typename Cache<Key, Value>::Pointer Cache<Key, Value>::find(const Key& key) {
  const std::lock_guard lock(mutex_);
  return use(key);
}

template <class Key, class Value>
void Cache<Key, Value>::store(const Key& key, Pointer value) {
  const std::uint64_t bytes = bytes_of_(*value);
  if (!memory_.has_spare(bytes)) return erase(key);
  Entries fresh;
  Entries gone;  // dies after the lock is released
  fresh.push_back({key, std::move(value), bytes});
  const std::lock_guard lock(mutex_);
  if (const auto old = places_.find(key); old != places_.end()) take_out(old->second, gone);
  places_.emplace(key, fresh.begin());
  entries_.splice(entries_.begin(), fresh);
  bytes_.set(bytes_.bytes() + bytes);
  while (entries_.size() > 1 &&
         (entries_.size() > bounds_.values_max || bytes_.bytes() > bounds_.bytes_max))
    take_out(std::prev(entries_.end()), gone);
}

template <class Key, class Value>
void Cache<Key, Value>::erase(const Key& key) {
  Entries gone;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  if (const auto old = places_.find(key); old != places_.end()) take_out(old->second, gone);
}

template <class Key, class Value>
template <class Unwanted>
void Cache<Key, Value>::erase_if(Unwanted&& unwanted) {
  Entries gone;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (unwanted(std::as_const(entry->key))) take_out(entry, gone);
    entry = next;
  }
}

template <class Key, class Value>
void Cache<Key, Value>::take_out(typename Entries::iterator entry, Entries& gone) {
  bytes_.set(bytes_.bytes() - entry->bytes);
  places_.erase(entry->key);
  gone.splice(gone.begin(), entries_, entry);
}

template <class Key, class Value>
void Cache<Key, Value>::clear() {
  Entries gone;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  gone.swap(entries_);
  places_.clear();
  bytes_.set(0);
}

}  // namespace netml::admin
