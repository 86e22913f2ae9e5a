// The file that --config names: TOML with the names of options as keys, nothing nested.
//
//   data = "/var/lib/netml"
//   listen = ["127.0.0.1:8080", "[::1]:8080"]
//   test-mode = false
//
// Understood are comments, strings in double quotes (with the escapes \" \\ \n \t \r) and in single
// quotes, integers, booleans, and arrays of them, over several lines if need be. The command line
// library's own reader is not used: it cuts values at '#' and at blanks, even inside quotes.
//
// Failure: a message with file and line. Thread: any (pure functions).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace netml::admin::cli {

// An option's values as they would be given to its flag.
using ConfigValues = std::map<std::string, std::vector<std::string>>;

tl::expected<ConfigValues, std::string> parse_config(std::string_view text,
                                                     const std::string& file_name);
tl::expected<ConfigValues, std::string> read_config(const std::string& path);

}  // namespace netml::admin::cli
