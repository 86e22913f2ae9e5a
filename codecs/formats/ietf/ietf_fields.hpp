// Networks by RFC 8345 as JSON (RFC 7951): what their fields are here (docs/formats/ietf.md). The
// reader and the writer go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// Names of members that hold others.
namespace ietf {

inline constexpr std::string_view kNetworks = "ietf-network:networks";
inline constexpr std::string_view kNetwork = "network";
inline constexpr std::string_view kNode = "node";
inline constexpr std::string_view kLink = "ietf-network-topology:link";
inline constexpr std::string_view kPoints = "ietf-network-topology:termination-point";
inline constexpr std::string_view kPlace = "ietf-geo-location:geo-location";

// What the model does not know of a map stands in members of our own module.
inline constexpr std::string_view kInstitutions = "netml:institution";
inline constexpr std::string_view kIdentifier = "netml:identifier";
inline constexpr std::string_view kName = "netml:name";
inline constexpr std::string_view kParent = "netml:parent";
inline constexpr std::string_view kTopology = "netml:topology";
inline constexpr std::string_view kTopologyRow = "netml:topology[]";
inline constexpr std::string_view kCopy = "netml:copy";
inline constexpr std::string_view kProperties = "netml:property";
inline constexpr std::string_view kPropertiesInside = "property";  // of an institution

}  // namespace ietf

// "x.y": a member of an object of the list x, or of the one object `networks`. "[]": of a list.
inline constexpr std::array kIetfNetworkFields{
    FieldRule{"networks.*", Target::long_property},
    FieldRule{"network.network-id", Target::key},
    FieldRule{"network.netml:identifier", Target::identifier},
    FieldRule{"network.netml:name", Target::name},
    FieldRule{"network.netml:version", Target::version},
    FieldRule{"network.netml:owner[]", Target::owner},
    FieldRule{"network.netml:parent", Target::parent},
    FieldRule{"network.netml:property[].name", Target::structure},
    FieldRule{"network.netml:property[].value", Target::property},
    FieldRule{"network.*", Target::long_property},
};

inline constexpr std::array kIetfNodeFields{
    FieldRule{"node.node-id", Target::key},
    FieldRule{"node.ietf-network-topology:termination-point", Target::long_property},
    FieldRule{"node.ietf-geo-location:geo-location.latitude", Target::latitude},
    FieldRule{"node.ietf-geo-location:geo-location.longitude", Target::longitude},
    FieldRule{"node.ietf-geo-location:geo-location.height", Target::altitude},
    FieldRule{"node.ietf-geo-location:geo-location.reference-frame.astronomical-body",
              Target::structure},
    FieldRule{"node.ietf-geo-location:geo-location.reference-frame.geodetic-system.geodetic-datum",
              Target::structure},
    FieldRule{"node.netml:identifier", Target::identifier},
    FieldRule{"node.netml:name", Target::name},
    FieldRule{"node.netml:short-name", Target::short_name},
    FieldRule{"node.netml:version", Target::version},
    FieldRule{"node.netml:lifetime-start", Target::start},
    FieldRule{"node.netml:lifetime-end", Target::end},
    FieldRule{"node.netml:unlocode", Target::unlocode},
    FieldRule{"node.netml:address", Target::address},
    FieldRule{"node.netml:owner[]", Target::owner},
    FieldRule{"node.netml:topology[]", Target::topology},
    FieldRule{"node.netml:copy", Target::structure},
    FieldRule{"node.netml:property[].name", Target::structure},
    FieldRule{"node.netml:property[].value", Target::property},
    FieldRule{"node.*", Target::long_property},
};

inline constexpr std::array kIetfLinkFields{
    FieldRule{"link.link-id", Target::key},
    FieldRule{"link.source.source-node", Target::link_end},
    FieldRule{"link.source.source-tp", Target::long_property},
    FieldRule{"link.destination.dest-node", Target::link_end},
    FieldRule{"link.destination.dest-tp", Target::long_property},
    FieldRule{"link.netml:identifier", Target::identifier},
    FieldRule{"link.netml:name", Target::name},
    FieldRule{"link.netml:short-name", Target::short_name},
    FieldRule{"link.netml:version", Target::version},
    FieldRule{"link.netml:lifetime-start", Target::start},
    FieldRule{"link.netml:lifetime-end", Target::end},
    FieldRule{"link.netml:owner[]", Target::owner},
    FieldRule{"link.netml:topology[]", Target::topology},
    FieldRule{"link.netml:property[].name", Target::structure},
    FieldRule{"link.netml:property[].value", Target::property},
    FieldRule{"link.*", Target::long_property},
};

// Of an object of the list `netml:institution`.
inline constexpr std::array kIetfInstitutionFields{
    FieldRule{"institution.identifier", Target::identifier},
    FieldRule{"institution.name", Target::name},
    FieldRule{"institution.short-name", Target::short_name},
    FieldRule{"institution.version", Target::version},
    FieldRule{"institution.latitude", Target::latitude},
    FieldRule{"institution.longitude", Target::longitude},
    FieldRule{"institution.altitude", Target::altitude},
    FieldRule{"institution.unlocode", Target::unlocode},
    FieldRule{"institution.address", Target::address},
    FieldRule{"institution.topology[]", Target::topology},
    FieldRule{"institution.property[].name", Target::structure},
    FieldRule{"institution.property[].value", Target::property},
    FieldRule{"institution.*", Target::long_property},
};

inline constexpr auto kIetfFields =
    joined(kIetfNetworkFields, kIetfNodeFields, kIetfLinkFields, kIetfInstitutionFields);

}  // namespace netml::codecs
