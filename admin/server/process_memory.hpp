// What bounds the memory of this process, and how much of it is left: the limits of its container
// (cgroups of both versions) and of its user (setrlimit), and the machine's memory.
//
// Thread: any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admin/base/memory_budget.hpp"

namespace netml::admin {

// What a bound counts.
enum class MemoryMeasure : std::uint8_t {
  address_space,  // all that is mapped
  data,           // what is mapped to be written to
  resident,       // what lies in memory
};

// What this process has taken, by MemoryMeasure.
using MemoryTaken = std::array<std::uint64_t, 3>;

// The files in which the system tells what all processes of a container take together; empty where
// there is none.
struct ContainerFiles {
  std::string usage;
  std::string stat;
};

struct MemoryBound {
  std::uint64_t bytes = 0;
  MemoryMeasure measure = MemoryMeasure::resident;
  std::string name;           // "the container's limit"
  bool of_container = false;  // whoever exceeds it is ended, not refused
  ContainerFiles files = {};
};

// Those that hold now. The files of the system lie below `root`: "" for those of this machine.
std::vector<MemoryBound> memory_bounds(const std::string& root = {});

class BoundedMemory final : public ProcessMemory {
 public:
  explicit BoundedMemory(std::vector<MemoryBound> bounds) : bounds_(std::move(bounds)) {}

  // Others in the container count as well.
  std::uint64_t room() override;
  void trim() override;

  // `given` (--memory-max), or three quarters of the bound that leaves the least: the rest is for
  // what nobody accounts for. Never more than the bounds allow.
  MemoryLimit limit(const std::optional<std::uint64_t>& given) const;
  // Taken now, as limit() counts it.
  std::uint64_t used() const;
  // From now on the system refuses memory shortly before the container's limit is reached, where
  // nothing could be reported any more: the kernel would end the process. That is a bound of its
  // own for room(), which follows what is given back. Call it before others use this.
  void refuse_before_kill();

 private:
  const MemoryBound* tightest() const;
  void limit_data(const MemoryTaken& taken) const;

  std::vector<MemoryBound> bounds_;
  std::optional<std::uint64_t> resident_max_;  // once refuse_before_kill() has found a container
  std::uint64_t data_max_ = 0;                 // that the user has set
};

// The budget of this process: what it may use, with what it has taken already. Whoever makes it is
// refused memory from then on, rather than ended.
struct ProcessBudget {
  explicit ProcessBudget(const std::optional<std::uint64_t>& given)
      : system(memory_bounds()),
        budget(system.limit(given), &system),
        program(budget.account(MemoryUse::program, system.used())) {
    system.refuse_before_kill();
  }

  BoundedMemory system;
  MemoryBudget budget;
  MemoryReservation program;
};

// Where memory is bounded below the machine's, what is set aside for each thread counts before it
// is used: it is made small. Call it before there are threads.
void spare_thread_memory(const std::vector<MemoryBound>& bounds);

// For a process that ends with its work: what is freed stays, and is used again, since memory that
// the system gives anew costs a page fault for each page, and is taken in larger steps. Not where
// addresses are bounded.
void keep_freed_memory();

// For a server: some of what is freed stays, and is used again, from the first answer on as it
// would be once large pieces were freed. Not where addresses are bounded.
void keep_some_freed_memory();

}  // namespace netml::admin
