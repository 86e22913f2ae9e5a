// One transaction that mends what a check finds (docs/quality.md, "Fixes"). Like all planning pure:
// it is shown before it is made, and made as any other edit.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <vector>

#include "engine/fixes/proposals.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

struct WantedFixes {
  Check check = Check::place_swapped;
  RecordId topology = {};  // of it and all below it alone; none = the whole map
  RecordId record = {};    // of this one alone; with a duplicate go all that it is one with
};

struct FixPlan {
  struct Line {
    RecordId record;  // of the state that was planned on
    std::string text;
  };
  Transaction transaction;
  std::vector<Line> mended;  // what is done to each, and why
  std::vector<Line> left;    // why nothing is
};

// Errc::invalid_input where no finding of the check can be mended ("check"), or where there are
// more than kFixesMax of them.
inline constexpr std::size_t kFixesMax = 100'000;
Result<FixPlan> plan_fixes(const State& state, const Countries& countries, Instant now,
                           const WantedFixes& wanted);

}  // namespace netml::engine
