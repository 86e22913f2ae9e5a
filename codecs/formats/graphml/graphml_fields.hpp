// GraphML: what its fields are here (docs/formats/graphml.md). The reader and the writer go by this
// table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

inline constexpr std::string_view kGraphmlNamespace = "http://graphml.graphdrawing.org/xmlns";

// Graphs beside the first: what has no place among nodes and edges.
inline constexpr std::string_view kInstitutionsGraph = "institutions";
inline constexpr std::string_view kTopologiesGraph = "topologies";

// "x@y": an attribute of an element; "x.y": a value (`data`) of a key with that name; "x/y": an
// element of an extension in a value. "*": all others.
inline constexpr std::array kGraphFields{
    FieldRule{"graph.identifier", Target::identifier},
    FieldRule{"graph.label", Target::name},
    FieldRule{"graph.name", Target::name},
    FieldRule{"graph.network", Target::name},
    FieldRule{"graph@id", Target::key},
    FieldRule{"graph.version", Target::version},
    FieldRule{"graph.owner", Target::owner},
    FieldRule{"graph@edgedefault", Target::nothing, "a link has no direction"},
    FieldRule{"graph@*", Target::nothing, "it tells parsers what to expect"},
    FieldRule{"graph/*", Target::nothing, "it only draws the graph"},
    FieldRule{"graph.*", Target::property},
};

inline constexpr std::array kNodeFields{
    FieldRule{"node@id", Target::key},
    FieldRule{"node@*", Target::nothing, "it is no field of GraphML"},
    FieldRule{"node.identifier", Target::identifier},
    FieldRule{"node.label", Target::name},
    FieldRule{"node.name", Target::name},
    FieldRule{"node/nodelabel", Target::name},
    FieldRule{"node.short_name", Target::short_name},
    FieldRule{"node.version", Target::version},
    FieldRule{"node.lifetime_start", Target::start},
    FieldRule{"node.lifetime_end", Target::end},
    FieldRule{"node.latitude", Target::latitude},
    FieldRule{"node.lat", Target::latitude},
    FieldRule{"node.longitude", Target::longitude},
    FieldRule{"node.lon", Target::longitude},
    FieldRule{"node.lng", Target::longitude},
    FieldRule{"node.altitude", Target::altitude},
    FieldRule{"node.unlocode", Target::unlocode},
    FieldRule{"node.address", Target::address},
    FieldRule{"node.owner", Target::owner},
    FieldRule{"node.topology", Target::topology},
    FieldRule{"node/geometry@x", Target::property},
    FieldRule{"node/geometry@y", Target::property},
    FieldRule{"node/*", Target::nothing, "it only draws the node"},
    FieldRule{"node.*", Target::property},
};

inline constexpr std::array kEdgeFields{
    FieldRule{"edge@source", Target::link_end},
    FieldRule{"edge@target", Target::link_end},
    FieldRule{"edge@id", Target::key},
    FieldRule{"edge@directed", Target::nothing, "a link has no direction"},
    FieldRule{"edge@sourceport", Target::nothing, "links join nodes, not ports"},
    FieldRule{"edge@targetport", Target::nothing, "links join nodes, not ports"},
    FieldRule{"edge@*", Target::nothing, "it is no field of GraphML"},
    FieldRule{"edge.identifier", Target::identifier},
    FieldRule{"edge.label", Target::name},
    FieldRule{"edge.name", Target::name},
    FieldRule{"edge/edgelabel", Target::name},
    FieldRule{"edge.short_name", Target::short_name},
    FieldRule{"edge.version", Target::version},
    FieldRule{"edge.lifetime_start", Target::start},
    FieldRule{"edge.lifetime_end", Target::end},
    FieldRule{"edge.owner", Target::owner},
    FieldRule{"edge.topology", Target::topology},
    FieldRule{"edge/*", Target::nothing, "it only draws the edge"},
    FieldRule{"edge.*", Target::property},
};

inline constexpr std::array kInstitutionFields{
    FieldRule{"institution@id", Target::key},
    FieldRule{"institution@*", Target::nothing, "it is no field of GraphML"},
    FieldRule{"institution.identifier", Target::identifier},
    FieldRule{"institution.label", Target::name},
    FieldRule{"institution.short_name", Target::short_name},
    FieldRule{"institution.version", Target::version},
    FieldRule{"institution.latitude", Target::latitude},
    FieldRule{"institution.longitude", Target::longitude},
    FieldRule{"institution.altitude", Target::altitude},
    FieldRule{"institution.unlocode", Target::unlocode},
    FieldRule{"institution.address", Target::address},
    FieldRule{"institution.topology", Target::topology},
    FieldRule{"institution/*", Target::nothing, "it only draws the node"},
    FieldRule{"institution.*", Target::property},
};

inline constexpr std::array kTopologyFields{
    FieldRule{"topology@id", Target::key},
    FieldRule{"topology@*", Target::nothing, "it is no field of GraphML"},
    FieldRule{"topology.identifier", Target::identifier},
    FieldRule{"topology.label", Target::name},
    FieldRule{"topology.version", Target::version},
    FieldRule{"topology.owner", Target::owner},
    FieldRule{"topology.parent", Target::parent},
    FieldRule{"topology/*", Target::nothing, "it only draws the node"},
    FieldRule{"topology.*", Target::property},
};

inline constexpr auto kGraphmlFields =
    joined(kGraphFields, kNodeFields, kEdgeFields, kInstitutionFields, kTopologyFields);

}  // namespace netml::codecs
