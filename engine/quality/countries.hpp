// Outlines of countries, and whether a place is in one. The data are handed in: the engine reads no
// file.
//
// Thread: any (immutable once built).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/graph/attributes.hpp"

namespace netml::engine {

struct CountryOutline {
  std::string code;                // two capital letters (ISO 3166-1)
  std::vector<std::string> names;  // in any language and case; other codes, too
  // Rings of longitude and latitude in degrees, holes among them.
  std::vector<std::vector<std::array<float, 2>>> rings;
};

class Countries {
 public:
  Countries() = default;
  explicit Countries(std::vector<CountryOutline> countries);

  bool empty() const { return countries_.empty(); }
  // The country of a code or a name. Nothing where no outline has it.
  std::optional<std::size_t> find(std::string_view code_or_name) const;
  const std::string& code(std::size_t country) const { return countries_[country].code; }
  // Whether the place is in the country, or no farther than kNearKm from its outline:
  // outlines are coarse, and what is on the coast is easily off it.
  bool holds(std::size_t country, const Coordinates& place) const;
  static constexpr double kNearKm = 100;

 private:
  struct Box {
    float west = 360;
    float east = -360;
    float south = 90;
    float north = -90;
  };
  std::vector<CountryOutline> countries_;
  std::vector<std::vector<Box>> boxes_;                        // of each ring
  std::vector<std::pair<std::string, std::size_t>> by_names_;  // folded; ascending
};

}  // namespace netml::engine
