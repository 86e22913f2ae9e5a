// Networks of GNPy as JSON: what their fields are here (docs/formats/gnpy.md). The reader and the
// writer go by this table.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// "network.x": a member of the file; "node.x": of an element that is no fibre; "link.x": of a
// fibre.
inline constexpr std::array kGnpyFields{
    FieldRule{"network.network_name", Target::name},
    FieldRule{"network.*", Target::long_property},
    FieldRule{"node.uid", Target::key},
    FieldRule{"node.type", Target::property},
    FieldRule{"node.type_variety", Target::property},
    FieldRule{"node.metadata.location.latitude", Target::latitude},
    FieldRule{"node.metadata.location.longitude", Target::longitude},
    FieldRule{"node.metadata.location.city", Target::property},
    FieldRule{"node.metadata.location.region", Target::property},
    FieldRule{"node.params", Target::long_property},
    FieldRule{"node.operational", Target::long_property},
    FieldRule{"node.*", Target::long_property},
    FieldRule{"link.uid", Target::key},
    FieldRule{"link.type", Target::property},
    FieldRule{"link.type_variety", Target::property},
    FieldRule{"link.metadata.location.latitude", Target::property},
    FieldRule{"link.metadata.location.longitude", Target::property},
    FieldRule{"link.params.length", Target::property},
    FieldRule{"link.params.length_units", Target::property},
    FieldRule{"link.params", Target::long_property},
    FieldRule{"link.operational", Target::long_property},
    FieldRule{"link.*", Target::long_property},
    FieldRule{"connection.from_node", Target::link_end},
    FieldRule{"connection.to_node", Target::link_end},
    FieldRule{"connection.*", Target::nothing, "a connection has two ends and nothing else"},
};

// Whether an element of that type is a fibre.
constexpr bool is_fiber_type(std::string_view type) {
  return type == "Fiber" || type == "RamanFiber";
}

// The type of nodes of which the map says none: the one at which any number of fibres meet.
inline constexpr std::string_view kUsualNodeType = "Roadm";

}  // namespace netml::codecs
