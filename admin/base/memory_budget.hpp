// The memory that the process may use, accounted in one place. Whoever begins work that takes much
// of it reserves that first, and gives it back with the reservation: imports, exports, states of
// the past, answers that are made. So many clients at once are bounded together, and what does not
// fit is refused before it begins, instead of ending the process.
//
// What an import or answer takes is an estimate; so before each reservation the system is asked,
// too, how much the process can still get (ProcessMemory). Caches take only what nobody needs, and
// are emptied when somebody does.
//
// Failure: Errc::unavailable for what does not fit now, with the numbers where it would not fit if
// nothing else went on either; Errc::too_large, with the numbers, from the checks.
// Owner: main, or whoever opens a node. Thread: any. Reservations may outlive the budget.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::admin {

// What memory is taken for.
enum class MemoryUse : std::uint8_t {
  program,  // taken before any data were opened
  map,      // the newest version
  imports,
  exports,
  past,     // states of the past that somebody looks at
  answers,  // being made: the map, differences, simulations, undo
  caches,   // emptied when there is need
};
inline constexpr std::size_t kMemoryUses = 7;
std::string_view memory_use_name(MemoryUse use);

// What the operating system grants.
class ProcessMemory {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  virtual ~ProcessMemory() = default;
  // How many bytes the process can still get before it is refused them, or killed for them.
  virtual std::uint64_t room() = 0;
  // Gives back to the system what was freed.
  virtual void trim() = 0;
};

// How much may be used, and what decides that.
struct MemoryLimit {
  std::uint64_t bytes = ProcessMemory::kUnlimited;
  std::string origin = "no limit";  // "75 % of the container's limit of 512.0 MiB"
};

class MemoryLedger;

// Memory set aside until this goes away. Thread: one at a time.
class MemoryReservation {
 public:
  MemoryReservation() = default;  // of nothing
  MemoryReservation(MemoryReservation&& other) noexcept;
  MemoryReservation& operator=(MemoryReservation&& other) noexcept;
  ~MemoryReservation() { release(); }

  std::uint64_t bytes() const { return bytes_; }
  // What it turned out to take; never refused, as it is taken already.
  void set(std::uint64_t bytes) noexcept;
  void release() noexcept;

 private:
  friend class MemoryBudget;
  MemoryReservation(std::shared_ptr<MemoryLedger> ledger, MemoryUse use, std::uint64_t bytes);

  std::shared_ptr<MemoryLedger> ledger_;
  MemoryUse use_ = MemoryUse::program;
  std::uint64_t bytes_ = 0;
};

class MemoryBudget {
 public:
  MemoryBudget() : MemoryBudget(MemoryLimit()) {}  // without a limit
  // `system` may be null, and outlives the budget otherwise.
  explicit MemoryBudget(MemoryLimit limit, ProcessMemory* system = nullptr);

  Result<MemoryReservation> reserve(MemoryUse use, std::uint64_t bytes) {
    return reserve_within(std::chrono::milliseconds(0), use, bytes);
  }
  // The same, after waiting for others that long. Who waits is served in turn; meanwhile nothing is
  // reserved for answers and states of the past, so that questions, which anybody may ask, do not
  // take what imports and exports wait for.
  Result<MemoryReservation> reserve_within(std::chrono::milliseconds patience, MemoryUse use,
                                           std::uint64_t bytes);
  // Makes a reservation larger, if it is smaller than `bytes`.
  Status grow(MemoryReservation& reservation, std::uint64_t bytes);
  // Accounts for what is there already, or cannot be refused.
  MemoryReservation account(MemoryUse use, std::uint64_t bytes);
  // Whether so much would be left over, and nobody waits. For caches, which then account() for it:
  // they are not emptied for one another.
  bool has_spare(std::uint64_t bytes) const;

  // Errc::too_large, with the numbers, for what would not fit if nothing else went on.
  Status check_possible(std::uint64_t bytes) const;
  // Errc::too_large when the system has next to nothing left, whatever was reserved: whoever grows
  // stops before everybody is refused.
  Status check_room() const;
  // Gives back to the system what was freed: after work that took much, when nobody waits for it.
  void give_back();
  // The same error, for work that an allocation failed for.
  tl::unexpected<Error> ran_out() const;

  // Calls `empty` when there is need, on the thread that has it, until `registration` goes away.
  // `empty` takes no reservation.
  using Registration = std::shared_ptr<void>;
  [[nodiscard]] Registration add_cache(std::function<void()> empty);

  struct Report {
    MemoryLimit limit;
    std::uint64_t used = 0;
    std::array<std::uint64_t, kMemoryUses> by_use{};
    std::uint64_t refused = 0;  // reservations, since the start
  };
  Report report() const;

 private:
  std::uint64_t room() const;
  bool has_room(std::uint64_t bytes);
  void empty_caches();

  const MemoryLimit limit_;
  ProcessMemory* const system_;
  const std::shared_ptr<MemoryLedger> ledger_;
};

}  // namespace netml::admin
