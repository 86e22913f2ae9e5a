// KML: what its fields are here (docs/formats/kml.md). The reader and the writer go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

inline constexpr std::string_view kKmlNamespace = "http://www.opengis.net/kml/2.2";

// Values called `kind`: a placemark that is an institution, a folder that is no topology.
inline constexpr std::string_view kInstitutionKind = "institution";
inline constexpr std::string_view kGroupKind = "group";
// Begins the identifiers of styles that every file of ours has.
inline constexpr std::string_view kOwnStyle = "netml.";

// "x/y": an element y of an x; "x@y": an attribute; "x.y": a value of that name in its
// ExtendedData; "*": all others.
inline constexpr std::array kKmlTopologyFields{
    FieldRule{"document/name", Target::name},
    FieldRule{"document.name", Target::name},
    FieldRule{"document.identifier", Target::identifier},
    FieldRule{"document.version", Target::version},
    FieldRule{"document.owner", Target::owner},
    FieldRule{"document@*", Target::property},
    FieldRule{"document/*", Target::long_property},
    FieldRule{"document.*", Target::long_property},
    FieldRule{"folder/name", Target::name},
    FieldRule{"folder.name", Target::name},
    FieldRule{"folder.identifier", Target::identifier},
    FieldRule{"folder.version", Target::version},
    FieldRule{"folder.owner", Target::owner},
    FieldRule{"folder@*", Target::property},
    FieldRule{"folder/*", Target::long_property},
    FieldRule{"folder.*", Target::long_property},
    FieldRule{"group/name", Target::structure},
    FieldRule{"group.kind", Target::structure},
    FieldRule{"group@*", Target::nothing, "the folder only groups elements"},
    FieldRule{"group/*", Target::nothing, "the folder only groups elements"},
    FieldRule{"group.*", Target::nothing, "the folder only groups elements"},
};

inline constexpr std::array kKmlInstitutionFields{
    FieldRule{"institution@id", Target::key},
    FieldRule{"institution@*", Target::property},
    FieldRule{"institution/name", Target::name},
    FieldRule{"institution.name", Target::name},
    FieldRule{"institution.kind", Target::structure},
    FieldRule{"institution.identifier", Target::identifier},
    FieldRule{"institution.short_name", Target::short_name},
    FieldRule{"institution.version", Target::version},
    FieldRule{"institution/timespan/begin", Target::start},
    FieldRule{"institution/timespan/end", Target::end},
    FieldRule{"institution/coordinates@longitude", Target::longitude},
    FieldRule{"institution/coordinates@latitude", Target::latitude},
    FieldRule{"institution/coordinates@altitude", Target::altitude},
    FieldRule{"institution/coordinates", Target::long_property},
    FieldRule{"institution/altitudemode", Target::structure},
    FieldRule{"institution.latitude", Target::latitude},
    FieldRule{"institution.longitude", Target::longitude},
    FieldRule{"institution.altitude", Target::altitude},
    FieldRule{"institution.unlocode", Target::unlocode},
    FieldRule{"institution/address", Target::address},
    FieldRule{"institution.address", Target::address},
    FieldRule{"institution.topology", Target::topology},
    FieldRule{"institution/*", Target::long_property},
    FieldRule{"institution.*", Target::long_property},
};

inline constexpr std::array kKmlNodeFields{
    FieldRule{"node@id", Target::key},
    FieldRule{"node@*", Target::property},
    FieldRule{"node/name", Target::name},
    FieldRule{"node.name", Target::name},
    FieldRule{"node.identifier", Target::identifier},
    FieldRule{"node.short_name", Target::short_name},
    FieldRule{"node.version", Target::version},
    FieldRule{"node/timespan/begin", Target::start},
    FieldRule{"node.lifetime_start", Target::start},
    FieldRule{"node/timespan/end", Target::end},
    FieldRule{"node.lifetime_end", Target::end},
    FieldRule{"node/coordinates@longitude", Target::longitude},
    FieldRule{"node/coordinates@latitude", Target::latitude},
    FieldRule{"node/coordinates@altitude", Target::altitude},
    FieldRule{"node/coordinates", Target::long_property},
    FieldRule{"node/altitudemode", Target::structure},
    FieldRule{"node.latitude", Target::latitude},
    FieldRule{"node.lat", Target::latitude},
    FieldRule{"node.longitude", Target::longitude},
    FieldRule{"node.lon", Target::longitude},
    FieldRule{"node.lng", Target::longitude},
    FieldRule{"node.altitude", Target::altitude},
    FieldRule{"node.unlocode", Target::unlocode},
    FieldRule{"node/address", Target::address},
    FieldRule{"node.address", Target::address},
    FieldRule{"node.owner", Target::owner},
    FieldRule{"node.topology", Target::topology},
    FieldRule{"node/*", Target::long_property},
    FieldRule{"node.*", Target::long_property},
};

inline constexpr std::array kKmlLinkFields{
    FieldRule{"link@id", Target::key},
    FieldRule{"link@*", Target::property},
    FieldRule{"link/name", Target::name},
    FieldRule{"link.name", Target::name},
    FieldRule{"link.identifier", Target::identifier},
    FieldRule{"link.short_name", Target::short_name},
    FieldRule{"link.version", Target::version},
    FieldRule{"link/timespan/begin", Target::start},
    FieldRule{"link.lifetime_start", Target::start},
    FieldRule{"link/timespan/end", Target::end},
    FieldRule{"link.lifetime_end", Target::end},
    FieldRule{"link.source", Target::link_end},
    FieldRule{"link.target", Target::link_end},
    FieldRule{"link/coordinates", Target::link_end},
    FieldRule{"link/coordinates[]", Target::long_property},
    FieldRule{"link.owner", Target::owner},
    FieldRule{"link.topology", Target::topology},
    FieldRule{"link/*", Target::long_property},
    FieldRule{"link.*", Target::long_property},
};

inline constexpr auto kKmlFields =
    joined(kKmlTopologyFields, kKmlInstitutionFields, kKmlNodeFields, kKmlLinkFields);

}  // namespace netml::codecs
