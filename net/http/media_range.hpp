// What a client takes, by its Accept field (RFC 9110, section 12.5.1).
// Thread: any (pure functions).
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace netml::net {

// How much a media type is wanted; more is greater.
struct Preference {
  enum Range : std::uint8_t { none, any, any_subtype, exact };

  std::uint16_t quality = 0;  // in thousandths; 0 = not at all
  Range range = none;         // the most specific one that names the type
  auto operator<=>(const Preference&) const = default;

  // The quality where the type is named by itself, not by a range.
  std::uint16_t named() const { return range == exact ? quality : 0; }
};

// Of a type without parameters, "application/json". What the field names with a quality that is
// none is passed over. An empty field names nothing.
Preference preference(std::string_view accept, std::string_view media_type);

// Whether the field wants the type and names it by itself.
inline bool names_type(std::string_view accept, std::string_view media_type) {
  return preference(accept, media_type).named() > 0;
}

}  // namespace netml::net
