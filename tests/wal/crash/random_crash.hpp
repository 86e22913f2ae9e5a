// Random workloads on a simulated disk, with random segment sizes, faults and crashes, checked
// against what was acknowledged (T4), and the rare states they must reach (T9).
//
// A workload is a function of its seed alone: the same seed crashes at the same operations in the
// same way.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tests/wal/crash/crash_harness.hpp"

namespace netml::wal::test {

struct RandomCounts {
  std::uint64_t workloads = 0;
  std::uint64_t operations = 0;    // of the workloads, on the disk
  std::uint64_t transactions = 0;  // acknowledged
  std::uint64_t crashes = 0;       // recovered, those inside recovery among them
  Marks marks;
};

// The states that a long run must reach.
std::span<const std::string_view> rare_states();

// Stops at the first failure, which names seed, operation and crash image.
void run_random_workload(std::uint64_t seed, RandomCounts& counts);

}  // namespace netml::wal::test
