// Instances of one element in several topologies of a file share their properties (decision 3).
#include "engine/import/detail/gather_properties.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace netml::engine {
namespace {

AttributesPtr node_with(const std::vector<Property>& properties) {
  AttributeFields fields;
  fields.kind = Kind::node;
  fields.id = "n";
  fields.properties = properties;
  return Attributes::make(fields);
}

std::vector<std::string> gathered(const AttributesPtr& near, const AttributesPtr& far) {
  const std::array<const Attributes*, 2> instances{near.get(), far.get()};
  std::vector<std::string> values;
  for (const Property& property : gather_properties(instances).shared)
    values.push_back(fmt::format("{}={}", property.name, property.value));
  return values;
}

TEST(GatherProperties, AddsTagsInTheOrderInWhichTheyFirstOccur) {
  const auto near = node_with({{"tag", "b"}, {"url", "x"}, {"tag", "a"}});
  const auto far = node_with({{"tag", "c"}, {"tag", "b"}, {"url", "y"}});
  EXPECT_THAT(gathered(near, far), ::testing::ElementsAre("tag=b", "tag=a", "tag=c", "url=x"));
  EXPECT_THAT(gathered(near, near), ::testing::ElementsAre("tag=b", "tag=a", "url=x"));
}

// As many as a record may have: a search of the list for each would take minutes.
TEST(GatherProperties, AddsAsManyTagsAsARecordMayHave) {
  constexpr std::size_t kTags = 100'000;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 2 * kTags; ++i) texts.push_back(fmt::format("{:06}", i));
  std::vector<Property> near, far;
  for (std::size_t i = 0; i < kTags; ++i) {
    near.push_back({"tag", texts[i]});
    far.push_back({"tag", texts[i + kTags]});
  }
  EXPECT_EQ(gathered(node_with(near), node_with(far)).size(), 2 * kTags);
}

}  // namespace
}  // namespace netml::engine
