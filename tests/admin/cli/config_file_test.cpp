// Goal: the config file is read as TOML reads it, or refused with its line.
#include <gtest/gtest.h>

#include "admin/cli/grammar/config_file.hpp"

namespace netml::admin::cli {
namespace {

TEST(ConfigFile, HoldsStringsNumbersBooleansAndArrays) {
  const auto values = parse_config(
      "a = \"x # \\\"y\\\" \\\\ \\t\"\r\n"
      "\n"
      "# note\n"
      "  b-2 = 'C:\\path'   # literal\n"
      "c = -17\n"
      "d = false\n"
      "\"e\" = [ 'p', \"q\", 3,\n  # more\n  true,\n]\n"
      "f = []",
      "f.toml");
  ASSERT_TRUE(values.has_value()) << values.error();
  EXPECT_EQ(*values, (ConfigValues{{"a", {"x # \"y\" \\ \t"}},
                                   {"b-2", {"C:\\path"}},
                                   {"c", {"-17"}},
                                   {"d", {"false"}},
                                   {"e", {"p", "q", "3", "true"}},
                                   {"f", {}}}));
}

TEST(ConfigFile, IsRefusedWithTheLineOfTheFirstProblem) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"a = 1\nb", "f.toml:2: expected a line option = value"},
      {"= 1", "f.toml:1: expected a line option = value"},
      {"a = \"x\nb = 1", "f.toml:1: a string is not closed"},
      {"a = \"\\u1234\"", "f.toml:1: an escape is not one of \\\" \\\\ \\n \\t \\r"},
      {"a = word", "f.toml:1: a value is a string in quotes"},
      {"a = -", "f.toml:1: a value is a string in quotes"},
      {"a = 1 2", "f.toml:1: nothing but a comment may follow a value"},
      {"a = [1 2]", "f.toml:1: an array lacks a comma or its closing bracket"},
      {"a = [1,", "f.toml:1: a value is a string in quotes"},
      {"[serve]\na = 1", "f.toml:1: sections are not used here"},
      {"a = 1\n\na = 2", "f.toml:3: a is given twice"},
  };
  for (const auto& [text, problem] : cases) {
    const auto values = parse_config(text, "f.toml");
    ASSERT_FALSE(values.has_value()) << text;
    EXPECT_EQ(values.error().substr(0, problem.size()), problem) << text;
  }
}

TEST(ConfigFile, EndsAtAnyPrefixWithoutHarm) {
  const std::string text = "a = \"x\\n\" # c\nb = ['y', 2,\n true]\n'c' = 3\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto values = parse_config(text.substr(0, length), "f.toml");
    if (values) {
      EXPECT_LE(values->size(), 3U);
    } else {
      EXPECT_TRUE(values.error().starts_with("f.toml:")) << values.error();
    }
  }
}

}  // namespace
}  // namespace netml::admin::cli
