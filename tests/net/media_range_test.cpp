// Goal: what a client says it takes is understood as RFC 9110, section 12.5.1, has it.
#include "net/http/media_range.hpp"

#include <gtest/gtest.h>

#include <string>

namespace netml::net {
namespace {

constexpr std::string_view kJson = "application/json";

TEST(MediaRange, TheMostSpecificOneDecides) {
  EXPECT_EQ(preference("*/*;q=0.1, application/*;q=0.5, application/json;q=0.9", kJson),
            (Preference{900, Preference::exact}));
  EXPECT_EQ(preference("application/json;q=0, */*", kJson), (Preference{0, Preference::exact}));
  EXPECT_EQ(preference("text/html, application/*;q=0.5", kJson),
            (Preference{500, Preference::any_subtype}));
  EXPECT_EQ(preference("text/html, */*", kJson), (Preference{1000, Preference::any}));
}

TEST(MediaRange, WhatIsNotNamedIsNotWanted) {
  for (const char* accept : {"", "text/html", "application/jsonp", "application/problem+json",
                             "text/*", "app/*", "application", "/*", ",,;;,", "json"})
    EXPECT_EQ(preference(accept, kJson), Preference()) << accept;
}

TEST(MediaRange, CaseAndBlanksAreNothing) {
  EXPECT_EQ(preference(" Application/JSON ; charset=utf-8 ; Q = 0.250 ", kJson),
            (Preference{250, Preference::exact}));
}

TEST(MediaRange, AQualityThatIsNonePassesTheRangeOver) {
  const auto with = [](const char* quality) {
    return preference(std::string("*/*;q=0.1, application/json;q=") + quality, kJson);
  };
  for (const char* quality : {"", "2", "1.001", "-1", "0.1234", ".5", "0..5", "x", "0.x", "1e0"})
    EXPECT_EQ(with(quality), (Preference{100, Preference::any})) << quality;
  EXPECT_EQ(with("1."), (Preference{1000, Preference::exact}));
  EXPECT_EQ(with("1.000"), (Preference{1000, Preference::exact}));
  EXPECT_EQ(with("0.05"), (Preference{50, Preference::exact}));
}

TEST(MediaRange, MoreIsGreater) {
  const std::string_view accept = "application/json, text/html;q=0.9, */*";
  EXPECT_GT(preference(accept, kJson), preference(accept, "text/plain"));
  EXPECT_GT(preference(accept, "text/plain"), preference(accept, "text/html"));
}

}  // namespace
}  // namespace netml::net
