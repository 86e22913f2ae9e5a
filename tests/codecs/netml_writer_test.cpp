// What the writer emits (docs/requirements/exchange-format.md, section 11), and that reading it
// gives the same state again.
#include "codecs/netml/netml_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/graph/graph_changes.hpp"
#include "engine/import/plan_import.hpp"
#include "tests/codecs/netml_text.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::codecs {
namespace {

using engine::AttributeFields;
using engine::Attributes;
using engine::Coordinates;
using engine::Graph;
using engine::Micro;
using engine::Property;
using engine::RelationFields;
using engine::Relations;
using engine::State;
using test::link;
using test::nested;
using test::node;
using test::root;
using test::with_prefix;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

State import(const State& state, std::string_view text) {
  const ReadResult document = read_netml(text);
  EXPECT_TRUE(document.has_value()) << document.error().first.front().text();
  const auto plan = engine::plan_import(state, *document, {});
  EXPECT_TRUE(plan.has_value());
  const auto next = engine::apply(state, plan->transaction, state.lsn.next());
  EXPECT_TRUE(next.has_value());
  return *next;
}

std::string export_of(const Graph& graph) {
  const auto root = engine::export_root(graph);
  EXPECT_TRUE(root.has_value());
  NetmlWriter writer(graph, *engine::export_tree(graph, *root));
  std::string whole;
  while (const auto piece = writer.next()) writer.write_part(*piece, whole, std::string::npos);
  return whole;
}

std::string exported(std::string_view text) {
  return export_of(import({}, text).graph);
}

// A graph of one topology `t`, owned by institution `i`, and one more record of the fields given.
class OneRecord {
 public:
  explicit OneRecord(AttributeFields fields) {
    engine::GraphChanges changes{Graph{}};
    AttributeFields topology;
    topology.id = topology.name = "t";
    topology.main = true;
    changes.put(kTopology, {Attributes::make(topology), Relations::make({.owners = kOwners})});
    AttributeFields owner;
    owner.kind = Kind::institution;
    owner.id = owner.name = "i";
    changes.put(kOwner, {Attributes::make(owner), Relations::make({.topologies = kTopologies})});
    if (fields.id.empty()) fields.id = "x";
    if (fields.name.empty()) fields.name = "X";
    changes.put(RecordId{3},
                {Attributes::make(fields), Relations::make({.topologies = kTopologies})});
    changes.set_next(RecordId{4}, RecordNumber{4});
    graph_ = std::move(changes).finish();
  }

  // The element `x` as written.
  std::string element() const {
    const std::string whole = export_of(graph_);
    for (const std::string_view tag : {"grenml:Node", "grenml:Institution"}) {
      const std::size_t begin = whole.find(fmt::format("<{} id=\"x\"", tag));
      if (begin == std::string::npos) continue;
      const std::string close = fmt::format("</{}>", tag);
      return whole.substr(begin, whole.find(close, begin) + close.size() - begin);
    }
    return {};
  }

 private:
  static constexpr RecordId kTopology{1};
  static constexpr RecordId kOwner{2};
  static constexpr RecordId kTopologies[] = {kTopology};
  static constexpr RecordId kOwners[] = {kOwner};
  Graph graph_;
};

AttributeFields node_fields() {
  AttributeFields fields;
  fields.kind = Kind::node;
  fields.coordinates = Coordinates{};
  return fields;
}

AttributeFields institution_fields() {
  AttributeFields fields;
  fields.kind = Kind::institution;
  return fields;
}

// ---- exact bytes ----

std::string golden(const std::string& name) {
  return netml::test::file_content(NETML_GOLDEN "/netml/" + name);
}

TEST(NetmlWriter, WritesTheGoldenExport) {
  EXPECT_EQ(exported(golden("bay.xml")), golden("bay.export.xml"));
}

TEST(NetmlWriter, DeclaresNamespacesOnTheRootOnly) {
  const std::string text = exported(root(nested("s")));
  EXPECT_THAT(text,
              StartsWith("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<grenml:Topology id=\"t\" "
                         "xmlns:grenml=\"http://schemas.ogf.org/nml/2020/01/grenml\" "
                         "xmlns:nml=\"http://schemas.ogf.org/nml/2013/05/base#\" "
                         "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                         "xsi:schemaLocation=\"http://schemas.ogf.org/nml/2020/01/grenml "
                         "validation/grenml.xsd http://schemas.ogf.org/nml/2013/05/base# "
                         "validation/nmlbase.xsd\"><grenml:name>T</grenml:name>"
                         "<grenml:owner>i</grenml:owner>"));
  EXPECT_THAT(text, HasSubstr("<grenml:Topology id=\"s\"><grenml:name>"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  EXPECT_THAT(text, testing::EndsWith("</grenml:Topology></grenml:Topology>"));
}

TEST(NetmlWriter, WritesElementsById) {
  const std::string text = exported(root(node("c") + node("a") + node("b")));
  EXPECT_LT(text.find("Node id=\"a\""), text.find("Node id=\"b\""));
  EXPECT_LT(text.find("Node id=\"b\""), text.find("Node id=\"c\""));
}

TEST(NetmlWriter, WritesTheBuiltInGlobalInstitutionWhereNoneIsStored) {
  engine::test::GraphBuilder builder;
  const RecordId topology = builder.topology("t", {}, RecordId{2}, true);
  builder.institution("i", {topology});
  EXPECT_THAT(export_of(builder.build()),
              HasSubstr("<grenml:owner>i</grenml:owner>"
                        "<grenml:Institution id=\"urn:ogf:networking:global\">"
                        "<grenml:name>GREN</grenml:name>"
                        "<grenml:Property name=\"tag\">global</grenml:Property>"
                        "</grenml:Institution><grenml:Institution id=\"i\">"));
}

TEST(NetmlWriter, AddsThePrimaryOwnerToEveryElement) {
  EXPECT_THAT(OneRecord(node_fields()).element(), HasSubstr("<grenml:owner>i</grenml:owner>"));
}

TEST(NetmlWriter, MarksWhatBelongsElsewhereAsACopy) {
  engine::test::GraphBuilder builder;
  const RecordId here = builder.topology("here", {}, RecordId{3}, true);
  const RecordId there = builder.topology("the,re", here, RecordId{3});
  const RecordId owner = builder.institution("i", {here});
  const RecordId a = builder.node("a", {here}, {owner});
  const RecordId b = builder.node("b", {there}, {owner});
  builder.link("l", {here}, {owner}, a, b);
  const std::string text = export_of(builder.build());
  EXPECT_THAT(text, HasSubstr("<grenml:Node id=\"b\"><grenml:name>b</grenml:name>"
                              "<grenml:owner>i</grenml:owner>"
                              "<grenml:Location><grenml:long>0.0</grenml:long>"
                              "<grenml:lat>0.0</grenml:lat></grenml:Location>"
                              "<grenml:Property name=\"!-from_topology\">the%2Cre"
                              "</grenml:Property></grenml:Node>"));
  EXPECT_THAT(text, HasSubstr("<grenml:Property name=\"!-from_topology\">here</grenml:Property>"
                              "</grenml:Institution>"));
  EXPECT_TRUE(read_netml(text).has_value());
}

// ---- values ----

struct DecimalCase {
  std::int64_t micro;
  const char* shortest;
  const char* six;
};
void PrintTo(const DecimalCase& shown, std::ostream* out) {
  *out << shown.shortest;
}
class Decimals : public testing::TestWithParam<DecimalCase> {};
TEST_P(Decimals, AreWrittenShortAsDegreesAndInFullAsAltitude) {
  AttributeFields fields = node_fields();
  fields.coordinates->longitude = Micro{GetParam().micro};
  fields.altitude = Micro{GetParam().micro};
  EXPECT_THAT(OneRecord(fields).element(),
              HasSubstr(fmt::format("<grenml:Location><grenml:long>{}</grenml:long>"
                                    "<grenml:lat>0.0</grenml:lat><grenml:alt>{}</grenml:alt>"
                                    "</grenml:Location>",
                                    GetParam().shortest, GetParam().six)));
}
INSTANTIATE_TEST_SUITE_P(Forms, Decimals,
                         testing::Values(DecimalCase{0, "0.0", "0.000000"},
                                         DecimalCase{-63'570'000, "-63.57", "-63.570000"},
                                         DecimalCase{10'000'000, "10.0", "10.000000"},
                                         DecimalCase{10, "0.00001", "0.000010"},
                                         DecimalCase{-1, "-0.000001", "-0.000001"},
                                         DecimalCase{100'200'300, "100.2003", "100.200300"},
                                         DecimalCase{180'000'000, "180.0", "180.000000"}));

TEST(NetmlWriter, WritesALocationOnEveryNodeAndNoUnknownAltitude) {
  AttributeFields fields = node_fields();
  fields.coordinates.reset();
  EXPECT_THAT(OneRecord(fields).element(),
              HasSubstr("<grenml:Location><grenml:long>0.0</grenml:long>"
                        "<grenml:lat>0.0</grenml:lat></grenml:Location>"));
}

TEST(NetmlWriter, WritesTheLocationOfAnInstitutionOnlyIfItSaysSomething) {
  EXPECT_THAT(OneRecord(institution_fields()).element(), Not(HasSubstr("Location")));
  AttributeFields at_origin = institution_fields();
  at_origin.coordinates = Coordinates{};
  at_origin.altitude = Micro{0};
  EXPECT_THAT(OneRecord(at_origin).element(), Not(HasSubstr("Location")));
  AttributeFields coded = institution_fields();
  coded.unlocode = "CAHAL";
  EXPECT_THAT(OneRecord(coded).element(),
              HasSubstr("<grenml:lat>0.0</grenml:lat><grenml:unlocode>CAHAL</grenml:unlocode>"
                        "</grenml:Location>"));
  AttributeFields addressed = institution_fields();
  addressed.address = "1 Road";
  EXPECT_THAT(OneRecord(addressed).element(), HasSubstr("<grenml:address>1 Road</grenml:address>"));
  AttributeFields high = institution_fields();
  high.altitude = Micro{1};
  EXPECT_THAT(OneRecord(high).element(), HasSubstr("<grenml:alt>0.000001</grenml:alt>"));
}

TEST(NetmlWriter, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(OneRecord(institution_fields()).element(),
            "<grenml:Institution id=\"x\"><grenml:name>X</grenml:name></grenml:Institution>");
}

TEST(NetmlWriter, WritesTimesInUtcToTheSecond) {
  AttributeFields fields = node_fields();
  fields.version = *parse_instant("0987-03-01T12:00:00.9-04:00");
  fields.start = *parse_instant("1969-12-31T23:59:59Z");
  fields.end = *parse_instant("9999-12-31T23:59:59Z");
  const std::string text = OneRecord(fields).element();
  EXPECT_THAT(text, HasSubstr("id=\"x\" version=\"0987-03-01T16:00:00+00:00\">"));
  EXPECT_THAT(text, HasSubstr("<grenml:Lifetime><nml:start>1969-12-31T23:59:59+00:00</nml:start>"
                              "<nml:end>9999-12-31T23:59:59+00:00</nml:end></grenml:Lifetime>"));
}

TEST(NetmlWriter, EscapesTexts) {
  AttributeFields fields = node_fields();
  fields.name = "<a> & \"b\" 'c'\r\n\t\u20ac";
  EXPECT_THAT(OneRecord(fields).element(),
              HasSubstr("<grenml:name>&lt;a&gt; &amp; \"b\" 'c'&#13;\n\t\u20ac</grenml:name>"));
}

struct QuoteCase {
  const char* name;
  const char* written;
};
void PrintTo(const QuoteCase& shown, std::ostream* out) {
  *out << testing::PrintToString(shown.name);
}
class Quotes : public testing::TestWithParam<QuoteCase> {};
TEST_P(Quotes, SuitTheValueOfAnAttribute) {
  AttributeFields fields = node_fields();
  const Property properties[] = {{GetParam().name, "v"}};
  fields.properties = properties;
  EXPECT_THAT(
      OneRecord(fields).element(),
      HasSubstr(fmt::format("<grenml:Property name={}>v</grenml:Property>", GetParam().written)));
}
INSTANTIATE_TEST_SUITE_P(Forms, Quotes,
                         testing::Values(QuoteCase{"", "\"\""}, QuoteCase{"it's", "\"it's\""},
                                         QuoteCase{"a \"b\"", "'a \"b\"'"},
                                         QuoteCase{"\"it's\"", "\"&quot;it's&quot;\""},
                                         QuoteCase{"<&>\r\n\t",
                                                   "\"&lt;&amp;&gt;&#13;&#10;&#9;\""}));

TEST(NetmlWriter, WritesAllValuesOfAPropertyTogether) {
  AttributeFields fields = node_fields();
  const Property properties[] = {{"b", "1"}, {"!-x", ""}, {"b", "0"}, {"a", "2"}, {"!-x", "3"}};
  fields.properties = properties;
  EXPECT_THAT(OneRecord(fields).element(),
              HasSubstr("<grenml:Property name=\"b\">1</grenml:Property>"
                        "<grenml:Property name=\"b\">0</grenml:Property>"
                        "<grenml:Property name=\"!-x\"></grenml:Property>"
                        "<grenml:Property name=\"!-x\">3</grenml:Property>"
                        "<grenml:Property name=\"a\">2</grenml:Property>"));
}

TEST(NetmlWriter, WritesThePropertiesOfATopology) {
  const std::string text = exported(with_prefix(
      fmt::format("<:Topology id='t' {}><:name>T</:name><:owner>urn:ogf:networking:global</:owner>"
                  "<:Property name='p'>v</:Property></:Topology>",
                  test::kNamespaces)));
  EXPECT_THAT(text, HasSubstr("</grenml:owner><grenml:Property name=\"p\">v</grenml:Property>"
                              "<grenml:Institution"));
}

// ---- pieces ----

TEST(NetmlWriter, GivesOnePieceForEachTopology) {
  const State state = import({}, root(nested("a", nested("b", nested("c"))) + nested("d")));
  NetmlWriter writer(state.graph,
                     *engine::export_tree(state.graph, *engine::export_root(state.graph)));
  std::vector<std::string> pieces;
  while (const auto piece = writer.next())
    writer.write_part(*piece, pieces.emplace_back(), std::string::npos);
  ASSERT_EQ(pieces.size(), 5U);
  const auto closings = [](const std::string& piece) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = piece.find("</grenml:Topology>", at)) != piece.npos; ++at)
      ++count;
    return count;
  };
  EXPECT_EQ(closings(pieces[0]), 0U);
  EXPECT_EQ(closings(pieces[2]), 0U);
  EXPECT_EQ(closings(pieces[3]), 3U);
  EXPECT_EQ(closings(pieces[4]), 2U);
}

TEST(NetmlWriter, WritesAPieceInPartsOfAnyLength) {
  const State state = import({}, golden("bay.xml"));
  const auto tree = *engine::export_tree(state.graph, *engine::export_root(state.graph));
  const std::string whole = export_of(state.graph);
  for (const std::size_t part : {1, 100, 5000, 1 << 20}) {
    NetmlWriter writer(state.graph, tree);
    std::string text;
    std::size_t longest = 0;
    while (const auto piece = writer.next()) {
      bool done = false;
      while (!done) {
        std::string written;
        done = writer.write_part(*piece, written, part);
        longest = std::max(longest, written.size());
        text += written;
      }
    }
    EXPECT_EQ(text, whole) << part;
    if (part == 100) {
      EXPECT_LT(longest, whole.size() / 2) << "no part is much longer than was asked for";
    }
  }
}

// ---- there and back ----

TEST(RoundTrip, GivesTheSameBytesFromTheFirstExportOn) {
  const std::string first = exported(golden("bay.xml"));
  EXPECT_EQ(exported(first), first);
}

TEST(RoundTrip, ChangesNothingInTheState) {
  const State state = import({}, golden("bay.xml"));
  const State again = import(state, export_of(state.graph));
  EXPECT_EQ(export_of(again.graph), export_of(state.graph));
}

TEST(RoundTrip, IgnoresTheOrderInWhichElementsCame) {
  EXPECT_EQ(exported(root(link("l", "a", "b") + link("k", "a", "b") + node("a") + node("b"))),
            exported(root(link("k", "a", "b") + link("l", "a", "b") + node("b") + node("a"))));
}

}  // namespace
}  // namespace netml::codecs
