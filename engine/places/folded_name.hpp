// When two names of places are taken for the same: without the blanks around them, whatever their
// case, with or without the marks on Latin letters, whichever apostrophe they have.
// Thread: any (pure function).
#pragma once

#include <string>
#include <string_view>

namespace netml::engine {

// What equal names have in common: "Ålesund", "ALESUND" and "A" with a combining ring become
// "alesund". `name` is valid UTF-8.
std::string folded_name(std::string_view name);

// The same for cities, some of whose names are written in several ways: of "St. Gallen",
// "Saint-Gallen" and "Sankt Gallen" it is "saint gallen", of "New York" "new york city".
std::string city_key(std::string_view name);

}  // namespace netml::engine
