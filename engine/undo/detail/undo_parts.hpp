// The parts of an undo, besides the graph as a whole (plan_undo.cpp): one record, and the catalog.
#pragma once

#include "engine/transaction/workspace.hpp"
#include "engine/undo/plan_undo.hpp"

namespace netml::engine {

// The record's value once `before -> after` is reverted from what the workspace holds: what the
// transaction changed of it is reverted, what others changed since is kept. Field by field;
// properties name by name; lists of associations member by member. References are restored only to
// records that the workspace has.
Record revert(const Workspace& workspace, RecordId id, const RecordChange& change, UndoForce force,
              UndoConflicts& conflicts);

// Tokens, settings, accounts, rulesets, rules: adds the entries that go back to the plan's
// transaction. An entry goes back as a whole.
void revert_entries(const State& state, const Transaction& undone, UndoForce force, UndoPlan& plan);

// About all of a record, and about one field of it.
UndoConflict conflict_about(const Record& record, std::string reason, bool forced = false);
UndoConflict conflict_about(const Record& record, Field field, std::string reason,
                            FieldValue wanted, FieldValue now, bool forced = false);

// Identifiers, for people; of a record that is gone "(deleted)".
FieldValue identifiers_of(const Workspace& workspace, std::span<const RecordId> ids);

}  // namespace netml::engine
