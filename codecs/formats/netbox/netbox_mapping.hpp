// What somebody wants of a NetBox: what is a node of its map, who owns, and how many topologies
// there are (docs/formats/netbox.md, "Other mappings").
//
// Thread: any (values and pure functions).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::codecs::netbox {

// A location stands for itself; what is at none stands at its site.
enum class NodeKind : std::uint8_t { site, location, device };
// Providers own circuits alone.
enum class OwnerKind : std::uint8_t { tenant, provider };
// All that is no region's or tenant's is of the network itself.
enum class TopologyKind : std::uint8_t { one, region, tenant };

struct Mapping {
  NodeKind nodes = NodeKind::site;
  OwnerKind owner = OwnerKind::tenant;
  TopologyKind topologies = TopologyKind::one;
  bool operator==(const Mapping&) const = default;
};

// "nodes=location,topologies=region", in any order; of what it does not say the first choice, so
// that an empty text is the usual mapping. Errc::invalid_input, in the field "mapping".
Result<Mapping> parse_mapping(std::string_view text);

// What differs from the usual mapping, always in the same words.
std::string mapping_text(const Mapping& mapping);

}  // namespace netml::codecs::netbox
