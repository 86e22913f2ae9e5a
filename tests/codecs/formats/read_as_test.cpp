// How a file is to be read, in one text.
#include "codecs/formats/read_as.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using testing::HasSubstr;

TEST(ReadAs, ComesBackAsItWas) {
  const auto headings = HeadingMap::parse("Node \"A\"; x=link end\r\n\n  B\\=End = LINK-END \n");
  ASSERT_TRUE(headings) << headings.error().text();
  const std::string text = ReadAs{.format = "csv", .headings = *headings, .is_update = true}.text();
  EXPECT_EQ(text, "csv;update;map=\"Node \\\"A\\\"; x=link end\nB\\\\=End=LINK-END\"");
  const auto read = parse_read_as(text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->text(), text);
  EXPECT_EQ(read->format, "csv");
  EXPECT_TRUE(read->is_update);
  EXPECT_EQ(read->headings.find("node a x"), Target::link_end);
  EXPECT_EQ(format_name_in(text), "csv");
  EXPECT_EQ(parameters_in(text), std::string_view(text).substr(3));
}

TEST(ReadAs, IsTheNameAloneWhereNothingElseIsSaid) {
  EXPECT_EQ(ReadAs{"csv"}.text(), "csv");
  EXPECT_EQ(ReadAs{}.text(), "");
  EXPECT_EQ(parse_read_as("graphml")->text(), "graphml");
  EXPECT_EQ(parse_read_as(R"(netbox;mapping="nodes=device")")->mapping, "nodes=device");
  EXPECT_EQ(parse_read_as(R"(netbox;mapping="nodes=device")")->text(),
            R"(netbox;mapping="nodes=device")");
  EXPECT_EQ(parse_read_as(" csv ; update ")->text(), "csv;update");
  EXPECT_EQ(&chosen_format("csv;update", "x.xlsx"), find_format("csv"));
  EXPECT_EQ(&chosen_format(";update", "x.xlsx"), find_format("xlsx"));
}

TEST(ReadAs, RefusesParametersThatAreNone) {
  for (const std::string_view text :
       {"csv;other", "csv;", "csv;;update", "csv;map", "csv;map=x", "csv;map=\"a=name",
        "csv;map=\"\\", "csv;map=\"a=name\"x", "csv;map=\"a\"", "csv;update=1"})
    EXPECT_FALSE(parse_read_as(text)) << text;
}

TEST(HeadingMap, NamesFieldsAsThePageOrAsHeadingsDo) {
  for (const std::string_view field :
       {"link end", "UN/LOCODE", "unlocode", "lat", "Start of the lifetime", "lifetime_start",
        "parent topology", "parent", "property", "key"})
    EXPECT_TRUE(HeadingMap::parse("x=" + std::string(field))) << field;
  EXPECT_EQ(HeadingMap::parse("x=UN/LOCODE")->find("x"), Target::unlocode);
}

TEST(HeadingMap, RefusesWhatIsNone) {
  const auto refusal = [](std::string_view lines) {
    const auto map = HeadingMap::parse(lines);
    return map ? "(none)" : map.error().text();
  };
  EXPECT_EQ(refusal("Node A"), "map: \"Node A\" is not of the form HEADING=FIELD");
  EXPECT_EQ(refusal("-=name"), "map: \"-=name\" names no heading");
  EXPECT_EQ(refusal("a=name\nA=key"), "map: the heading \"A\" is there twice");
  EXPECT_THAT(refusal("a=colour"),
              HasSubstr("\"a=colour\" names no field; these are: UN/LOCODE, "));
}

}  // namespace
}  // namespace netml::codecs
