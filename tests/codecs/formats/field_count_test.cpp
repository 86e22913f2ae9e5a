// How many fields a map has, for formats whose writers do not count; and what those do not hold.
// Method: writers that count field by field do so with other code, and must agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/formats/draft/field_count.hpp"
#include "engine/export/export_order.hpp"
#include "tests/codecs/formats/full_map.hpp"
#include "tests/codecs/formats/map_round_trip.hpp"

namespace netml::codecs {
namespace {

using test::state_of;

RecordId root_of(const engine::State& state) {
  return *engine::export_root(state.graph);
}

WrittenFile written(std::string_view format, const engine::State& state) {
  auto file = find_format(format)->write(state.graph, root_of(state));
  EXPECT_TRUE(file.has_value()) << file.error().text();
  return *std::move(file);
}

TEST(FieldCount, IsThatOfTheWritersThatCount) {
  for (const engine::State& state :
       {test::full_map(), state_of(test::map_of_all(test::kHalves, test::kSubtopology))}) {
    const auto losses = exchange_losses(state.graph, root_of(state));
    ASSERT_TRUE(losses.has_value()) << losses.error().text();
    for (const std::string_view format : {"gml", "geojson", "kml", "graphml", "csv"}) {
      const engine::LossList of_writer = written(format, state).losses;
      EXPECT_EQ(losses->carried(), of_writer.present()) << format;
    }
  }
}

TEST(FieldCount, LosesPlacesThatAreNotKnown) {
  const engine::State placed = state_of(test::map_of_all("", ""));
  EXPECT_EQ(exchange_losses(placed.graph, root_of(placed))->lost(), 0U);
  const auto read = test::read_text("graphml",
                                    "<graphml xmlns='http://graphml.graphdrawing.org/xmlns'>"
                                    "<graph id='G'><node id='a'/></graph></graphml>");
  ASSERT_TRUE(read.has_value()) << read.error().first.at(0).text();
  const engine::State state = test::imported(*read);
  const auto losses = exchange_losses(state.graph, root_of(state));
  ASSERT_TRUE(losses.has_value()) << losses.error().text();
  EXPECT_THAT(losses->texts(),
              testing::ElementsAre("1 x node.place: it is not known, and the format demands one: "
                                   "0, 0 is written"));
  EXPECT_THAT(losses->kept().front().pointer, testing::StartsWith("node "));
}

TEST(FieldCount, BalancesForTheSheetsOfTheTemplate) {
  for (const std::string_view below : {std::string_view(), test::kSubtopology}) {
    const engine::State state = state_of(test::map_of_all(test::kHalves, below));
    const WrittenFile workbook = written("xlsx", state);
    const auto of_all = exchange_losses(state.graph, root_of(state));
    EXPECT_EQ(workbook.losses.present(), of_all->carried());
    EXPECT_GT(workbook.losses.lost(), 0U);
    EXPECT_EQ(workbook.losses.texts().back().ends_with("without those below it"), !below.empty());
    // What is written can be read again.
    const auto read = test::read_text("xlsx", workbook.bytes, "Map & more");
    ASSERT_TRUE(read.has_value()) << read.error().first.at(0).text();
  }
}

}  // namespace
}  // namespace netml::codecs
