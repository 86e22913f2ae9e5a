#include "engine/base/json_string.hpp"

#include <gtest/gtest.h>

namespace netml {
namespace {

TEST(JsonString, EscapesWhatJsonNeedsAndReplacesWhatIsNotUtf8) {
  EXPECT_EQ(json_string(""), "\"\"");
  EXPECT_EQ(json_string("plain"), "\"plain\"");
  EXPECT_EQ(json_string("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
  EXPECT_EQ(json_string("\x7f\x1f/"), "\"\\u007f\\u001f/\"");
  EXPECT_EQ(json_string("na\xc3\xafve"), "\"na\xc3\xafve\"");
  EXPECT_EQ(json_string("\xff\xc3"), "\"\\ufffd\\ufffd\"");
  EXPECT_EQ(json_string("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");  // a surrogate
  std::string out = "[";
  append_json_string(out, "x");
  EXPECT_EQ(out, "[\"x\"");
}

}  // namespace
}  // namespace netml
