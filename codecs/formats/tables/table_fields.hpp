// Tables of nodes and links: what their columns are here (docs/formats/sheets.md). Readers and the
// writer of CSV go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// Headings as plain_heading() gives them; "*": all others. Of several that say one thing, the first
// one is it.
inline constexpr std::array kNodeColumns{
    FieldRule{"node.identifier", Target::identifier},
    FieldRule{"node.internal id", Target::identifier},
    FieldRule{"node.urn", Target::identifier},
    FieldRule{"node.id", Target::key},
    FieldRule{"node.key", Target::key},
    FieldRule{"node.node id", Target::key},
    FieldRule{"node.site id", Target::key},
    FieldRule{"node.name", Target::name},
    FieldRule{"node.label", Target::name},
    FieldRule{"node.node", Target::name},
    FieldRule{"node.node name", Target::name},
    FieldRule{"node.site", Target::name},
    FieldRule{"node.site name", Target::name},
    FieldRule{"node.pop", Target::name},
    FieldRule{"node.pop name", Target::name},
    FieldRule{"node.city", Target::name},
    FieldRule{"node.short name", Target::short_name},
    FieldRule{"node.version", Target::version},
    FieldRule{"node.lifetime start", Target::start},
    FieldRule{"node.lifetime end", Target::end},
    FieldRule{"node.latitude", Target::latitude},
    FieldRule{"node.lat", Target::latitude},
    FieldRule{"node.longitude", Target::longitude},
    FieldRule{"node.long", Target::longitude},
    FieldRule{"node.lon", Target::longitude},
    FieldRule{"node.lng", Target::longitude},
    FieldRule{"node.altitude", Target::altitude},
    FieldRule{"node.unlocode", Target::unlocode},
    FieldRule{"node.un locode", Target::unlocode},
    FieldRule{"node.address", Target::address},
    FieldRule{"node.owner", Target::owner},
    FieldRule{"node.ownership", Target::owner},
    FieldRule{"node.institution", Target::owner},
    FieldRule{"node.topology", Target::topology},
    FieldRule{"node.*", Target::property},
};

inline constexpr std::array kLinkColumns{
    FieldRule{"link.from", Target::link_end},
    FieldRule{"link.to", Target::link_end},
    FieldRule{"link.source", Target::link_end},
    FieldRule{"link.target", Target::link_end},
    FieldRule{"link.destination", Target::link_end},
    FieldRule{"link.node a", Target::link_end},
    FieldRule{"link.node z", Target::link_end},
    FieldRule{"link.node b", Target::link_end},
    FieldRule{"link.site a", Target::link_end},
    FieldRule{"link.site z", Target::link_end},
    FieldRule{"link.site b", Target::link_end},
    FieldRule{"link.a end", Target::link_end},
    FieldRule{"link.z end", Target::link_end},
    FieldRule{"link.b end", Target::link_end},
    FieldRule{"link.a", Target::link_end},
    FieldRule{"link.z", Target::link_end},
    FieldRule{"link.node 1", Target::link_end},
    FieldRule{"link.node 2", Target::link_end},
    FieldRule{"link.site 1", Target::link_end},
    FieldRule{"link.site 2", Target::link_end},
    FieldRule{"link.from node", Target::link_end},
    FieldRule{"link.to node", Target::link_end},
    FieldRule{"link.from site", Target::link_end},
    FieldRule{"link.to site", Target::link_end},
    FieldRule{"link.endpoint", Target::link_end},
    FieldRule{"link.identifier", Target::identifier},
    FieldRule{"link.internal id", Target::identifier},
    FieldRule{"link.urn", Target::identifier},
    FieldRule{"link.id", Target::key},
    FieldRule{"link.key", Target::key},
    FieldRule{"link.link id", Target::key},
    FieldRule{"link.circuit id", Target::key},
    FieldRule{"link.name", Target::name},
    FieldRule{"link.label", Target::name},
    FieldRule{"link.link", Target::name},
    FieldRule{"link.link name", Target::name},
    FieldRule{"link.circuit", Target::name},
    FieldRule{"link.short name", Target::short_name},
    FieldRule{"link.version", Target::version},
    FieldRule{"link.lifetime start", Target::start},
    FieldRule{"link.lifetime end", Target::end},
    FieldRule{"link.owner", Target::owner},
    FieldRule{"link.ownership", Target::owner},
    FieldRule{"link.institution", Target::owner},
    FieldRule{"link.topology", Target::topology},
    FieldRule{"link.*", Target::property},
};

inline constexpr std::array kInstitutionColumns{
    FieldRule{"institution.identifier", Target::identifier},
    FieldRule{"institution.name", Target::name},
    FieldRule{"institution.short name", Target::short_name},
    FieldRule{"institution.version", Target::version},
    FieldRule{"institution.latitude", Target::latitude},
    FieldRule{"institution.longitude", Target::longitude},
    FieldRule{"institution.altitude", Target::altitude},
    FieldRule{"institution.unlocode", Target::unlocode},
    FieldRule{"institution.address", Target::address},
    FieldRule{"institution.topology", Target::topology},
    FieldRule{"institution.*", Target::property},
};

inline constexpr std::array kTopologyColumns{
    FieldRule{"topology.identifier", Target::identifier},
    FieldRule{"topology.name", Target::name},
    FieldRule{"topology.version", Target::version},
    FieldRule{"topology.owner", Target::owner},
    FieldRule{"topology.parent", Target::parent},
    FieldRule{"topology.*", Target::property},
};

inline constexpr std::array kOtherColumns{
    FieldRule{"other.*", Target::nothing, "its sheet holds neither nodes nor links"},
};

inline constexpr auto kTableFields =
    joined(kNodeColumns, kLinkColumns, kInstitutionColumns, kTopologyColumns, kOtherColumns);

// A column that says of each row what it is. A row that is `more` goes on with the element above
// it: in these two columns it may have a property of any name.
inline constexpr std::string_view kKindHeading = "kind";
inline constexpr std::string_view kPropertyHeading = "property";
inline constexpr std::string_view kValueHeading = "value";
inline constexpr std::string_view kMoreRow = "more";

// The headings of the two ends of a link, in the order in which they are looked for.
struct EndHeadings {
  std::string_view first;
  std::string_view second;
};
inline constexpr std::array<EndHeadings, 15> kEndHeadings{{
    {"from", "to"},
    {"source", "target"},
    {"source", "destination"},
    {"node a", "node z"},
    {"node a", "node b"},
    {"site a", "site z"},
    {"site a", "site b"},
    {"a end", "z end"},
    {"a end", "b end"},
    {"a", "z"},
    {"node 1", "node 2"},
    {"site 1", "site 2"},
    {"from node", "to node"},
    {"from site", "to site"},
    {"endpoint", "endpoint"},
}};

}  // namespace netml::codecs
