// Goal: whatever is imported, edited, ruled, undone, planned, applied, forgotten, copied, backed up
// and restored in whatever order, the node holds what a plain map holds, and its journal tells of
// it as it was. Method: random histories, each from a seed of its own. NETML_HISTORIES says how
// many; without it some, so that they are in every run. NETML_HISTORY runs the one with that seed,
// and prints it step by step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/histories/history_run.hpp"

namespace netml::test {
namespace {

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoull(text);
}

// A kind of step that never succeeds proves nothing.
void expect_each_kind(const StepCounts& counts) {
  for (const char* kind : {"import",
                           "create",
                           "change",
                           "delete",
                           "run a rule",
                           "enable or disable rules",
                           "plan",
                           "apply",
                           "plan again",
                           "delete a plan",
                           "undo",
                           "undo an undo",
                           "undo an import by its number",
                           "undo with conflicts",
                           "undo with conflicts, by force",
                           "retention that removes files",
                           "replay to a transaction",
                           "replay to a time",
                           "export of the past",
                           "backup and restore",
                           "restart",
                           "checkpoint"})
    EXPECT_TRUE(counts.contains(kind) && counts.at(kind).done > 0) << kind << " never succeeded";
  for (const char* kind : {"create", "change", "apply", "undo"})
    EXPECT_TRUE(counts.contains(kind) && counts.at(kind).refused > 0) << kind << " never refused";
}

constexpr std::uint64_t kShort = 200;  // histories; so many have every kind of step

TEST(RandomHistories, AgreeWithAPlainMap) {
  const std::uint64_t only = number_of("NETML_HISTORY", 0);
  const std::uint64_t first = only != 0 ? only : 1;
  const std::uint64_t last = only != 0 ? only : number_of("NETML_HISTORIES", kShort);
  StepCounts counts;
  int differences = 0;
  for (std::uint64_t seed = first; seed <= last && differences < 5; ++seed) {
    const HistoryOutcome history = run_history(seed, counts);
    if (only != 0) fmt::print("{}", history.reported);
    if (!history.difference) continue;
    ++differences;
    ADD_FAILURE() << "NETML_HISTORY=" << seed << '\n' << history.reported << *history.difference;
  }
  if (differences != 0 || last - first + 1 < kShort) return;
  for (const auto& [kind, count] : counts)
    fmt::print("{:>8} done {:>8} refused  {}\n", count.done, count.refused, kind);
  expect_each_kind(counts);
}

}  // namespace
}  // namespace netml::test
