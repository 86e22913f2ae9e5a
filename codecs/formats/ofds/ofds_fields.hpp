// Network packages of the Open Fibre Data Standard: what their fields are here
// (docs/formats/ofds.md). The reader goes by this table.
//
// Thread: any (constants).
#pragma once

#include <array>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// "x.y": a member of an object; "x/y": of the geometry of a node or span. "*": all others. A
// network is a topology, a span a link, an organisation an institution.
inline constexpr std::array kOfdsFields{
    FieldRule{"package.*", Target::long_property},
    FieldRule{"topology.id", Target::identifier},
    FieldRule{"topology.name", Target::name},
    FieldRule{"topology.*", Target::long_property},
    FieldRule{"node/type", Target::structure},
    FieldRule{"node/longitude", Target::longitude},
    FieldRule{"node/latitude", Target::latitude},
    FieldRule{"node/altitude", Target::altitude},
    FieldRule{"node/*", Target::long_property},
    FieldRule{"node.id", Target::key},
    FieldRule{"node.name", Target::name},
    FieldRule{"node.physicalinfrastructureprovider", Target::owner},
    FieldRule{"node.*", Target::long_property},
    FieldRule{"link/type", Target::structure},
    FieldRule{"link/course", Target::long_property},
    FieldRule{"link/*", Target::long_property},
    FieldRule{"link.start", Target::link_end},
    FieldRule{"link.end", Target::link_end},
    FieldRule{"link.id", Target::key},
    FieldRule{"link.name", Target::name},
    FieldRule{"link.physicalinfrastructureprovider", Target::owner},
    FieldRule{"link.*", Target::long_property},
    FieldRule{"institution.id", Target::key},
    FieldRule{"institution.name", Target::name},
    FieldRule{"institution.*", Target::long_property},
};

}  // namespace netml::codecs
