// Goal: nothing acknowledged is lost, nothing is half done and nothing sound is refused, whatever
// was done before a crash (T4), and the rare states are reached on the way (T9).
// Method: random workloads with crashes at random operations. The long form, which bench/soak runs:
//
//   NETML_CRASH_SECONDS=600 NETML_CRASH_SEED=1
//     build/release/tests/wal/crash_tests --gtest_filter='RandomCrashes.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>

#include "tests/support/sanitized.hpp"
#include "tests/wal/crash/random_crash.hpp"

namespace netml::wal::test {
namespace {

constexpr std::uint64_t kWorkloadsForRareStates = 100;
constexpr std::uint64_t kWorkloads = netml::test::kSanitized ? 25 : kWorkloadsForRareStates;

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string describe(const RandomCounts& counts, double seconds) {
  const double cpu_seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  std::string text = fmt::format(
      "{} workloads, {} operations, {} transactions, {} crashes in {:.0f} s ({:.0f} each second of "
      "processor time)\n",
      counts.workloads, counts.operations, counts.transactions, counts.crashes, seconds,
      static_cast<double>(counts.crashes) / cpu_seconds);
  for (const std::string_view state : rare_states())
    text += fmt::format("  {}: {}\n", state, counts.marks.reached(std::string(state)));
  return text;
}

TEST(RandomCrashes, LoseNothingAcknowledgedAndRefuseNothingSound_T4_T9) {
  const std::uint64_t seed = number_from_environment("NETML_CRASH_SEED", 1);
  const std::uint64_t seconds = number_from_environment("NETML_CRASH_SECONDS", 0);
  const std::uint64_t workloads = number_from_environment(
      "NETML_CRASH_WORKLOADS", seconds == 0 ? kWorkloads : ~std::uint64_t{0});
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  RandomCounts counts;
  for (std::uint64_t i = 0; i < workloads && !HasFailure(); ++i) {
    if (seconds != 0 && passed() >= static_cast<double>(seconds)) break;
    run_random_workload(seed + i, counts);
  }
  fmt::print("{}", describe(counts, passed()));
  if (workloads < kWorkloadsForRareStates || HasFailure()) return;
  const std::uint64_t wanted = seconds == 0 ? 1 : 100;
  for (const std::string_view state : rare_states())
    EXPECT_GE(counts.marks.reached(std::string(state)), wanted) << state;
}

}  // namespace
}  // namespace netml::wal::test
