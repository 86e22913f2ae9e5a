// What a map has, for writers of formats that know no topologies inside each other: each element of
// a topology and of those below it once, with the topologies that list it.
//
// Thread: any, as the graph is immutable; the graph outlives the outline.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/export/export_order.hpp"
#include "engine/graph/graph.hpp"
#include "engine/graph/loss_list.hpp"

namespace netml::codecs {

// A file that was written, and what it does not hold of the map.
struct WrittenMap {
  std::string bytes;
  engine::LossList losses;
};

struct OutlinedElement {
  RecordId record;
  std::uint32_t topologies_begin = 0;  // into MapOutline::topologies_of()
  std::uint32_t topologies_end = 0;
  bool copy = false;  // belongs to no topology of the map
};

struct OutlinedLink : OutlinedElement {
  std::uint32_t ends[2] = {0, 0};  // into MapOutline::nodes
};

struct MapOutline {
  std::vector<RecordId> topologies;  // pre-order, the root first
  std::vector<OutlinedElement> institutions;
  std::vector<OutlinedElement> nodes;
  std::vector<OutlinedLink> links;

  std::span<const std::uint32_t> topologies_of(const OutlinedElement& element) const {
    return std::span(listed_in).subspan(element.topologies_begin,
                                        element.topologies_end - element.topologies_begin);
  }
  std::vector<std::uint32_t> listed_in;  // into `topologies`
};

// Errc::conflict where a topology has no owner. Links that no reader takes (decision 45) are
// listed as lost.
Result<MapOutline> outline_of(const engine::Graph& graph, RecordId root, engine::LossList& losses);

// A file of that topology. Writer: made of graph, outline and losses; write() gives the bytes.
template <class Writer>
Result<WrittenMap> written_by(const engine::Graph& graph, RecordId topology) {
  WrittenMap file;
  NETML_TRY(const MapOutline outline, outline_of(graph, topology, file.losses));
  file.bytes = Writer(graph, outline, file.losses).write();
  return file;
}

}  // namespace netml::codecs
