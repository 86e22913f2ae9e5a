// Goal: whatever is imported, edited, ruled, undone, planned, applied, forgotten, copied,
// backed up and restored in whatever order, the node holds what a plain map holds, and its journal
// tells of it as it was. Method: random histories, each from a seed of its own. NETML_HISTORIES
// says how many; without it a few, so that they are in every run. NETML_HISTORY runs the one with
// that seed.
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

TEST(RandomHistories, AgreeWithAPlainMap) {
  const std::uint64_t only = number_of("NETML_HISTORY", 0);
  const std::uint64_t first = only != 0 ? only : 1;
  const std::uint64_t last = only != 0 ? only : number_of("NETML_HISTORIES", 40);
  int differences = 0;
  for (std::uint64_t seed = first; seed <= last && differences < 5; ++seed)
    if (const auto difference = run_history(seed)) {
      ++differences;
      ADD_FAILURE() << "NETML_HISTORY=" << seed << ": " << *difference;
    }
}

}  // namespace
}  // namespace netml::test
