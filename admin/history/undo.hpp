// Undoes one transaction by a new one (docs/undo.md).
//
// Thread: any.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "admin/history/audit.hpp"
#include "admin/node/node.hpp"
#include "engine/undo/plan_undo.hpp"

namespace netml::admin {

struct UndoResult {
  Lsn undone;
  Lsn lsn;                       // of the new transaction; 0 when nothing was committed
  engine::ChangeCounts changes;  // of records
  std::size_t entries = 0;       // of the catalog, that go back
  std::vector<engine::UndoConflict> conflicts;  // the first ones
  std::uint64_t conflict_count = 0;
  std::uint64_t forced_count = 0;  // of those, the ones that force undid

  // Whether there was something to undo, and none of it could be.
  bool blocked() const {
    return conflict_count > 0 && entries == 0 && changes == engine::ChangeCounts();
  }
  std::string why_blocked() const;
};

// As answers have it (docs/api.md).
boost::json::object undo_json(const UndoResult& result);

struct UndoPreview {
  UndoResult result;
  PlannedChange change;
};

class Undo {
 public:
  Undo(Node& node, Audit& audit) : node_(node), audit_(audit) {}

  // `what` is an LSN or "import:ID": the transaction that imported it. Planned on the newest
  // version; rules do not run. Errc::invalid_input, not_found; Errc::conflict for a transaction
  // that was aborted. `check` as of any Change.
  Result<UndoResult> undo(const Caller& caller, std::string_view what, engine::UndoForce force,
                          decltype(Change::check) check = {});
  // What undo() would do, without doing it.
  Result<UndoPreview> preview(std::string_view what, engine::UndoForce force);

 private:
  Result<Lsn> find(std::string_view what);

  Node& node_;
  Audit& audit_;
};

}  // namespace netml::admin
