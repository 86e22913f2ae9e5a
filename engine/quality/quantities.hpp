// Numbers with units, as people write them into properties.
//
// Thread: any (pure functions).
#pragma once

#include <optional>
#include <string_view>

namespace netml::engine {

// "76 km", "76000 m", "47 mi"; without a unit kilometres. Nothing where that is no length.
std::optional<double> length_km(std::string_view text);

// "10 Gbit/s", "155M", "2.5 Gbps", "1e10", "STM-16", "OC-48", "E1"; without a unit bits per second.
// Nothing where that is no single capacity.
std::optional<double> bits_per_second(std::string_view text);

}  // namespace netml::engine
