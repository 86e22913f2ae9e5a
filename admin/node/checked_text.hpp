// A small text file of the data directory, which is replaced as a whole and says whether it is what
// was stored: its last line, "crc32c 1a2b3c4d", is the checksum of all bytes before it.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::admin {

// `text` ends with a line.
Status store_checked_text(const std::string& data_directory, std::string_view name,
                          std::string text);

// The text as it was stored. Errc::not_found when there is none, Errc::corruption when it is not
// what was stored, or longer than `bytes_max`; else why it cannot be read for now.
Result<std::string> load_checked_text(const std::string& data_directory, std::string_view name,
                                      std::uint64_t bytes_max);

// What is said of one whose lines are no such file, although they were stored.
Error damaged_text(const std::string& data_directory, std::string_view name);

}  // namespace netml::admin
