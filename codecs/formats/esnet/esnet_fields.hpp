// Maps of ESnet's panel for Grafana: what their fields are here (docs/formats/esnet.md). The reader
// and the writer go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// "x.y[]": an item of a list; "[0]": its first one. "layer" is an object of a dashboard that holds
// a map as text.
inline constexpr std::array kEsnetDashboardFields{
    FieldRule{"dashboard.title", Target::name},
    FieldRule{"dashboard.uid", Target::key},
    FieldRule{"dashboard.description", Target::property},
    FieldRule{"dashboard.tags[]", Target::property},
    FieldRule{"dashboard.version", Target::property},
    FieldRule{"dashboard.*", Target::nothing, "it is of the dashboard, not of its maps"},
    FieldRule{"layer.name", Target::name},
};

inline constexpr std::array kEsnetMapFields{
    FieldRule{"map.meta.identifier", Target::identifier},
    FieldRule{"map.meta.name", Target::name},
    FieldRule{"map.meta.version", Target::version},
    FieldRule{"map.meta.owner", Target::owner},
    FieldRule{"map.meta.*", Target::property},
    FieldRule{"map.*", Target::property},
};

inline constexpr std::array kEsnetNodeFields{
    FieldRule{"node.name", Target::name},
    FieldRule{"node.coordinate[0]", Target::latitude},
    FieldRule{"node.coordinate[1]", Target::longitude},
    FieldRule{"node.latlng[0]", Target::latitude},
    FieldRule{"node.latlng[1]", Target::longitude},
    FieldRule{"node.meta.identifier", Target::identifier},
    FieldRule{"node.meta.short_name", Target::short_name},
    FieldRule{"node.meta.version", Target::version},
    FieldRule{"node.meta.lifetime_start", Target::start},
    FieldRule{"node.meta.lifetime_end", Target::end},
    FieldRule{"node.meta.latitude", Target::latitude},
    FieldRule{"node.meta.longitude", Target::longitude},
    FieldRule{"node.meta.altitude", Target::altitude},
    FieldRule{"node.meta.unlocode", Target::unlocode},
    FieldRule{"node.meta.address", Target::address},
    FieldRule{"node.meta.owners[]", Target::owner},
    FieldRule{"node.meta.topologies[]", Target::topology},
    FieldRule{"node.meta.*", Target::property},
    FieldRule{"node.*", Target::property},
};

inline constexpr std::array kEsnetEdgeFields{
    FieldRule{"edge.name", Target::name},
    FieldRule{"edge.coordinates", Target::long_property},
    FieldRule{"edge.latlngs", Target::long_property},
    FieldRule{"edge.children", Target::long_property},
    FieldRule{"edge.meta.endpoint_identifiers.identifiers[]", Target::link_end},
    FieldRule{"edge.meta.endpoint_identifiers.names[]", Target::link_end},
    FieldRule{"edge.meta.identifier", Target::identifier},
    FieldRule{"edge.meta.short_name", Target::short_name},
    FieldRule{"edge.meta.version", Target::version},
    FieldRule{"edge.meta.lifetime_start", Target::start},
    FieldRule{"edge.meta.lifetime_end", Target::end},
    FieldRule{"edge.meta.owners[]", Target::owner},
    FieldRule{"edge.meta.topologies[]", Target::topology},
    FieldRule{"edge.meta.*", Target::property},
    FieldRule{"edge.*", Target::property},
};

// Objects of the lists `institutions` and `topologies` in the `meta` of a map.
inline constexpr std::array kEsnetOtherFields{
    FieldRule{"institution.identifier", Target::identifier},
    FieldRule{"institution.name", Target::name},
    FieldRule{"institution.short_name", Target::short_name},
    FieldRule{"institution.version", Target::version},
    FieldRule{"institution.latitude", Target::latitude},
    FieldRule{"institution.longitude", Target::longitude},
    FieldRule{"institution.altitude", Target::altitude},
    FieldRule{"institution.unlocode", Target::unlocode},
    FieldRule{"institution.address", Target::address},
    FieldRule{"institution.topologies[]", Target::topology},
    FieldRule{"institution.*", Target::property},
    FieldRule{"topology.identifier", Target::identifier},
    FieldRule{"topology.name", Target::name},
    FieldRule{"topology.version", Target::version},
    FieldRule{"topology.owner", Target::owner},
    FieldRule{"topology.parent", Target::parent},
    FieldRule{"topology.*", Target::property},
};

inline constexpr auto kEsnetFields = joined(kEsnetDashboardFields, kEsnetMapFields,
                                            kEsnetNodeFields, kEsnetEdgeFields, kEsnetOtherFields);

// Members that are more than fields.
namespace esnet_names {

inline constexpr std::string_view kNodes = "nodes";
inline constexpr std::string_view kEdges = "edges";
inline constexpr std::string_view kMeta = "meta";
inline constexpr std::string_view kEndpoints = "endpoint_identifiers";  // of the `meta` of an edge
inline constexpr std::string_view kEndpointIds = "identifiers";
inline constexpr std::string_view kEndpointNames = "names";
inline constexpr std::string_view kInstitutions = "institutions";  // of the `meta` of a map
inline constexpr std::string_view kTopologies = "topologies";
// Of each `meta`: properties by their exact names, whatever the table has for these. An object, or
// a list of such objects where a name comes again behind others.
inline constexpr std::string_view kProperties = "properties";
// In either form of the file: what the map calls it.
inline constexpr std::string_view kCourse = "coordinates";
inline constexpr std::string_view kPlace = "coordinate";
inline constexpr std::string_view kChildren = "children";
inline constexpr std::string_view kOlderCourse = "latLngs";
inline constexpr std::string_view kOlderPlace = "latLng";

}  // namespace esnet_names

}  // namespace netml::codecs
