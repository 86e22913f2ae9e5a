// AtlanticWave-SDX topologies: what their fields are here (docs/formats/sdx.md). The reader and the
// writer go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// Identifiers of ports that the writer made, because a link of the format joins ports.
inline constexpr std::string_view kMadeForSdx = "urn:netml:made:";

// Members by their paths; "[]": items of a list; "*": all others. `netml` holds what the format has
// no member for.
inline constexpr std::array kSdxTopologyFields{
    FieldRule{"topology.id", Target::identifier},
    FieldRule{"topology.name", Target::name},
    FieldRule{"topology.timestamp", Target::version},
    FieldRule{"topology.netml.version", Target::version},
    FieldRule{"topology.netml.owners[]", Target::owner},
    FieldRule{"topology.domain_service.owner", Target::owner},
    FieldRule{"topology.netml.parent", Target::parent},
    FieldRule{"topology.*", Target::property},
};

inline constexpr std::array kSdxNodeFields{
    FieldRule{"node.id", Target::identifier},
    FieldRule{"node.name", Target::name},
    FieldRule{"node.short_name", Target::short_name},
    FieldRule{"node.netml.version", Target::version},
    FieldRule{"node.netml.lifetime_start", Target::start},
    FieldRule{"node.netml.lifetime_end", Target::end},
    FieldRule{"node.location.latitude", Target::latitude},
    FieldRule{"node.location.longitude", Target::longitude},
    FieldRule{"node.netml.altitude", Target::altitude},
    FieldRule{"node.netml.unlocode", Target::unlocode},
    FieldRule{"node.location.address", Target::address},
    FieldRule{"node.netml.owners[]", Target::owner},
    FieldRule{"node.netml.topologies[]", Target::topology},
    FieldRule{"node.key", Target::key},
    FieldRule{"node.ports", Target::long_property},
    FieldRule{"node.links", Target::long_property},
    FieldRule{"node.*", Target::property},
};

inline constexpr std::array kSdxLinkFields{
    FieldRule{"link.id", Target::identifier},
    FieldRule{"link.name", Target::name},
    FieldRule{"link.short_name", Target::short_name},
    FieldRule{"link.netml.version", Target::version},
    FieldRule{"link.netml.lifetime_start", Target::start},
    FieldRule{"link.netml.lifetime_end", Target::end},
    FieldRule{"link.netml.owners[]", Target::owner},
    FieldRule{"link.netml.topologies[]", Target::topology},
    FieldRule{"link.ports", Target::long_property},
    FieldRule{"link.end", Target::link_end},
    FieldRule{"link.*", Target::property},
};

inline constexpr std::array kSdxInstitutionFields{
    FieldRule{"institution.id", Target::identifier},
    FieldRule{"institution.name", Target::name},
    FieldRule{"institution.short_name", Target::short_name},
    FieldRule{"institution.netml.version", Target::version},
    FieldRule{"institution.location.latitude", Target::latitude},
    FieldRule{"institution.location.longitude", Target::longitude},
    FieldRule{"institution.netml.altitude", Target::altitude},
    FieldRule{"institution.netml.unlocode", Target::unlocode},
    FieldRule{"institution.location.address", Target::address},
    FieldRule{"institution.netml.topologies[]", Target::topology},
    FieldRule{"institution.*", Target::property},
};

inline constexpr auto kSdxFields =
    joined(kSdxTopologyFields, kSdxNodeFields, kSdxLinkFields, kSdxInstitutionFields);

}  // namespace netml::codecs
