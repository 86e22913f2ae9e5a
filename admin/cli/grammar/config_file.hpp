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

#include <compare>
#include <cstddef>
#include <functional>
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

// Where in a file something is, counted from 1.
struct ConfigPlace {
  std::size_t line = 0;
  std::size_t column = 0;
  auto operator<=>(const ConfigPlace&) const = default;
};
struct ConfigEntry {
  ConfigPlace place;  // of the name
  std::string name;
  std::vector<std::string> values;
  ConfigPlace value;                // of the one value, or of the list
  std::vector<ConfigPlace> places;  // of each of the values
};
struct ConfigProblem {
  ConfigPlace place;  // line 0: the file as a whole
  std::string text;
};
// "netml.toml:2:1: there is no option lisen"
std::string config_message(const std::string& file_name, const ConfigProblem& problem);

// Each in the order of the file. What is no TOML is one problem, and there are no entries: the
// library stops at the first such error, and gives nothing of what it has read by then.
struct ConfigContent {
  std::vector<ConfigEntry> entries;
  std::vector<ConfigProblem> problems;
};
ConfigContent examine_config(std::string_view text);

// Says what is wrong with the name of an option; nothing where it may stand in a file. None: all
// may.
using ProblemWithName = std::function<std::string(const std::string& name)>;
// The first problem is the refusal.
tl::expected<ConfigValues, std::string> parse_config(std::string_view text,
                                                     const std::string& file_name,
                                                     const ProblemWithName& problem_with = {});
tl::expected<ConfigValues, std::string> read_config(const std::string& path,
                                                    const ProblemWithName& problem_with);
// Its bytes; no more than a file of that kind may have, and one.
tl::expected<std::string, std::string> read_config_text(const std::string& path);

}  // namespace netml::admin::cli
