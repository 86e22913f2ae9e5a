#include "admin/base/memory_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

namespace netml::admin {

namespace {

// What everybody shares who allocates without asking: requests, answers, the journal.
constexpr std::uint64_t kRoomMin = 8ULL << 20;

// The system does not tell when it has more.
constexpr std::chrono::milliseconds kAskedAgain{50};

bool gives_way(MemoryUse use) {
  return use == MemoryUse::past || use == MemoryUse::answers;
}

constexpr std::array<std::string_view, kMemoryUses> kUseNames = {
    "program", "map", "imports", "exports", "past", "answers", "caches"};

std::string in_mebibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

// What is reserved, and who waits. Thread: any.
class MemoryLedger {
 public:
  explicit MemoryLedger(std::uint64_t limit) : limit_(limit) {}

  bool take(MemoryUse use, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (!fits(bytes) || (waiting_ > 0 && gives_way(use))) return false;
    by_use_[static_cast<std::size_t>(use)] += bytes;
    return true;
  }
  void change(MemoryUse use, std::uint64_t from, std::uint64_t to) noexcept {
    {
      const std::lock_guard lock(mutex_);
      std::uint64_t& taken = by_use_[static_cast<std::size_t>(use)];
      taken = taken - from + to;
    }
    if (to < from) given_back_.notify_all();
  }
  bool has_spare(std::uint64_t bytes) const {
    const std::lock_guard lock(mutex_);
    return waiting_ == 0 && fits(bytes);
  }
  // Whether it would fit beside what stays.
  bool possible(std::uint64_t bytes) const {
    const std::lock_guard lock(mutex_);
    return bytes <= limit_ - std::min(limit_, staying());
  }
  std::uint64_t lasting() const {
    const std::lock_guard lock(mutex_);
    return staying();
  }
  // Until something is given back, or the time is over.
  void wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    given_back_.wait_for(lock, time);
  }
  // Somebody waits, or no longer.
  void change_waiting(int by) {
    const std::lock_guard lock(mutex_);
    waiting_ += by;
  }
  std::array<std::uint64_t, kMemoryUses> by_use() const {
    const std::lock_guard lock(mutex_);
    return by_use_;
  }
  std::uint64_t refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
  }
  void count_refusal() {
    const std::lock_guard lock(mutex_);
    ++refused_;
  }

  // What one thread has at a time, and the next waits for only so long. (std::timed_mutex is not
  // known to the thread sanitizer.)
  class Turn {
   public:
    bool try_lock_for(std::chrono::milliseconds patience) {
      std::unique_lock lock(mutex_);
      if (!free_.wait_for(lock, patience, [this] { return !taken_; })) return false;
      return taken_ = true;
    }
    void unlock() {
      {
        const std::lock_guard lock(mutex_);
        taken_ = false;
      }
      free_.notify_one();
    }

   private:
    std::mutex mutex_;
    std::condition_variable free_;
    bool taken_ = false;  // guarded by mutex_
  };

  // One waits for memory at a time; those behind wait for it. Held while waiting.
  Turn turn;
  std::mutex caches_mutex;
  std::map<std::uint64_t, std::function<void()>> caches;  // guarded by caches_mutex
  std::uint64_t next_cache = 0;                           // guarded by caches_mutex

 private:
  std::uint64_t of(MemoryUse use) const { return by_use_[static_cast<std::size_t>(use)]; }
  std::uint64_t staying() const { return of(MemoryUse::program) + of(MemoryUse::map); }
  bool fits(std::uint64_t bytes) const {
    const std::uint64_t used = std::accumulate(by_use_.begin(), by_use_.end(), std::uint64_t{0});
    return bytes <= limit_ - std::min(limit_, used);
  }

  const std::uint64_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable given_back_;
  std::array<std::uint64_t, kMemoryUses> by_use_{};  // guarded by mutex_
  std::uint64_t refused_ = 0;                        // guarded by mutex_
  int waiting_ = 0;                                  // guarded by mutex_
};

std::string_view memory_use_name(MemoryUse use) {
  return kUseNames[static_cast<std::size_t>(use)];
}

// ---- a reservation ----

MemoryReservation::MemoryReservation(std::shared_ptr<MemoryLedger> ledger, MemoryUse use,
                                     std::uint64_t bytes)
    : ledger_(std::move(ledger)), use_(use), bytes_(bytes) {}

MemoryReservation::MemoryReservation(MemoryReservation&& other) noexcept
    : ledger_(std::move(other.ledger_)), use_(other.use_), bytes_(std::exchange(other.bytes_, 0)) {}

MemoryReservation& MemoryReservation::operator=(MemoryReservation&& other) noexcept {
  if (this == &other) return *this;
  release();
  ledger_ = std::move(other.ledger_);
  use_ = other.use_;
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void MemoryReservation::set(std::uint64_t bytes) noexcept {
  if (ledger_ != nullptr) ledger_->change(use_, std::exchange(bytes_, bytes), bytes);
}

void MemoryReservation::release() noexcept {
  set(0);
  ledger_.reset();
}

namespace {

// For as long as somebody waits for memory.
class Waiting {
 public:
  Waiting(MemoryLedger& ledger, bool waits) : ledger_(ledger), count_(waits ? 1 : 0) {
    ledger_.change_waiting(count_);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { ledger_.change_waiting(-count_); }

 private:
  MemoryLedger& ledger_;
  const int count_;
};

}  // namespace

// ---- the budget ----

MemoryBudget::MemoryBudget(MemoryLimit limit, ProcessMemory* system)
    : limit_(std::move(limit)),
      system_(system),
      ledger_(std::make_shared<MemoryLedger>(limit_.bytes)) {}

std::uint64_t MemoryBudget::room() const {
  return system_ == nullptr ? ProcessMemory::kUnlimited : system_->room();
}

// What was freed is not always given back to the system, which then knows of less room than there
// is.
bool MemoryBudget::has_room(std::uint64_t bytes) {
  if (system_ == nullptr || bytes <= system_->room()) return true;
  system_->trim();
  return bytes <= system_->room();
}

Status MemoryBudget::check_possible(std::uint64_t bytes) const {
  if (ledger_->possible(bytes)) return {};
  ledger_->count_refusal();
  return fail(
      Errc::too_large,
      fmt::format("this takes about {} of memory; the node may use {} ({}), of which {} are "
                  "taken by the program and the map. Give the process more memory, or "
                  "raise --memory-max if that is the limit",
                  in_mebibytes(bytes), in_mebibytes(limit_.bytes), limit_.origin,
                  in_mebibytes(ledger_->lasting())));
}

Status MemoryBudget::check_room() const {
  if (room() >= kRoomMin) return {};
  system_->trim();
  if (room() >= kRoomMin) return {};
  return ran_out();
}

void MemoryBudget::give_back() {
  if (system_ != nullptr) system_->trim();
}

tl::unexpected<Error> MemoryBudget::ran_out() const {
  return fail(Errc::too_large,
              fmt::format("the memory ran out: {} are left of what the process may have; the node "
                          "may use {} ({}). Give the process more memory, or import the file in "
                          "parts",
                          in_mebibytes(room()), in_mebibytes(limit_.bytes), limit_.origin));
}

Result<MemoryReservation> MemoryBudget::reserve_within(std::chrono::milliseconds patience,
                                                       MemoryUse use, std::uint64_t bytes) {
  if (Status possible = check_possible(bytes); !possible)
    return fail(Errc::unavailable, std::move(possible.error().message));
  const bool waits = patience.count() != 0;
  const Waiting waiting(*ledger_, waits);
  const std::unique_lock turn(ledger_->turn, patience);
  const auto take = [&] { return has_room(bytes) && ledger_->take(use, bytes); };
  if (turn.owns_lock() || !waits) {
    if (take()) return MemoryReservation(ledger_, use, bytes);
    empty_caches();
    if (take()) return MemoryReservation(ledger_, use, bytes);
    for (auto left = patience; left.count() > 0; left -= kAskedAgain) {
      ledger_->wait_for(std::min(left, kAskedAgain));
      if (take()) return MemoryReservation(ledger_, use, bytes);
    }
  } else if (take()) {
    return MemoryReservation(ledger_, use, bytes);
  }
  ledger_->count_refusal();
  return fail(Errc::unavailable,
              fmt::format("this takes about {} of memory, which others have now; try again later",
                          in_mebibytes(bytes)));
}

Status MemoryBudget::grow(MemoryReservation& reservation, std::uint64_t bytes) {
  NETML_ASSERT(reservation.ledger_ != nullptr);
  if (bytes <= reservation.bytes_) return {};
  if (Status possible = check_possible(bytes); !possible)
    return fail(Errc::unavailable, std::move(possible.error().message));
  NETML_TRY(MemoryReservation more, reserve(reservation.use_, bytes - reservation.bytes_));
  reservation.bytes_ += std::exchange(more.bytes_, 0);
  return {};
}

MemoryReservation MemoryBudget::account(MemoryUse use, std::uint64_t bytes) {
  ledger_->change(use, 0, bytes);
  return {ledger_, use, bytes};
}

bool MemoryBudget::has_spare(std::uint64_t bytes) const {
  return ledger_->has_spare(bytes) && room() >= bytes;
}

void MemoryBudget::empty_caches() {
  const std::lock_guard lock(ledger_->caches_mutex);
  for (const auto& [number, empty] : ledger_->caches) empty();
}

MemoryBudget::Registration MemoryBudget::add_cache(std::function<void()> empty) {
  const std::lock_guard lock(ledger_->caches_mutex);
  const std::uint64_t number = ledger_->next_cache++;
  ledger_->caches.emplace(number, std::move(empty));
  return {ledger_.get(), [ledger = ledger_, number](void*) {
            const std::lock_guard held(ledger->caches_mutex);
            ledger->caches.erase(number);
          }};
}

MemoryBudget::Report MemoryBudget::report() const {
  Report report{.limit = limit_, .by_use = ledger_->by_use(), .refused = ledger_->refused()};
  report.used = std::accumulate(report.by_use.begin(), report.by_use.end(), std::uint64_t{0});
  return report;
}

}  // namespace netml::admin
