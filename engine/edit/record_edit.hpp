// A record's two halves as an edit leaves them, and what no record may be.
#pragma once

#include "engine/edit/plan_records.hpp"

namespace netml::engine {

// `before` is empty for a new record.
Result<AttributesPtr> edited_attributes(Kind kind, const Record& before, const RecordEdit& edit);
// References must lead to records of the right kind in `graph`.
Result<RelationsPtr> edited_relations(const Graph& graph, Kind kind, const Record& before,
                                      const RecordEdit& edit);

// The same topology, marked main or not.
Record with_main(const Record& topology, bool main);

}  // namespace netml::engine
