// GeoJSON: what its fields are here (docs/formats/geojson.md). The reader and the writer go by this
// table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// Pairs of a name and a value, of names that would be read as something else.
inline constexpr std::string_view kOtherProperties = "other_properties";

// "x@y": a member of a feature, or of the collection; "x.y": one of its `properties`; "x/y": of its
// geometry. "*": all others.
inline constexpr std::array kGeojsonTopologyFields{
    FieldRule{"topology@type", Target::structure},
    FieldRule{"topology@id", Target::key},
    FieldRule{"topology@*", Target::long_property},
    FieldRule{"topology.identifier", Target::identifier},
    FieldRule{"topology.id", Target::identifier},
    FieldRule{"topology.name", Target::name},
    FieldRule{"topology.label", Target::name},
    FieldRule{"topology.version", Target::version},
    FieldRule{"topology.owner", Target::owner},
    FieldRule{"topology.parent", Target::parent},
    FieldRule{"topology.kind", Target::structure},
    FieldRule{"topology.featuretype", Target::structure},
    FieldRule{"topology.*", Target::long_property},
    FieldRule{"topology/*", Target::long_property},
    FieldRule{"collection@type", Target::structure},
    FieldRule{"collection@id", Target::key},
    FieldRule{"collection@name", Target::name},
    FieldRule{"collection@topology", Target::topology},
    FieldRule{"collection@*", Target::long_property},
};

inline constexpr std::array kGeojsonNodeFields{
    FieldRule{"node@type", Target::structure},
    FieldRule{"node@id", Target::key},
    FieldRule{"node@*", Target::long_property},
    FieldRule{"node/type", Target::structure},
    FieldRule{"node/longitude", Target::longitude},
    FieldRule{"node/latitude", Target::latitude},
    FieldRule{"node/altitude", Target::altitude},
    FieldRule{"node/*", Target::long_property},
    FieldRule{"node.identifier", Target::identifier},
    FieldRule{"node.id", Target::key},
    FieldRule{"node.name", Target::name},
    FieldRule{"node.label", Target::name},
    FieldRule{"node.short_name", Target::short_name},
    FieldRule{"node.version", Target::version},
    FieldRule{"node.lifetime_start", Target::start},
    FieldRule{"node.lifetime_end", Target::end},
    FieldRule{"node.altitude", Target::altitude},
    FieldRule{"node.unlocode", Target::unlocode},
    FieldRule{"node.address", Target::address},
    FieldRule{"node.owner", Target::owner},
    FieldRule{"node.owner[]", Target::owner},
    FieldRule{"node.physicalinfrastructureprovider", Target::owner},
    FieldRule{"node.topology", Target::topology},
    FieldRule{"node.topology[]", Target::topology},
    FieldRule{"node.network", Target::topology},
    FieldRule{"node.kind", Target::structure},
    FieldRule{"node.featuretype", Target::structure},
    FieldRule{"node.*", Target::long_property},
};

inline constexpr std::array kGeojsonLinkFields{
    FieldRule{"link@type", Target::structure},
    FieldRule{"link@id", Target::key},
    FieldRule{"link@*", Target::long_property},
    FieldRule{"link/type", Target::structure},
    FieldRule{"link/course", Target::long_property},
    FieldRule{"link/*", Target::long_property},
    FieldRule{"link.source", Target::link_end},
    FieldRule{"link.target", Target::link_end},
    FieldRule{"link.from", Target::link_end},
    FieldRule{"link.to", Target::link_end},
    FieldRule{"link.start", Target::link_end},
    FieldRule{"link.end", Target::link_end},
    FieldRule{"link.identifier", Target::identifier},
    FieldRule{"link.id", Target::key},
    FieldRule{"link.name", Target::name},
    FieldRule{"link.label", Target::name},
    FieldRule{"link.short_name", Target::short_name},
    FieldRule{"link.version", Target::version},
    FieldRule{"link.lifetime_start", Target::start},
    FieldRule{"link.lifetime_end", Target::end},
    FieldRule{"link.owner", Target::owner},
    FieldRule{"link.owner[]", Target::owner},
    FieldRule{"link.physicalinfrastructureprovider", Target::owner},
    FieldRule{"link.topology", Target::topology},
    FieldRule{"link.topology[]", Target::topology},
    FieldRule{"link.network", Target::topology},
    FieldRule{"link.kind", Target::structure},
    FieldRule{"link.featuretype", Target::structure},
    FieldRule{"link.*", Target::long_property},
};

inline constexpr std::array kGeojsonInstitutionFields{
    FieldRule{"institution@type", Target::structure},
    FieldRule{"institution@id", Target::key},
    FieldRule{"institution@*", Target::long_property},
    FieldRule{"institution/type", Target::structure},
    FieldRule{"institution/longitude", Target::longitude},
    FieldRule{"institution/latitude", Target::latitude},
    FieldRule{"institution/altitude", Target::altitude},
    FieldRule{"institution/*", Target::long_property},
    FieldRule{"institution.identifier", Target::identifier},
    FieldRule{"institution.id", Target::key},
    FieldRule{"institution.name", Target::name},
    FieldRule{"institution.label", Target::name},
    FieldRule{"institution.short_name", Target::short_name},
    FieldRule{"institution.version", Target::version},
    FieldRule{"institution.altitude", Target::altitude},
    FieldRule{"institution.unlocode", Target::unlocode},
    FieldRule{"institution.address", Target::address},
    FieldRule{"institution.topology", Target::topology},
    FieldRule{"institution.topology[]", Target::topology},
    FieldRule{"institution.kind", Target::structure},
    FieldRule{"institution.featuretype", Target::structure},
    FieldRule{"institution.*", Target::long_property},
};

inline constexpr auto kGeojsonFields = joined(kGeojsonTopologyFields, kGeojsonNodeFields,
                                              kGeojsonLinkFields, kGeojsonInstitutionFields);

}  // namespace netml::codecs
