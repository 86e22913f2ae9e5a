// Numbers as the exchange format writes them (docs/requirements/exchange-format.md, section 7).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/graph/record.hpp"

namespace netml::codecs {

// Metres; what is stored lies between them.
inline constexpr double kAltitudeMin = -11'000;
inline constexpr double kAltitudeMax = 9'000;

// An XML Schema float: "-63.57", " .5 ", "1E-2", "INF", "NaN". Nothing when it is none. A number
// too large for a double becomes an infinity, one too small zero.
std::optional<double> parse_number(std::string_view text);

// To six decimals, from the exact value of the double, ties to even. |value| < 2^43.
engine::Micro round_to_micro(double value);

// Each writes where there are kDecimalBytesMax bytes of room, and gives the end of what it wrote.
inline constexpr std::size_t kDecimalBytesMax = 28;
// The shortest decimal with a fraction: "-63.57", "10.0".
char* put_shortest(char* at, engine::Micro value);
// All six decimals: "12.500000".
char* put_six_decimals(char* at, engine::Micro value);

void append_shortest(std::string& out, engine::Micro value);

}  // namespace netml::codecs
