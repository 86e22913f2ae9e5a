// Topologies of OSCARS, ESnet's reservation system: what their fields are here
// (docs/formats/oscars.md). The reader goes by this table.
//
// Thread: any (constants).
#pragma once

#include <array>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// "adjcy" is an adjacency, as OSCARS spells it.
inline constexpr std::array kOscarsFields{
    FieldRule{"device.urn", Target::name},
    FieldRule{"device.latitude", Target::latitude},
    FieldRule{"device.longitude", Target::longitude},
    FieldRule{"device.ports", Target::long_property},
    FieldRule{"device.reservablevlans", Target::long_property},
    FieldRule{"device.*", Target::property},
    FieldRule{"position.*", Target::property},
    FieldRule{"adjcy.a.device", Target::link_end},
    FieldRule{"adjcy.z.device", Target::link_end},
    FieldRule{"adjcy.metrics.mpls", Target::property},
    FieldRule{"adjcy.*", Target::property},
    FieldRule{"map.*", Target::property},
};

}  // namespace netml::codecs
