// A transaction that restores what another one changed: every change must have a way back.
#pragma once

#include <vector>

#include "engine/transaction/catalog_tables.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// Ready to be applied to `after`, the state right after `transaction`. Numbers are not reverted:
// what comes back gets fresh ones.
inline Transaction invert(const Transaction& transaction, const State& after) {
  Transaction inverse;
  inverse.next_id = after.graph.next_id();
  inverse.next_number = after.graph.next_number();
  for (const RecordChange& change : transaction.records) {
    inverse.records.push_back({change.id, change.after, change.before});
    if (!change.before) continue;
    inverse.numberings.push_back({change.id, inverse.next_number});
    ++inverse.next_number.value;
  }
  for_each_catalog_table([&](const auto& table) {
    for (const auto& change : transaction.*table.changes)
      (inverse.*table.changes).push_back({change.number, change.after, change.before});
  });
  return inverse;
}

}  // namespace netml::engine
