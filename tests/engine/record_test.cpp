#include "engine/graph/record.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace netml::engine {
namespace {

AttributeFields full_node() {
  static const Property properties[] = {{"tag", "core"},
                                        {"url", "https://example.net/"},
                                        {"tag", ""},
                                        {kFromTopology, "urn:a,urn:b"}};
  AttributeFields fields;
  fields.kind = Kind::node;
  fields.id = "urn:example:node:1";
  fields.name = "Halifax POP";
  fields.short_name = "HFX";
  fields.version = Instant{1};
  fields.start = Instant{-2};
  fields.end = Instant{3};
  fields.coordinates = Coordinates{Micro{-44650000}, Micro{179999999}};
  fields.altitude = Micro{9000000000};
  fields.unlocode = "CAHAL";
  fields.address = "1 Pier Road";
  fields.properties = properties;
  return fields;
}

TEST(Attributes, GiveBackEveryField) {
  const AttributesPtr node = Attributes::make(full_node());
  EXPECT_EQ(node->kind(), Kind::node);
  EXPECT_FALSE(node->main());
  EXPECT_EQ(node->id(), "urn:example:node:1");
  EXPECT_EQ(node->name(), "Halifax POP");
  EXPECT_EQ(node->short_name(), "HFX");
  EXPECT_EQ(node->version(), Instant{1});
  EXPECT_EQ(node->start(), Instant{-2});
  EXPECT_EQ(node->end(), Instant{3});
  EXPECT_EQ(node->coordinates()->latitude, Micro{-44650000});
  EXPECT_EQ(node->coordinates()->longitude, Micro{179999999});
  EXPECT_EQ(node->altitude(), Micro{9000000000});
  EXPECT_EQ(node->unlocode(), "CAHAL");
  EXPECT_EQ(node->address(), "1 Pier Road");
  const AttributeFields expected = full_node();
  EXPECT_EQ(node->properties(),
            std::vector<Property>(expected.properties.begin(), expected.properties.end()));
  EXPECT_EQ(node->from_topology(), "urn:a,urn:b");
}

// Each optional field alone, so that a wrong offset of one cannot hide behind another.
TEST(Attributes, KeepOptionalFieldsApart) {
  for (int present = 0; present < 32; ++present) {
    AttributeFields fields = full_node();
    if ((present & 1) == 0) fields.version.reset();
    if ((present & 2) == 0) fields.start.reset();
    if ((present & 4) == 0) fields.end.reset();
    if ((present & 8) == 0) fields.coordinates.reset();
    if ((present & 16) == 0) fields.altitude.reset();
    const AttributesPtr node = Attributes::make(fields);
    EXPECT_EQ(node->version(), fields.version);
    EXPECT_EQ(node->start(), fields.start);
    EXPECT_EQ(node->end(), fields.end);
    EXPECT_EQ(node->coordinates(), fields.coordinates);
    EXPECT_EQ(node->altitude(), fields.altitude);
    EXPECT_EQ(node->id(), fields.id);
    EXPECT_EQ(node->address(), fields.address);
  }
}

TEST(Attributes, AreEqualExactlyWhenTheirFieldsAre) {
  AttributeFields other = full_node();
  EXPECT_EQ(*Attributes::make(full_node()), *Attributes::make(other));
  other.id = "urn:example:node:1H";  // the same text, cut at another place
  other.name = "alifax POP";
  EXPECT_FALSE(*Attributes::make(full_node()) == *Attributes::make(other));
  other = full_node();
  other.main = true;
  EXPECT_FALSE(*Attributes::make(full_node()) == *Attributes::make(other));
}

TEST(Relations, GiveBackEveryList) {
  const std::vector<RecordId> topologies{RecordId{3}, RecordId{7}};
  const std::vector<RecordId> owners{RecordId{9}};
  const std::vector<RecordId> ends{RecordId{12}, RecordId{11}};
  const RelationsPtr link = Relations::make(
      {.topologies = topologies, .owners = owners, .ends = ends, .origin = RecordId{5}});
  EXPECT_TRUE(std::ranges::equal(link->topologies(), topologies));
  EXPECT_TRUE(std::ranges::equal(link->owners(), owners));
  EXPECT_TRUE(std::ranges::equal(link->ends(), ends));
  EXPECT_EQ(link->origin(), RecordId{5});
  EXPECT_FALSE(*link == *Relations::make({.topologies = topologies, .ends = ends}));
}

TEST(Text, IsCutByCharactersNotBytes) {
  EXPECT_EQ(cut_text("CA1234567890", 5), "CA...");
  EXPECT_EQ(cut_text("12345", 5), std::nullopt);
  EXPECT_EQ(cut_text("\u00e9\u00e9\u00e9\u00e9\u00e9", 5), std::nullopt);
  EXPECT_EQ(cut_text("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 5), "\u00e9\u00e9...");
  EXPECT_EQ(character_count("a\u00e9\u20ac"), 3U);
}

TEST(FromTopology, RoundTripsIdentifiersWithCommas) {
  const std::vector<std::string_view> ids{"urn:a", "urn:b,c"};
  EXPECT_EQ(join_from_topology(ids), "urn:a,urn:b%2Cc");
  EXPECT_EQ(split_from_topology("urn:a,urn:b%2Cc"), (std::vector<std::string>{"urn:a", "urn:b,c"}));
  EXPECT_TRUE(split_from_topology("").empty());
}

}  // namespace
}  // namespace netml::engine
