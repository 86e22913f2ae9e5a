// One record on its way back: what a transaction changed of it is reverted, what others changed
// since is kept. Field by field; properties name by name; lists of associations member by member.
#pragma once

#include "engine/transaction/workspace.hpp"
#include "engine/undo/detail/undo_conflicts.hpp"

namespace netml::engine {

// The record's value once `before -> after` is reverted from what the workspace holds. References
// are restored only to records that the workspace has.
Record revert(const Workspace& workspace, RecordId id, const RecordChange& change, UndoForce force,
              UndoConflicts& conflicts);

// "Node", "urn:x" of a record, for a conflict about all of it.
UndoConflict conflict_about(const Record& record, std::string reason);

// Identifiers, for people; of a record that is gone "(deleted)".
FieldValue identifiers_of(const Workspace& workspace, std::span<const RecordId> ids);

}  // namespace netml::engine
