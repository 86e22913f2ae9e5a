// Net2Plan: what the fields of the map are called there (docs/formats/n2p.md). The writer goes by
// this table.
//
// Thread: any (constants).
#pragma once

#include <array>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// Attributes of elements: `name`, `xCoord`, `yCoord` and the ends of a link are those of XML.
inline constexpr std::array kN2pFields{
    FieldRule{"identifier", Target::identifier},
    FieldRule{"name", Target::name},
    FieldRule{"short_name", Target::short_name},
    FieldRule{"version", Target::version},
    FieldRule{"lifetime_start", Target::start},
    FieldRule{"lifetime_end", Target::end},
    FieldRule{"yCoord", Target::latitude},
    FieldRule{"xCoord", Target::longitude},
    FieldRule{"altitude", Target::altitude},
    FieldRule{"unlocode", Target::unlocode},
    FieldRule{"address", Target::address},
    FieldRule{"owner", Target::owner},
    FieldRule{"topology", Target::topology},
    FieldRule{"originNodeId", Target::link_end},
    FieldRule{"destinationNodeId", Target::link_end},
    FieldRule{"place", Target::structure},
    FieldRule{"*", Target::property},
};

}  // namespace netml::codecs
