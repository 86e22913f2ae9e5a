// Goal: the config file is read as TOML reads it, or refused with line and column.
#include <gtest/gtest.h>

#include <array>

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

TEST(ConfigFile, HoldsWhatElseTomlHas) {
  const auto values = parse_config(
      "\xef\xbb\xbf"
      "text = \"\\u00e9\\b\"\n"
      "lines = '''\none\ntwo'''\n"
      "number = +1_000\n"
      "bits = 0xff\n",
      "f.toml");
  ASSERT_TRUE(values.has_value()) << values.error();
  EXPECT_EQ(*values, (ConfigValues{{"text", {"\xc3\xa9\b"}},
                                   {"lines", {"one\ntwo"}},
                                   {"number", {"1000"}},
                                   {"bits", {"255"}}}));
}

// Where, what, and what to do.
TEST(ConfigFile, IsRefusedWithLineAndColumnOfTheFirstProblem) {
  const std::string once = "write each option once, as option = value";
  const std::string value = "a value is a string in quotes, an integer, true, false, or an array";
  const std::string table = "sections and names with dots are not used here";
  const std::vector<std::array<std::string, 3>> cases{
      {"a = 1\nb", "f.toml:2:2: ", once},
      {"= 1", "f.toml:1:1: ", once},
      {"a = \"x\nb = 1", "f.toml:1:7: ", "close strings on their line"},
      {"a = \"\\q\"", "f.toml:1:7: Error while parsing string: unknown escape sequence", once},
      {"a = word", "f.toml:1:5: ", value},
      {"a = -", "f.toml:1:5: ", value},
      {"a = 1 2", "f.toml:1:7: ", "expected a comment"},
      {"a = [1 2]", "f.toml:1:8: ", "expected comma or closing ']'"},
      {"a = [1,", "f.toml:1:8: ", value},
      {"a = 007", "f.toml:1:", "leading zeroes"},
      {"a = 99999999999999999999", "f.toml:1:", "not representable in 64 bits"},
      {"a = '\xff'", "f.toml:1:5: ", "utf-8"},
      {"a = 1\n\na = 2", "f.toml:3:5: ", "cannot redefine existing integer 'a'"},
      {"a = 1.5", "f.toml:1:5: " + value, ""},
      {"\na = [1, 2000-01-01]", "f.toml:2:9: " + value, ""},
      {"a = [[1]]", "f.toml:1:6: " + value, ""},
      {"[serve]\na = 1", "f.toml:1:1: " + table, ""},
      {"[[serve]]\na = 1", "f.toml:1:1: " + table, ""},
      {"[serve.x]\na = 1", "f.toml:1:1: " + table, ""},
      {"a.b = 1", "f.toml:1:1: " + table, ""},
      {"a = { b = 1 }", "f.toml:1:5: " + table, ""},
      {"x = 1\nb = 1.5\na = 2.5", "f.toml:2:5: " + value, ""},
  };
  for (const auto& [text, begin, also] : cases) {
    const auto values = parse_config(text, "f.toml");
    ASSERT_FALSE(values.has_value()) << text;
    EXPECT_TRUE(values.error().starts_with(begin)) << text << "\n" << values.error();
    EXPECT_NE(values.error().find(also), std::string::npos) << text << "\n" << values.error();
  }
}

TEST(ConfigFile, IsRefusedWhenItIsLong) {
  const std::string text(kConfigBytesMax, ' ');
  EXPECT_TRUE(parse_config(text, "f.toml").has_value());
  const auto values = parse_config(text + ' ', "f.toml");
  ASSERT_FALSE(values.has_value());
  EXPECT_EQ(values.error(), "f.toml: a config file has at most 16384 bytes");
}

// Each dot opens a table within a table.
TEST(ConfigFile, IsRefusedHoweverDeepItIs) {
  for (const std::string piece : {"a.", "[", "a={", "a=["}) {
    std::string text;
    while (text.size() + piece.size() + 3 <= kConfigBytesMax) text += piece;
    for (const char* end : {"", "a=1", "a]"}) {
      const auto values = parse_config(text + end, "f.toml");
      ASSERT_FALSE(values.has_value());
      EXPECT_TRUE(values.error().starts_with("f.toml:1:")) << values.error();
    }
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
