// The file that --config names: TOML with the names of options as keys, nothing nested.
//
//   data = "/var/lib/netml"
//   listen = ["127.0.0.1:8080", "[::1]:8080"]
//   test-mode = false
//
// A value is a string, an integer, a boolean, or an array of them. toml++ reads the file, not the
// command line library's own reader: that cuts values at '#' and at blanks, even inside quotes.
//
// Failure: a message with file, line and column. Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace netml::admin::cli {

// An option's values as they would be given to its flag.
using ConfigValues = std::map<std::string, std::vector<std::string>>;

// The library takes a table apart by recursion, and two bytes, "a.", may open one in the last.
constexpr std::size_t kConfigBytesMax = 16 << 10;

tl::expected<ConfigValues, std::string> parse_config(std::string_view text,
                                                     const std::string& file_name);
tl::expected<ConfigValues, std::string> read_config(const std::string& path);

}  // namespace netml::admin::cli
