// Goal: what cannot be made from the description of records says the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/graph/attributes.hpp"
#include "tests/support/file_content.hpp"

namespace netml::engine {
namespace {

std::string lines_of_the_site() {
  const std::string all =
      netml::test::file_content(NETML_SOURCE_DIR "/admin/web/src/app/record_fields.ts");
  constexpr std::string_view kBegin = "FurtherText[] = [\n";
  const std::size_t begin = all.find(kBegin) + kBegin.size();
  return all.substr(begin, all.find("];", begin) - begin);
}

std::string kinds_of(const Attribute<std::string_view>& text) {
  std::string kinds;
  for (const auto& [kind, name] :
       {std::pair(Kind::topology, "topologies"), std::pair(Kind::institution, "institutions"),
        std::pair(Kind::node, "nodes"), std::pair(Kind::link, "links")})
    if (text.applies_to(kind)) kinds += fmt::format("{}'{}'", kinds.empty() ? "" : ", ", name);
  return kinds;
}

TEST(RecordFields, OfTheSiteAreThoseOfTheDescription) {
  std::string expected;
  for_each_further_text([&](const auto& text) {
    expected += fmt::format("  {{ name: '{}', label: '{}', longest: {}, of: [{}] }},\n", text.name,
                            heading_of(text.name), text.characters_max, kinds_of(text));
  });
  EXPECT_EQ(lines_of_the_site(), expected);
}

TEST(RecordFields, AreSpelledAsEachFormatDoes) {
  EXPECT_EQ(spelled("short_name"), "short name");
  EXPECT_EQ(heading_of("short_name"), "Short name");
  EXPECT_EQ(with_hyphens("short_name").view(), "short-name");
  EXPECT_EQ(in_camel_case("short_name").view(), "shortName");
}

TEST(RecordFields, BelongToKinds) {
  EXPECT_TRUE(applies_to(&AttributeFields::main, Kind::topology));
  EXPECT_FALSE(applies_to(&AttributeFields::main, Kind::node));
  EXPECT_FALSE(applies_to(&AttributeFields::short_name, Kind::topology));
  EXPECT_TRUE(applies_to(&AttributeFields::coordinates, Kind::institution));
  EXPECT_FALSE(applies_to(&AttributeFields::address, Kind::link));
}

}  // namespace
}  // namespace netml::engine
