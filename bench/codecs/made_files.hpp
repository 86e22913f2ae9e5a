// Files of the formats that are read and not written, with what a map has: every node and link,
// under short keys, and what files of the format always say besides.
//
// Thread: any (pure functions).
#pragma once

#include <string>

#include "engine/graph/graph.hpp"

namespace netml::bench {

// A network package of the Open Fibre Data Standard, with a network for each topology.
std::string made_ofds(const engine::Graph& graph);
// A topology of OSCARS: devices with a port for each link, adjacencies in one direction.
std::string made_oscars(const engine::Graph& graph);
// A dump of a NetBox: sites and circuits that join two of them.
std::string made_netbox(const engine::Graph& graph);

}  // namespace netml::bench
