// What of a NetBox becomes what (docs/formats/netbox.md). This is all that any mapping names: a
// field without a row of its own stays in NetBox.
//
// "dcim.site.name" is a field of a record, "dcim.site@pk" is beside its fields.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs::netbox {

inline constexpr std::string_view kNotNamed = "it is not named in the mapping";

// Regions count where topologies are made of them.
inline constexpr std::array kTopologyFields{
    FieldRule{"dcim.region@model", Target::structure},
    FieldRule{"dcim.region@pk", Target::key},
    FieldRule{"dcim.region.name", Target::name},
    FieldRule{"dcim.region.parent", Target::parent},
};

// Locations and devices count where they are the nodes.
inline constexpr std::array kNodeFields{
    FieldRule{"dcim.site@model", Target::structure},
    FieldRule{"dcim.site@pk", Target::key},
    FieldRule{"dcim.site.name", Target::name},
    FieldRule{"dcim.site.slug"},
    FieldRule{"dcim.site.status"},
    FieldRule{"dcim.site.latitude", Target::latitude},
    FieldRule{"dcim.site.longitude", Target::longitude},
    FieldRule{"dcim.site.tenant", Target::owner},
    FieldRule{"dcim.site.region", Target::topology},
    FieldRule{"dcim.location@model", Target::structure},
    FieldRule{"dcim.location@pk", Target::key},
    FieldRule{"dcim.location.name", Target::name},
    FieldRule{"dcim.location.site", Target::structure},
    FieldRule{"dcim.location.tenant", Target::owner},
    FieldRule{"dcim.device@model", Target::structure},
    FieldRule{"dcim.device@pk", Target::key},
    FieldRule{"dcim.device.name", Target::name},
    FieldRule{"dcim.device.site", Target::structure},
    FieldRule{"dcim.device.tenant", Target::owner},
};

inline constexpr std::array kOwnerFields{
    FieldRule{"tenancy.tenant@model", Target::structure},
    FieldRule{"tenancy.tenant@pk", Target::key},
    FieldRule{"tenancy.tenant.name", Target::name},
};

// What a provider is called stands at its circuits.
inline constexpr std::array kLinkFields{
    FieldRule{"circuits.circuit@model", Target::structure},
    FieldRule{"circuits.circuit@pk", Target::key},
    FieldRule{"circuits.circuit.cid"},
    FieldRule{"circuits.circuit.provider"},
    FieldRule{"circuits.circuit.commit_rate"},
    FieldRule{"circuits.circuit.status"},
    FieldRule{"circuits.circuit.tenant", Target::owner},
    FieldRule{"circuits.provider@model", Target::structure},
    FieldRule{"circuits.provider@pk", Target::structure},
    FieldRule{"circuits.provider.name"},
    FieldRule{"circuits.circuittermination@model", Target::structure},
    FieldRule{"circuits.circuittermination.circuit", Target::structure},
    FieldRule{"circuits.circuittermination.site", Target::link_end},
    FieldRule{"circuits.circuittermination.term_side", Target::nothing, "a link has no direction"},
};

// All other fields, of these and of all other records. Cables and ports are followed, and nothing
// of them is kept.
inline constexpr std::array kOtherFields{
    FieldRule{"*", Target::nothing, kNotNamed},
};

inline constexpr auto kNetboxFields =
    joined(kTopologyFields, kNodeFields, kOwnerFields, kLinkFields, kOtherFields);

}  // namespace netml::codecs::netbox
