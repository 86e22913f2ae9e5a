// The catalog's part of an undo: tokens, settings, accounts, rulesets, rules. An entry goes back as
// a whole.
#pragma once

#include "engine/undo/detail/undo_conflicts.hpp"

namespace netml::engine {

// Adds the entries that go back to `undo`.
void revert_entries(const State& state, const Transaction& undone, UndoForce force,
                    Transaction& undo, UndoConflicts& conflicts);

}  // namespace netml::engine
