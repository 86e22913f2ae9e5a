// An export as it is pulled to be sent, without sending it. Failure: ends the program.
#pragma once

#include <cstdlib>
#include <utility>

#include "admin/exports/export_stream.hpp"

namespace netml::bench {

// The bytes of the whole export, none of which is looked at; the rest as for export_stream().
inline std::size_t pull_export(admin::MemoryBudget& memory, const engine::StatePtr& state,
                               admin::ExportPieces* pieces = nullptr,
                               admin::ExportHelpers* helpers = nullptr) {
  const auto root = export_root(state->graph);
  if (!root) std::abort();
  auto tree = export_tree(state->graph, *root);
  if (!tree) std::abort();
  const auto source = admin::export_stream(memory, state, std::move(*tree), pieces, helpers);
  std::size_t bytes = 0;
  while (true) {
    const auto piece = source->next();
    if (!piece) std::abort();
    if (piece->empty()) return bytes;
    bytes += piece->size();
  }
}

}  // namespace netml::bench
