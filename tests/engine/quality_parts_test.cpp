// Distances, outlines of countries, and numbers with units.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/quality/geography.hpp"
#include "engine/quality/quantities.hpp"
#include "tests/engine/quality_source.hpp"

namespace netml::engine {
namespace {

using test::degrees;
using test::two_countries;

TEST(Geography, KnowsDistancesOnTheGlobe) {
  EXPECT_NEAR(kilometres(degrees(0, 0), degrees(0, 90)), 10'007, 1);
  EXPECT_NEAR(kilometres(degrees(59.9139, 10.7522), degrees(60.3913, 5.3221)), 305, 2);
  EXPECT_NEAR(kilometres(degrees(10, 179.5), degrees(10, -179.5)), 109.5, 1);
  EXPECT_NEAR(kilometres(degrees(90, 0), degrees(-90, 0)), 20'015, 1);
}

// Against all pairs.
TEST(Geography, FindsTheNearestOther_P) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const auto count = std::uniform_int_distribution<std::size_t>(2, 60)(random);
    const double spread = std::uniform_real_distribution(0.5, 90.0)(random);
    std::uniform_real_distribution latitude(-spread, spread);
    std::uniform_real_distribution longitude(-2 * spread, 2 * spread);
    std::vector<Direction> places;
    for (std::size_t i = 0; i < count; ++i)
      places.push_back(direction(degrees(latitude(random), longitude(random))));
    const std::vector<double> nearest = nearest_others(places, 500);
    for (std::size_t i = 0; i < count; ++i) {
      double expected = 25'000;
      for (std::size_t j = 0; j < count; ++j)
        if (j != i) expected = std::min(expected, kilometres(places[i], places[j]));
      if (expected > 500)
        EXPECT_NEAR(nearest[i], expected, 1e-6);
      else
        EXPECT_LE(nearest[i], 500 + 1e-6);
    }
  }
}

TEST(Countries, KnowPlacesInsideAndNearTheirOutline) {
  const Countries countries = two_countries();
  const auto norway = countries.find(" NORWAY ");
  ASSERT_TRUE(norway);
  EXPECT_EQ(countries.code(*norway), "NO");
  EXPECT_EQ(countries.find("no"), norway);
  EXPECT_EQ(countries.find("nor"), norway);
  EXPECT_EQ(countries.find("Atlantis"), std::nullopt);
  EXPECT_TRUE(countries.holds(*norway, degrees(65, 12)));
  EXPECT_TRUE(countries.holds(*norway, degrees(59.5, 12)));   // 56 km off the coast
  EXPECT_TRUE(countries.holds(*norway, degrees(65, 21)));     // 47 km beyond the border
  EXPECT_FALSE(countries.holds(*norway, degrees(58.9, 12)));  // 122 km off
  EXPECT_FALSE(countries.holds(*norway, degrees(65, 25)));
}

TEST(Quantities, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(length_km("76"), 76);
  EXPECT_EQ(length_km(" 76.5 KM"), 76.5);
  EXPECT_EQ(length_km("1500 m"), 1.5);
  EXPECT_EQ(length_km("long"), std::nullopt);
  EXPECT_EQ(length_km("76 km of fibre"), std::nullopt);
}

TEST(Quantities, OfCapacityAreReadAsPeopleWriteThem) {
  const std::pair<const char*, double> said[] = {{"10G", 1e10},
                                                 {"10 G", 1e10},
                                                 {"10Gb/s", 1e10},
                                                 {"10 Gbit/s", 1e10},
                                                 {"10 Gbps", 1e10},
                                                 {"10 gigabit per second", 1e10},
                                                 {"100GE", 1e11},
                                                 {"10GE", 1e10},
                                                 {"100GbE", 1e11},
                                                 {"2.5 Gbit/s", 2.5e9},
                                                 {"2.5Gbps", 2.5e9},
                                                 {"2,5 Gbit/s", 2.5e9},
                                                 {"155M", 1.55e8},
                                                 {"155 Mbps", 1.55e8},
                                                 {"64 kbit/s", 64'000},
                                                 {"64k", 64'000},
                                                 {"1.2 Tbit/s", 1.2e12},
                                                 {"9600 bit/s", 9600},
                                                 {"9600 bps", 9600},
                                                 {"64000 bit/s", 64'000},
                                                 {"1e10", 1e10},
                                                 {"10000000000", 1e10},
                                                 {"40", 4e10},
                                                 {"0.155", 1.55e8},
                                                 {" 1 Gbit/s ", 1e9},
                                                 {"STM-16", 16 * 155.52e6},
                                                 {"OC-48", 48 * 51.84e6},
                                                 {"Fast Ethernet", 1e8},
                                                 {"E1", 2.048e6}};
  for (const auto& [text, bits] : said) {
    const auto found = bits_per_second(text);
    ASSERT_TRUE(found) << text;
    EXPECT_NEAR(*found, bits, 1e-3) << text;
  }
}

TEST(Quantities, OfCapacityThatAreNoneSayNothing) {
  for (const char* text : {"", "dark fibre", "1-20Gbps", "< 10 Gbps", "10 GB/s", "0", "0 Gbit/s",
                           "-1G", "10 km", "3x10G", "1e400", "999999 Tbit/s", "10 G and 20 G",
                           "1,000,000", "NaN", "inf", "as contracted", "10 or more"})
    EXPECT_EQ(bits_per_second(text), std::nullopt) << text;
  const std::string long_number(100'000, '1');
  EXPECT_EQ(bits_per_second(long_number), std::nullopt);
  const std::string far_unit = fmt::format("1{:>100000}", "x");
  EXPECT_EQ(bits_per_second(far_unit), std::nullopt);
}

}  // namespace
}  // namespace netml::engine
