// What the site says of transactions of the journal.
//
// Thread: any (a pure function).
#pragma once

#include <string>

#include "engine/graph/graph.hpp"
#include "wal/history/journal_reader.hpp"

namespace netml::admin::web {

// Whether an undo of it may have something to do, judged by its cause; engine::is_undoable() knows.
bool may_be_undoable(const wal::HistoryEntry& entry);

// What people call the record: its name now, else in the change; empty when neither has one.
std::string record_title(const engine::Graph& graph, const wal::RecordEffect& effect);

}  // namespace netml::admin::web
