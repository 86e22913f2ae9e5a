// Planning an undo: a transaction that reverts an earlier one, whatever was done since
// (docs/undo.md). Like all planning pure: from the state now and the transaction as the journal
// has it to a transaction without provenance, which the caller fills in.
//
// Each value that the earlier transaction set, and that is still what it left, goes back to what it
// was before. What was overwritten since is a conflict: it is reported and left alone, unless
// forced. Nothing is reverted that would leave the graph broken, forced or not: a link without its
// nodes does not come back. Nor does it make two records of one identifier that did not have it
// side by side before. Rules do not run on what an undo leaves, for it would not be what was.
//
// Thread: any (a pure function).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/transaction/field_change.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// Something that could not be reverted, or only by force.
struct UndoConflict {
  std::string kind;        // "Node", "setting"
  std::string identifier;  // of the element, or the name of the entry
  std::string field = {};  // empty: all of it
  std::string reason;      // "it was changed since"
  FieldValue wanted = {};  // of a field: what it would go back to; associations as identifiers
  FieldValue now = {};
  bool forced = false;  // it was reverted nevertheless
};

inline constexpr std::size_t kUndoConflictsMax = 1'000;

struct UndoConflicts {
  std::vector<UndoConflict> conflicts;  // the first kUndoConflictsMax
  std::uint64_t conflict_count = 0;     // of all
  std::uint64_t forced_count = 0;       // of those, the ones that force reverted

  void note(UndoConflict conflict);
};

struct UndoPlan : UndoConflicts {
  Transaction transaction;
};

enum class UndoForce : std::uint8_t { leave_conflicts, overwrite };

// `undone` is one that led from `before` to its own state and on to `state`, long ago or just now.
// Numbers are not reverted: what comes back has its old identity and a fresh number. Import
// records, stored plans and published items stay as they are: they tell what happened.
UndoPlan plan_undo(const State& state, const Transaction& undone, const Graph& before,
                   UndoForce force = UndoForce::leave_conflicts);

// Whether it has anything that an undo reverts.
bool is_undoable(const Transaction& transaction);

}  // namespace netml::engine
