// Graphviz: what the fields of the map are called there (docs/formats/dot.md). The writer goes by
// this table.
//
// Thread: any (constants).
#pragma once

#include <array>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// Attributes of a node, a link or the graph.
inline constexpr std::array kDotFields{
    FieldRule{"id", Target::identifier},         FieldRule{"label", Target::name},
    FieldRule{"short_name", Target::short_name}, FieldRule{"version", Target::version},
    FieldRule{"lifetime_start", Target::start},  FieldRule{"lifetime_end", Target::end},
    FieldRule{"latitude", Target::latitude},     FieldRule{"longitude", Target::longitude},
    FieldRule{"altitude", Target::altitude},     FieldRule{"unlocode", Target::unlocode},
    FieldRule{"address", Target::address},       FieldRule{"owner", Target::owner},
    FieldRule{"topology", Target::topology},     FieldRule{"a -- b", Target::link_end},
    FieldRule{"property.*", Target::property},
};

}  // namespace netml::codecs
