// What an export contains and in which order (docs/requirements/importing.md, section 10): the same
// state always gives the same sequence, ordered by identifier.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine {

// Why an export cannot be made (decision 6).
enum class ExportFailure : std::uint8_t {
  missing_root_topology,        // no main topology, or several
  missing_root_topology_owner,  // the root has no owner
  no_topology_owner,            // a sub-topology has none
};
// "MissingRootTopologyException" and its kin: `error_type` on the wire.
const char* export_failure_name(ExportFailure failure);

struct ExportStep {
  RecordId topology;
  std::uint32_t depth = 0;  // 0 for the root
};

// What is said of ExportTree::omitted_links, in the singular and in the plural.
inline constexpr std::string_view kOmittedLink = "link whose ends carry the same identifier";
inline constexpr std::string_view kOmittedLinks = "links whose ends carry the same identifier";

struct ExportTree {
  std::vector<ExportStep> steps;  // pre-order; sub-topologies by identifier
  // Links of these topologies that are not written, ascending: both their ends carry the same
  // identifier, and every reader refuses a file with such a link (decision 45).
  std::vector<RecordId> omitted_links;
  std::uint64_t elements_max = 0;  // of the topology that has the most, about
};

// The main topology; a failure if there is none or several.
tl::expected<RecordId, ExportFailure> export_root(const Graph& graph);
// `root` with all its descendants, each with an owner. Costs their number, the hundredth part of
// what they list, the number of nodes that share identifiers, and, where there are descendants, a
// look at the kind of every record.
tl::expected<ExportTree, ExportFailure> export_tree(const Graph& graph, RecordId root);

// One thing that is in the way of an export.
struct ExportObstacle {
  ExportFailure failure = ExportFailure::missing_root_topology;
  RecordId topology;  // that lacks its owner; none where the main topology is missing
  bool operator==(const ExportObstacle&) const = default;
};
// All that keeps the graph from being exported, in the order of the export; empty when nothing
// does.
std::vector<ExportObstacle> export_obstacles(const Graph& graph);

struct ExportedElement {
  RecordId record;
  // Does not belong to the topology it is written in, and so carries `!-from_topology`.
  bool copy = false;
};

// What one topology lists: its members, and copies of what they refer to elsewhere. Two records of
// one kind and identifier appear once, as the newest.
//
// The global institution is always the first institution, and its record is none: it is written as
// it is defined (global_institution), whatever is stored under its identifier.
struct TopologyContents {
  RecordId owner;
  std::vector<ExportedElement> institutions;  // the others by identifier
  std::vector<ExportedElement> links;
  std::vector<ExportedElement> nodes;
  std::vector<RecordId> omitted_links;  // as in ExportTree
};
TopologyContents topology_contents(const Graph& graph, RecordId topology);
// The same for many topologies of a graph: whether it has duplicates is asked once for all of them,
// as that costs what their identifiers' hashes have in common.
TopologyContents topology_contents(const Graph& graph, RecordId topology, bool has_duplicates);

// Identifiers of a node's or link's owners as written in `topology`: its own and the topology's
// primary owner, ascending, each once.
std::vector<std::string_view> exported_owners(const Graph& graph, RecordId element,
                                              RecordId topology_owner);
// The same in `ids`, instead of what they are, so that their memory serves for many elements.
void exported_owners(const Graph& graph, RecordId element, RecordId topology_owner,
                     std::vector<std::string_view>& ids);

// The ends of a link as they are written: by identifier. Which end is which has no meaning in the
// format.
std::array<RecordId, 2> exported_ends(const Graph& graph, RecordId link);
std::array<std::string_view, 2> exported_end_ids(const Graph& graph, RecordId link);

// The value of `!-from_topology` for a copy of `element`: the identifiers of its topologies,
// merged with those it already names.
std::string from_topology_value(const Graph& graph, RecordId element);

}  // namespace netml::engine
