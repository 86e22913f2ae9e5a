// The colours of nodes and links on the map of the site (admin/web/src/map/styles.ts), by the tags
// that they have.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace netml::codecs {

struct MapColour {
  std::string_view tag;     // its case does not count
  std::string_view colour;  // as the web spells it, "1a8590"
};

// Of several tags that an element has, the last one here counts; the first is of those with none.
inline constexpr std::array kNodeColours{
    MapColour{"plain", "6e7681"},
    MapColour{"pren", "1a8590"},
    MapColour{"nren", "2a2d7c"},
    MapColour{"sren", "744496"},
};
inline constexpr std::array kLinkColours{
    MapColour{"plain", "6e7681"}, MapColour{"pren", "1a8590"},          MapColour{"nren", "2a2d7c"},
    MapColour{"sren", "744496"},  MapColour{"international", "1d8a4c"},
};

}  // namespace netml::codecs
