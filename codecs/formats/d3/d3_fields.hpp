// Node-link JSON: what the fields of the map are called there (docs/formats/d3.md). The writer goes
// by this table.
//
// Thread: any (constants).
#pragma once

#include <array>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// Of an object of `nodes`, `links`, `institutions` or `topologies`.
inline constexpr std::array kD3Fields{
    FieldRule{"identifier", Target::identifier}, FieldRule{"name", Target::name},
    FieldRule{"short_name", Target::short_name}, FieldRule{"version", Target::version},
    FieldRule{"lifetime_start", Target::start},  FieldRule{"lifetime_end", Target::end},
    FieldRule{"latitude", Target::latitude},     FieldRule{"longitude", Target::longitude},
    FieldRule{"altitude", Target::altitude},     FieldRule{"unlocode", Target::unlocode},
    FieldRule{"address", Target::address},       FieldRule{"owners", Target::owner},
    FieldRule{"topologies", Target::topology},   FieldRule{"parent", Target::parent},
    FieldRule{"source", Target::link_end},       FieldRule{"target", Target::link_end},
    FieldRule{"properties.*", Target::property},
};

}  // namespace netml::codecs
