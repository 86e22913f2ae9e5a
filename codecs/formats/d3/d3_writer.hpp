// Writes a topology, with those below it, as node-link JSON: `nodes` and `links`, as D3's layouts
// and networkx take them, with `institutions` and `topologies` beside them. Nothing is lost.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include <string>

#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"
#include "engine/graph/loss_list.hpp"

namespace netml::codecs {

struct D3Export {
  std::string bytes;
  engine::LossList losses;
};

Result<D3Export> write_d3(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
