// Numbers with units, as people write them into properties.
//
// Thread: any (pure functions).
#pragma once

#include <optional>
#include <string_view>

#include "engine/graph/record.hpp"

namespace netml::engine {

// "76 km", "76000 m", "47 mi"; without a unit kilometres. Nothing where that is no length.
std::optional<double> length_km(std::string_view text);

// "10 Gbit/s", "155M", "2,5 Gbps", "100GE", "1e10", "STM-16", "OC-48", "E1". A number alone is in
// Gbit/s as throughputs are, from a million on in bit/s. Nothing where that is no one capacity,
// such as "1-20 Gbps", "10 GB/s" and 0, or faster than any link.
std::optional<double> bits_per_second(std::string_view text);

// How fast a link says that it is, in bits per second: what the first of its properties
// `throughput`, `capacity`, `bandwidth`, `speed` and `linkspeedraw` says that says anything; the
// last is of the Topology Zoo, and always in bit/s.
std::optional<double> capacity_of(const Attributes& link);

}  // namespace netml::engine
