#include "engine/base/time.hpp"

#include <gtest/gtest.h>

namespace netml {
namespace {

TEST(Instant, ReadsWhatTheSchemaAllows) {
  EXPECT_EQ(parse_instant("1970-01-01T00:00:00Z"), Instant{0});
  EXPECT_EQ(parse_instant("1970-01-01T00:00:00"), Instant{0});
  EXPECT_EQ(parse_instant("2024-02-29T08:30:00-04:00"), parse_instant("2024-02-29T12:30:00Z"));
  EXPECT_EQ(parse_instant("2024-03-01T09:00:00.250+00:00"), parse_instant("2024-03-01T09:00:00Z"));
  EXPECT_EQ(parse_instant("2024-03-01T09:00:00.9999999999Z"),
            parse_instant("2024-03-01T09:00:00Z"));
  EXPECT_EQ(parse_instant("2024-03-01T09:00:00+14:00"), parse_instant("2024-02-29T19:00:00Z"));
  EXPECT_EQ(parse_instant(" 2024-03-01T09:00:00Z "), parse_instant("2024-03-01T09:00:00Z"));
}

TEST(Instant, RefusesWhatTheSchemaRefuses) {
  for (const char* text :
       {"", " ", "2024-03-01", "2024-03-01 09:00:00", "2024-03-01T09:00:00z", "2024-03-01t09:00:00",
        "2024-03-01T09:00:00+0000", "2024-03-01T09:00:00+14:01", "2024-03-01T24:00:00",
        "2024-03-01T09:00:60", "2024-02-30T00:00:00", "2023-02-29T00:00:00", "10000-01-01T00:00:00",
        "0000-01-01T00:00:00", "2024-03-01T09:00:00.", "2024-03-01T09:00", "2024-03-01T09:00:00ZZ",
        "-001-01-01T00:00:00"})
    EXPECT_FALSE(parse_instant(text).has_value()) << text;
}

TEST(Instant, WritesTheFormOfTheReference) {
  EXPECT_EQ(format_instant(Instant{0}), "1970-01-01T00:00:00+00:00");
  EXPECT_EQ(format_instant(*parse_instant("9999-12-31T23:59:59Z")), "9999-12-31T23:59:59+00:00");
  EXPECT_EQ(format_instant(*parse_instant("0001-01-01T00:00:00Z")), "0001-01-01T00:00:00+00:00");
}

TEST(Instant, RefusesAnOffsetThatLeadsOutOfTheYears) {
  EXPECT_FALSE(parse_instant("0001-01-01T00:00:00+01:00").has_value());
  EXPECT_FALSE(parse_instant("9999-12-31T23:59:59-01:00").has_value());
}

}  // namespace
}  // namespace netml
