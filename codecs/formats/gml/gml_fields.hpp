// GML: what its fields are here (docs/formats/gml.md). The reader and the writer go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// "x.y": a value of the list x called y; "x.y.z": of the list y in it. "*": all others. "file" is
// what stands outside of the lists.
inline constexpr std::array kGmlGraphFields{
    FieldRule{"file.version", Target::nothing, "it is the version of GML"},
    FieldRule{"file.*", Target::property},
    FieldRule{"graph.identifier", Target::identifier},
    FieldRule{"graph.label", Target::name},
    FieldRule{"graph.name", Target::name},
    FieldRule{"graph.network", Target::name},
    FieldRule{"graph.id", Target::key},
    FieldRule{"graph.version", Target::version},
    FieldRule{"graph.owner", Target::owner},
    FieldRule{"graph.directed", Target::nothing, "a link has no direction"},
    FieldRule{"graph.multigraph", Target::structure},
    FieldRule{"graph.graphics.*", Target::nothing, "it only draws the graph"},
    FieldRule{"graph.*", Target::property},
};

inline constexpr std::array kGmlNodeFields{
    FieldRule{"node.id", Target::key},
    FieldRule{"node.identifier", Target::identifier},
    FieldRule{"node.label", Target::name},
    FieldRule{"node.name", Target::name},
    FieldRule{"node.labelgraphics.text", Target::name},
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
    FieldRule{"node.graphics.x", Target::property},
    FieldRule{"node.graphics.y", Target::property},
    FieldRule{"node.graphics.*", Target::nothing, "it only draws the node"},
    FieldRule{"node.labelgraphics.*", Target::nothing, "it only draws the node"},
    FieldRule{"node.*", Target::property},
};

inline constexpr std::array kGmlEdgeFields{
    FieldRule{"edge.source", Target::link_end},
    FieldRule{"edge.target", Target::link_end},
    FieldRule{"edge.identifier", Target::identifier},
    FieldRule{"edge.label", Target::name},
    FieldRule{"edge.name", Target::name},
    FieldRule{"edge.labelgraphics.text", Target::name},
    FieldRule{"edge.short_name", Target::short_name},
    FieldRule{"edge.version", Target::version},
    FieldRule{"edge.lifetime_start", Target::start},
    FieldRule{"edge.lifetime_end", Target::end},
    FieldRule{"edge.owner", Target::owner},
    FieldRule{"edge.topology", Target::topology},
    FieldRule{"edge.graphics.*", Target::nothing, "it only draws the edge"},
    FieldRule{"edge.labelgraphics.*", Target::nothing, "it only draws the edge"},
    FieldRule{"edge.*", Target::property},
};

inline constexpr std::array kGmlInstitutionFields{
    FieldRule{"institution.id", Target::key},
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
    FieldRule{"institution.*", Target::property},
};

inline constexpr std::array kGmlTopologyFields{
    FieldRule{"topology.id", Target::key},
    FieldRule{"topology.identifier", Target::identifier},
    FieldRule{"topology.label", Target::name},
    FieldRule{"topology.version", Target::version},
    FieldRule{"topology.owner", Target::owner},
    FieldRule{"topology.parent", Target::parent},
    FieldRule{"topology.*", Target::property},
};

inline constexpr auto kGmlFields = joined(kGmlGraphFields, kGmlNodeFields, kGmlEdgeFields,
                                          kGmlInstitutionFields, kGmlTopologyFields);

}  // namespace netml::codecs
