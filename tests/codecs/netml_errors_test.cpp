// What the reader refuses, and in which words (docs/requirements/exchange-format.md, section 10).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/netml/netml_reader.hpp"
#include "tests/codecs/netml_text.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::codecs {
namespace {

using engine::InputError;
using test::codes_of;
using test::errors_of;
using test::kNamespaces;
using test::kPlace;
using test::link;
using test::nested;
using test::node;
using test::root;
using test::with_prefix;
using testing::ElementsAre;

struct Refusal {
  std::string name;
  std::string text;
  std::string code;
  std::string message;
  std::string id = "t";
};
void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

class Refusals : public testing::TestWithParam<Refusal> {};

TEST_P(Refusals, NameTheirCauseAndNothingElse) {
  const std::vector<InputError> errors = errors_of(GetParam().text);
  ASSERT_EQ(errors.size(), 1U) << (errors.empty() ? "accepted" : errors[1].text());
  EXPECT_EQ(errors[0].code, GetParam().code);
  EXPECT_EQ(errors[0].message, GetParam().message);
  EXPECT_EQ(errors[0].id, GetParam().id);
  EXPECT_GT(errors[0].line, 0U);
  EXPECT_GT(errors[0].column, 0U);
}

std::string topology(std::string_view attributes, std::string_view content) {
  return with_prefix(
      fmt::format("<:Topology {} {}>{}</:Topology>", attributes, kNamespaces, content));
}

std::string institution(std::string_view content) {
  return root(fmt::format("<:Institution id='x'>{}</:Institution>", content));
}

std::string place(std::string_view content) {
  return root(node("n", fmt::format("<:Location>{}</:Location>", content)));
}

std::string version(std::string_view text) {
  return root(fmt::format("<:Node id='n' version='{}'><:name>N</:name></:Node>", text));
}

std::string link_with(std::string_view content) {
  return root("<:Link id='l'><:name>L</:name>" + std::string(content) + "</:Link>" + node("a") +
              node("b"));
}

constexpr std::string_view kEnds = "<:node>a</:node><:node>b</:node>";

const std::vector<Refusal> kStructure = {
    {"wrong_root_namespace", "<Topology id='t'/>", "wrong-root",
     "Error: the root element must be Topology in namespace "
     "http://schemas.ogf.org/nml/2020/01/grenml",
     ""},
    {"wrong_root_nml", "<Topology xmlns='http://schemas.ogf.org/nml/2013/05/base#'/>", "wrong-root",
     "Error: the root element must be Topology in namespace "
     "http://schemas.ogf.org/nml/2020/01/grenml",
     ""},
    {"unknown_child", institution("<:name>X</:name><:type>t</:type>"), "unexpected-element",
     "Error: type is not expected here; expected one of short-name, Location, Property", "x"},
    {"child_of_other_namespace", institution("<:name>X</:name><z xmlns='urn:z'/>"),
     "unexpected-element",
     "Error: z in namespace urn:z is not expected here; expected one of short-name, Location, "
     "Property",
     "x"},
    {"child_without_namespace", institution("<:name>X</:name><short-name>x</short-name>"),
     "unexpected-element",
     "Error: short-name without namespace is not expected here; expected one of short-name, "
     "Location, Property",
     "x"},
    {"misplaced_child", institution("<:name>X</:name><:Property name='p'/><:short-name/>"),
     "unexpected-element", "Error: short-name is not expected here; expected one of Property", "x"},
    {"node_before_link", root(node("a") + node("b") + link("l", "a", "b")), "unexpected-element",
     "Error: Link is not expected here; expected one of Node, Topology, nml:Topology"},
    {"institution_after_topology",
     root(nested("s") + "<:Institution id='j'><:name>J</:name></:Institution>"),
     "unexpected-element",
     "Error: Institution is not expected here; expected one of Topology, nml:Topology"},
    {"late_property_of_topology", root("<:Property name='p'/>"), "unexpected-element",
     "Error: Property is not expected here; expected one of Institution, Link, Node, Topology, "
     "nml:Topology"},
    {"repeated_child", institution("<:name>X</:name><:name>Y</:name>"), "unexpected-element",
     "Error: name is not expected here; expected one of short-name, Location, Property", "x"},
    {"third_end", link_with("<:node>a</:node><:node>b</:node><:node>a</:node>"),
     "unexpected-element", "Error: node is not expected here; expected no further element", "l"},
    {"child_in_text", institution("<:name>X<:b/></:name>"), "unexpected-element",
     "Error: b is not expected here; expected text only", "x"},
    {"short_name_of_topology",
     topology("id='t'", "<:name>T</:name><:short-name/><:owner>urn:ogf:networking:global</:owner>"),
     "unexpected-element",
     "Error: short-name is not expected here; expected one of owner, Property, Institution, Link, "
     "Node, Topology, nml:Topology"},
    {"location_of_link", link_with(std::string(kPlace) + std::string(kEnds)), "unexpected-element",
     "Error: Location is not expected here; expected one of short-name, owner, Lifetime, "
     "Property, node",
     "l"},
    {"foreign_child_of_nml_topology", root("<nml:Topology><z/></nml:Topology>"),
     "unexpected-element",
     "Error: z without namespace is not expected here; expected one of nml:Topology"},
    {"no_name", institution(""), "missing-element", "Error: Institution lacks required child name",
     "x"},
    {"no_topology_owner", topology("id='t'", "<:name>T</:name>"), "missing-element",
     "Error: Topology lacks required child owner"},
    {"no_end", link_with(""), "missing-element", "Error: Link lacks required child node", "l"},
    {"one_end", link_with("<:node>a</:node>"), "missing-element",
     "Error: Link lacks required child node", "l"},
    {"no_longitude", place("<:lat>0</:lat>"), "missing-element",
     "Error: Location lacks required child long", "n"},
    {"no_latitude", place("<:long>0</:long>"), "missing-element",
     "Error: Location lacks required child lat", "n"},
    {"unknown_attribute", root("<:Node id='n' colour='red'><:name>N</:name></:Node>"),
     "unexpected-attribute", "Error: attribute colour is not expected on Node", "n"},
    {"attribute_on_text", institution("<:name lang='en'>X</:name>"), "unexpected-attribute",
     "Error: attribute lang is not expected on name", "x"},
    {"id_in_namespace", root("<:Node id='n' nml:id='m'><:name>N</:name></:Node>"),
     "unexpected-attribute", "Error: attribute nml:id is not expected on Node", "n"},
    {"no_id", root("<:Node><:name>N</:name></:Node>"), "missing-attribute",
     "Error: attribute id is missing on Node", ""},
    {"no_property_name", institution("<:name>X</:name><:Property>v</:Property>"),
     "missing-attribute", "Error: attribute name is missing on Property", "x"},
    {"text_between_elements", root("stray"), "unexpected-text",
     "Error: text is not allowed inside Topology"},
    {"text_in_location", place("<:long>0</:long>,<:lat>0</:lat>"), "unexpected-text",
     "Error: text is not allowed inside Location", "n"},
};
INSTANTIATE_TEST_SUITE_P(Structure, Refusals, testing::ValuesIn(kStructure),
                         [](const auto& each) { return each.param.name; });

const std::vector<Refusal> kValues = {
    {"word_as_number", place("<:long>east</:long><:lat>0</:lat>"), "bad-number",
     "Error: \"east\" is not a number", "n"},
    {"decimal_comma", place("<:long>1,5</:long><:lat>0</:lat>"), "bad-number",
     "Error: \"1,5\" is not a number", "n"},
    {"empty_number", place("<:long/><:lat>0</:lat>"), "bad-number", "Error: \"\" is not a number",
     "n"},
    {"signed_infinity", place("<:long>0</:long><:lat>0</:lat><:alt>+INF</:alt>"), "bad-number",
     "Error: \"+INF\" is not a number", "n"},
    {"hexadecimal", place("<:long>0x1p3</:long><:lat>0</:lat>"), "bad-number",
     "Error: \"0x1p3\" is not a number", "n"},
    {"two_signs", place("<:long>+-1</:long><:lat>0</:lat>"), "bad-number",
     "Error: \"+-1\" is not a number", "n"},
    {"exponent_without_digits", place("<:long>1e</:long><:lat>0</:lat>"), "bad-number",
     "Error: \"1e\" is not a number", "n"},
    {"latitude_above", place("<:long>0</:long><:lat>90.0000001</:lat>"), "latitude-range",
     "Error: latitude 90.0000001 is outside -90..90", "n"},
    {"latitude_infinite", place("<:long>0</:long><:lat>INF</:lat>"), "latitude-range",
     "Error: latitude INF is outside -90..90", "n"},
    {"latitude_nan", place("<:long>0</:long><:lat>NaN</:lat>"), "latitude-range",
     "Error: latitude NaN is outside -90..90", "n"},
    {"longitude_below", place("<:long>-300</:long><:lat>0</:lat>"), "longitude-range",
     "Error: longitude -300 is outside -180..180", "n"},
    {"longitude_huge", place("<:long>1e999</:long><:lat>0</:lat>"), "longitude-range",
     "Error: longitude 1e999 is outside -180..180", "n"},
    {"altitude_nan", place("<:long>0</:long><:lat>0</:lat><:alt>NaN</:alt>"), "altitude-invalid",
     "Error: altitude is not a number", "n"},
    {"empty_id", root("<:Node id=''><:name>N</:name></:Node>"), "id-empty",
     "Error: the id of Node is empty", ""},
    {"long_id", root(node(std::string(129, 'x'))), "id-too-long",
     "Error: the id of Node is longer than 128 characters", std::string(125, 'x') + "..."},
    {"node_twice", root(node("n") + node("n")), "duplicate-id",
     "Error: Node id n is used twice in topology t", "n"},
    {"link_twice", root(link("l", "a", "b") + link("l", "b", "a") + node("a") + node("b")),
     "duplicate-id", "Error: Link id l is used twice in topology t", "l"},
    {"sub_topology_twice", root(nested("s") + nested("s")), "duplicate-id",
     "Error: Topology id s is used twice in the file", "s"},
    {"topology_like_its_parent", root(nested("t")), "duplicate-id",
     "Error: Topology id t is used twice in the file", "t"},
    {"topology_like_its_cousin", root(nested("a", nested("c")) + nested("b", nested("c"))),
     "duplicate-id", "Error: Topology id c is used twice in the file", "c"},
    {"empty_name", root("<:Node id='n'><:name/></:Node>"), "name-missing",
     "Error: Node n has no name", "n"},
    {"empty_topology_owner", topology("id='t'", "<:name>T</:name><:owner/>"), "owner-missing",
     "Error: topology t names no owner"},
    {"unknown_topology_owner", topology("id='t'", "<:name>T</:name><:owner>x</:owner>"),
     "owner-unknown", "Error: owner x of Topology t is not an institution of topology t"},
    {"unknown_node_owner", root(node("n", "<:owner>x</:owner>")), "owner-unknown",
     "Error: owner x of Node n is not an institution of topology t", "n"},
    {"unknown_link_owner", link_with("<:owner>a</:owner>" + std::string(kEnds)), "owner-unknown",
     "Error: owner a of Link l is not an institution of topology t", "l"},
    {"owner_of_the_parent_only",
     root("<:Institution id='j'><:name>J</:name></:Institution>" +
          nested("s", node("n", "<:owner>j</:owner>"))),
     "owner-unknown", "Error: owner j of Node n is not an institution of topology s", "n"},
    {"equal_ends", link_with("<:node>a</:node><:node>a</:node>"), "link-ends",
     "Error: link l must join two different nodes, found a twice", "l"},
    {"unknown_end", link_with("<:node>a</:node><:node>c</:node>"), "node-unknown",
     "Error: node c of Link l is not a node of topology t", "l"},
    {"end_in_the_child_only", root(link("l", "a", "b") + node("a") + nested("s", node("b"))),
     "node-unknown", "Error: node b of Link l is not a node of topology t", "l"},
    {"end_without_start",
     root(node("n", "<:Lifetime><nml:end>2020-01-01T00:00:00Z</nml:end></:Lifetime>")),
     "lifetime-order", "Error: the Lifetime of Node n has an end without a start", "n"},
};
INSTANTIATE_TEST_SUITE_P(Values, Refusals, testing::ValuesIn(kValues),
                         [](const auto& each) { return each.param.name; });

TEST(Timestamps, AreRefusedUnlessTheyAreDateTimes) {
  for (const char* text :
       {"2024-03-01", "2024-03-01 12:00:00Z", "2024-03-01T12:00:00+0100", "", "yesterday",
        "2024-03-01T24:00:00Z", "10000-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
        "2024-02-30T00:00:00Z", "2024-03-01t12:00:00Z", "2024-03-01T12:00:00+14:01"}) {
    const std::vector<InputError> errors = errors_of(version(text));
    ASSERT_EQ(errors.size(), 1U) << text;
    EXPECT_EQ(errors[0].code, "bad-timestamp");
    EXPECT_EQ(errors[0].message,
              fmt::format("Error: \"{}\" is not a date-time with date, T, time and perhaps an "
                          "offset",
                          text));
    EXPECT_EQ(errors[0].id, "n");
  }
}

TEST(Refusals, GiveLineAndColumnOfTheirElement) {
  const std::vector<InputError> errors = errors_of(root("\n\n  <:Node id='\u00e9'>\n</:Node>"));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].line, 3U);
  EXPECT_EQ(errors[0].column, 3U);
  EXPECT_EQ(errors[0].id, "\u00e9");
}

TEST(Refusals, GiveThePlaceOfAReferenceThatLeadsNowhere) {
  const std::vector<InputError> errors = errors_of(
      root("\n<:Link id='l'><:name>L</:name>\n <:node>a</:node>\n  <:node>b</:node></:Link>" +
           node("a")));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].line, 4U);
  EXPECT_EQ(errors[0].column, 3U);
}

TEST(Refusals, GiveThePlaceOfAnEndWithoutAStart) {
  const std::vector<InputError> errors = errors_of(
      root(node("n", "<:Lifetime>\n  <nml:end>2020-01-01T00:00:00Z</nml:end>\n</:Lifetime>")));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].code, "lifetime-order");
  EXPECT_EQ(errors[0].line, 2U);
  EXPECT_EQ(errors[0].column, 3U);
}

// Errors of form do not keep the reader from looking at what comes after them.
TEST(Refusals, AreCollectedOverTheWholeFileInItsOrder) {
  const std::string text = root(
      "\n<:Bogus><:Node id=''/></:Bogus>"
      "\n<:Link id='l'><:name/><:owner>x</:owner><:node>a</:node><:node>z</:node></:Link>"
      "\n<:Node id='a' colour='red'><:name>A</:name><:Location><:long>400</:long></:Location>"
      "</:Node>"
      "\n<:Node id='a'><:name>A</:name></:Node>" +
      nested("t", node("b", "<:Lifetime><nml:end>x</nml:end></:Lifetime>")));
  EXPECT_THAT(codes_of(text),
              ElementsAre("unexpected-element", "name-missing", "owner-unknown", "node-unknown",
                          "unexpected-attribute", "missing-element", "longitude-range",
                          "duplicate-id", "duplicate-id", "bad-timestamp", "lifetime-order"));
}

TEST(Refusals, DoNotMakeMisplacedElementsUnknown) {
  EXPECT_THAT(codes_of(root(node("n", "<:owner>j</:owner>") +
                            "<:Institution id='j'><:name>J</:name></:Institution>")),
              ElementsAre("unexpected-element"));
}

// Decision 25.
TEST(Refusals, AreCountedBeyondThoseThatAreKept) {
  ReadLimits limits;
  limits.errors = 3;
  std::string nodes;
  for (int i = 0; i < 10; ++i) nodes += node(fmt::format("n{}", i), "<:owner>nobody</:owner>");
  NetmlReader reader(limits);
  const std::string text = root(nodes);
  reader.feed(std::as_bytes(std::span(text)));
  EXPECT_FALSE(reader.stopped());
  const ReadResult result = reader.finish();
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().first.size(), 3U);
  EXPECT_EQ(result.error().count, 10U);
}

TEST(Refusals, AreTheFirstThousandAndTheNumberOfAll) {
  std::string nodes;
  for (int i = 0; i < 3000; ++i) nodes += fmt::format("<:Node id='{}' colour='red'/>", i);
  const ReadResult result = read_netml(root(nodes));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().first.size(), 1000U);
  EXPECT_GE(result.error().count, 6000U) << "an attribute and a missing name each";
}

TEST(Refusals, QuoteNoMoreThanAnExcerptOfTheFile) {
  const std::string long_name(900, 'x');
  for (const InputError& error :
       errors_of(root("<:" + long_name + "/>" + node("n", "<:owner>" + long_name + "</:owner>"))))
    EXPECT_LT(error.message.size(), 200U);
}

}  // namespace
}  // namespace netml::codecs
