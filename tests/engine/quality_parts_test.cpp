// Distances, outlines of countries, and numbers with units.
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
  EXPECT_EQ(bits_per_second("10 Gbit/s"), 1e10);
  EXPECT_EQ(bits_per_second("2.5Gbps"), 2.5e9);
  EXPECT_EQ(bits_per_second("155M"), 155e6);
  EXPECT_EQ(bits_per_second("10GE"), 1e10);
  EXPECT_EQ(bits_per_second("1e10"), 1e10);
  EXPECT_EQ(bits_per_second("10000000000"), 1e10);
  EXPECT_EQ(bits_per_second("STM-16"), 16 * 155.52e6);
  EXPECT_EQ(bits_per_second("OC-48"), 48 * 51.84e6);
  EXPECT_EQ(bits_per_second("Fast Ethernet"), 1e8);
  EXPECT_EQ(bits_per_second("E1"), 2.048e6);
  EXPECT_EQ(bits_per_second("as contracted"), std::nullopt);
  EXPECT_EQ(bits_per_second("10 or more"), std::nullopt);
  EXPECT_EQ(bits_per_second(""), std::nullopt);
  EXPECT_EQ(bits_per_second("inf"), std::nullopt);
}

}  // namespace
}  // namespace netml::engine
