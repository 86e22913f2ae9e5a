// Histories of a store for property tests: random imports, edits and deletions, one transaction
// after the other.
#pragma once

#include <vector>

#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "tests/support/random_files.hpp"

namespace netml::test {

struct Step {
  engine::State before;
  engine::Transaction transaction;
  engine::State after;
};

// All expect to run inside a rapidcheck property.

// None of an empty store.
RecordId any_record(const engine::State& state);
engine::State committed(const engine::State& state, const engine::Transaction& transaction);
// At least one step.
std::vector<Step> random_history(int steps_max);

}  // namespace netml::test
