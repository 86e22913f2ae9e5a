// Writes a topology, with those below it, as a network of GNPy in JSON (docs/formats/gnpy.md). What
// that does not know is listed as lost.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include <string>

#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"
#include "engine/graph/loss_list.hpp"

namespace netml::codecs {

struct GnpyExport {
  std::string bytes;
  engine::LossList losses;
};

Result<GnpyExport> write_gnpy(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
