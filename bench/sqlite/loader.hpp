// What a straightforward program does to keep the same map in SQLite: one transaction, prepared
// statements, journal_mode=WAL, synchronous=FULL, and the indexes that look-ups by identifier and
// by topology need. A yardstick, no part of the product.
#pragma once

#include <string>

#include "engine/graph/document.hpp"

namespace netml::bench {

// Loads `document` into a new database file. Ends the program when SQLite refuses.
void load_into_sqlite(const engine::Document& document, const std::string& path);

// Of the library that this program runs with.
const char* sqlite_version();

}  // namespace netml::bench
