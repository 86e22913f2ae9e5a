// The export of a version, made as it is pulled, by the thread that pulls and by one that helps it.
//
// Portions of the export are planned one after the other, written by whoever comes first, and given
// in order. A few are ahead at most, so memory is bounded and a client that is slow, or gone, has
// nothing made for it. The helper is asked only where something must be written; cached pieces are
// given as they are, without a copy if they are long.
#pragma once

#include <memory>

#include "admin/base/memory_budget.hpp"
#include "admin/exports/export_helpers.hpp"
#include "admin/exports/export_pieces.hpp"
#include "engine/export/export_order.hpp"
#include "engine/transaction/state.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// `memory` is reserved from the first piece on: without a helper where there is little. `pieces`:
// those that are cached; null: none. `helpers`: null: none. All three outlive the source. May be
// made ahead (net::StreamBody). Destroying it waits for the portion that a helper is writing.
std::unique_ptr<net::BodySource> export_stream(MemoryBudget& memory, engine::StatePtr state,
                                               engine::ExportTree tree,
                                               ExportPieces* pieces = nullptr,
                                               ExportHelpers* helpers = nullptr);

}  // namespace netml::admin
