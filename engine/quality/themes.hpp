// The themes of inspect(), each in a file of its own. Of each record, or of all of them together.
#pragma once

#include <string_view>
#include <vector>

#include "engine/quality/inspect.hpp"

namespace netml::engine {

// ---- of one record ----
void check_texts(const Inspection& map, RecordId id, const Report& report);
void check_properties(const Inspection& map, RecordId id, const Report& report);
void check_lifetime(const Inspection& map, RecordId id, const Report& report);
void check_associations(const Inspection& map, RecordId id, const Report& report);
// `doubtful`: as check_places() gives it; what is said of places there would be said twice.
void check_link(const Inspection& map, RecordId id, const std::vector<bool>& doubtful,
                const Report& report);
// ---- of all ----
// By RecordId: whose place was reported.
std::vector<bool> check_places(const Inspection& map, const Report& report);
void check_half_links(const Inspection& map, const Report& report);
void check_repeats(const Inspection& map, const Report& report);

// Whether somebody meant to write a text later.
bool is_placeholder(std::string_view text);
// Whether it has marks of a wrong character set, of HTML, or characters that were lost.
bool is_garbled(std::string_view text);

}  // namespace netml::engine
