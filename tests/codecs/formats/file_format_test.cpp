// The table of formats: files are known by what they begin with, and by their names where that
// tells nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/format_text.hpp"
#include "tests/codecs/formats/full_map.hpp"

namespace netml::codecs {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(FileFormat, IsKnownByWhatItsFilesBeginWith) {
  const engine::State map = test::full_map();
  for (const FileFormat& format : file_formats()) {
    if (format.write == nullptr || format.read == nullptr || !format.holds_topologies) continue;
    const auto written = format.write(map.graph, map.graph.mains().front());
    ASSERT_TRUE(written.has_value()) << format.name;
    const auto found = detect_format("map", written->bytes.substr(0, kRecognizedBytes));
    ASSERT_TRUE(found.has_value()) << format.name << ": " << found.error().text();
    EXPECT_EQ((*found)->name, format.name);
  }
}

TEST(FileFormat, IsAskedForWhereNothingTells) {
  const auto json = detect_format("map.json", R"({"a": 1})", "with --from");
  ASSERT_FALSE(json.has_value());
  EXPECT_THAT(json.error().text(), HasSubstr("none of the formats that are called so (geojson"));
  EXPECT_THAT(json.error().text(), EndsWith("; name one with --from"));
  const auto unknown = detect_format("map.txt", "neither");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_THAT(unknown.error().text(), HasSubstr("tell which format map.txt has (netml, xlsx"));
  EXPECT_THAT(unknown.error().text(), EndsWith(")")) << "nothing is said of what nobody can do";
}

TEST(FileFormat, IsNotAskedForWhereItWouldNotHelp) {
  EXPECT_EQ(detect_format("map.json", "").error().message, "map.json is empty");
  EXPECT_EQ(detect_format("map.n2p", "<network/>").error().message,
            "map.n2p is called as a Net2Plan design, which is written, and not read");
  EXPECT_EQ(detect_format("map.dot", "graph {\n  graph [label=a]").error().message,
            "map.dot is called as a Graphviz graph, which is written, and not read");
}

TEST(FileFormat, IsTheMainOneWhereXmlIsOfNoOther) {
  EXPECT_EQ(*detect_format("map.xml", "this is no XML"), &netml_format());
  EXPECT_EQ(*detect_format("map.XML", ""), &netml_format());
}

TEST(FileFormat, IsToldByANameThatNoOtherShares) {
  EXPECT_TRUE(name_tells_format("map.graphml"));
  EXPECT_FALSE(name_tells_format("map.json"));
  EXPECT_FALSE(name_tells_format("map.txt"));
}

TEST(FileFormat, IsWrittenAsTheEndOfTheNameSays) {
  EXPECT_EQ(format_to_write("map.xml"), &netml_format());
  EXPECT_EQ(format_to_write("map.geojson"), find_format("geojson"));
  EXPECT_EQ(format_to_write("map.dot"), find_format("dot"));
  EXPECT_EQ(format_to_write("map.txt"), nullptr);
}

TEST(FileFormat, TellsEachEndingOnce) {
  const std::string endings = accepted_endings();
  EXPECT_THAT(endings, StartsWith(".xml, .netml, .grenml, .xlsx, .graphml"));
  EXPECT_THAT(endings, HasSubstr(".json"));
  EXPECT_EQ(endings.find(" .json"), endings.rfind(" .json"));
  EXPECT_EQ(endings.find(".dot"), std::string::npos) << "it is written only";
}

}  // namespace
}  // namespace netml::codecs
