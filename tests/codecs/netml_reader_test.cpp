// What the reader accepts and what becomes of it (docs/requirements/exchange-format.md, sections 1
// to 9, 13 and 15).
#include "codecs/netml/netml_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codecs/netml_text.hpp"
#include "tests/support/file_content.hpp"

namespace netml::codecs {
namespace {

using engine::Coordinates;
using engine::Document;
using engine::DocumentElement;
using engine::kNoIndex;
using engine::Micro;
using engine::Property;
using test::codes_of;
using test::link;
using test::nested;
using test::node;
using test::notes_of;
using test::read_well;
using test::root;
using test::same;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const engine::Attributes& only_node(const Document& document) {
  return *document.nodes(document.topologies.front()).front().attributes;
}

std::vector<std::string> ids(std::span<const DocumentElement> elements) {
  std::vector<std::string> ids;
  for (const DocumentElement& element : elements) ids.emplace_back(element.attributes->id());
  return ids;
}

std::vector<std::string> owner_ids(const Document& document, const DocumentElement& element) {
  std::vector<std::string> ids;
  for (const auto owner : document.owners_of(element))
    ids.emplace_back(document.elements[owner].attributes->id());
  return ids;
}

// ---- a file with everything in it (section 13) ----

class BayFile : public testing::Test {
 protected:
  void SetUp() override {
    document_ = read_well(netml::test::file_content(NETML_GOLDEN "/netml/bay.xml"));
    ASSERT_EQ(document_.topologies.size(), 2U);
  }
  Document document_;
};

TEST_F(BayFile, GivesTheTreeOfTopologiesFromTheRootDown) {
  const auto& [bay, rock] = std::tie(document_.topologies[0], document_.topologies[1]);
  EXPECT_EQ(bay.attributes->id(), "urn:example:topo:bay");
  EXPECT_EQ(bay.attributes->name(), "Bay Area Research Net");
  EXPECT_EQ(bay.attributes->version(), parse_instant("2024-03-01T12:00:00Z"));
  EXPECT_FALSE(bay.attributes->main());
  EXPECT_THAT(bay.attributes->properties(), ElementsAre(Property{"description", "Fish & fibre"}));
  EXPECT_EQ(bay.parent, kNoIndex);
  EXPECT_EQ(document_.elements[bay.owner].attributes->id(), "urn:example:inst:baynet");
  EXPECT_EQ(rock.parent, 0U);
  EXPECT_EQ(rock.attributes->version(), std::nullopt);
  EXPECT_EQ(document_.elements[rock.owner].attributes->id(), "urn:example:inst:rock");
}

TEST_F(BayFile, ListsElementsByTopologyAndKind) {
  const auto& [bay, rock] = std::tie(document_.topologies[0], document_.topologies[1]);
  EXPECT_THAT(
      ids(document_.institutions(bay)),
      ElementsAre("urn:ogf:networking:global", "urn:example:inst:baynet", "urn:example:inst:rock"));
  EXPECT_THAT(ids(document_.nodes(bay)),
              ElementsAre("urn:example:node:quay", "urn:example:node:rock"));
  EXPECT_THAT(ids(document_.links(bay)), ElementsAre("urn:example:link:cable"));
  EXPECT_THAT(ids(document_.institutions(rock)),
              ElementsAre("urn:ogf:networking:global", "urn:example:inst:rock"));
  EXPECT_THAT(ids(document_.nodes(rock)), ElementsAre("urn:example:node:rock"));
  EXPECT_THAT(document_.links(rock), IsEmpty());
}

TEST_F(BayFile, KeepsEveryFieldOfAnInstitution) {
  const engine::Attributes& baynet = *document_.institutions(document_.topologies[0])[1].attributes;
  EXPECT_EQ(baynet.kind(), Kind::institution);
  EXPECT_EQ(baynet.name(), "BayNet");
  EXPECT_EQ(baynet.short_name(), "BN");
  EXPECT_EQ(baynet.version(), parse_instant("2024-02-29T12:30:00Z"));
  EXPECT_EQ(baynet.coordinates(), (Coordinates{Micro{44'650'000}, Micro{-63'570'000}}));
  EXPECT_EQ(baynet.altitude(), Micro{12'500'000});
  EXPECT_EQ(baynet.unlocode(), "CAHAL");
  EXPECT_EQ(baynet.address(), "7 Quay Street, Bayville");
  EXPECT_THAT(baynet.properties(), ElementsAre(Property{"url", "https://baynet.example/?x=1&y=2"},
                                               Property{"tag", "sren"}, Property{"note", ""},
                                               Property{"tag", "connected institution"}));
}

TEST_F(BayFile, ResolvesOwnersAndEnds) {
  const auto& bay = document_.topologies[0];
  const DocumentElement& cable = document_.links(bay)[0];
  EXPECT_EQ(cable.attributes->short_name(), "SC");
  EXPECT_EQ(cable.attributes->version(), parse_instant("2024-03-01T09:00:00Z"));
  EXPECT_EQ(cable.attributes->start(), parse_instant("2020-01-01T00:00:00Z"));
  EXPECT_EQ(cable.attributes->end(), parse_instant("2035-12-31T23:59:59Z"));
  EXPECT_THAT(owner_ids(document_, cable),
              ElementsAre("urn:example:inst:baynet", "urn:example:inst:rock"));
  EXPECT_EQ(document_.elements[cable.ends[0]].attributes->id(), "urn:example:node:quay");
  EXPECT_EQ(document_.elements[cable.ends[1]].attributes->id(), "urn:example:node:rock");
  EXPECT_THAT(owner_ids(document_, document_.nodes(document_.topologies[1])[0]),
              ElementsAre("urn:example:inst:rock"));
}

TEST_F(BayFile, RoundsCoordinatesAndCapsAltitudes) {
  const engine::Attributes& quay = *document_.nodes(document_.topologies[0])[0].attributes;
  EXPECT_EQ(quay.coordinates(), (Coordinates{Micro{44'650'000}, Micro{-63'571'235}}));
  EXPECT_EQ(quay.altitude(), Micro{9'000'000'000});
  const engine::Attributes& rock = *document_.nodes(document_.topologies[0])[1].attributes;
  EXPECT_EQ(rock.altitude(), std::nullopt);
}

TEST_F(BayFile, MarksCopiesInBothSpellings) {
  const auto& bay = document_.topologies[0];
  for (const engine::AttributesPtr& copy :
       {document_.institutions(bay)[2].attributes, document_.nodes(bay)[1].attributes}) {
    EXPECT_TRUE(copy->is_copy());
    EXPECT_THAT(copy->properties(),
                ElementsAre(Property{"!-from_topology", "urn:example:topo:rock"}));
  }
}

// ---- envelope (sections 1 and 9) ----

TEST(NetmlReader, KnowsNamespacesNotPrefixes) {
  const Document expected = read_well(root(""));
  EXPECT_TRUE(same(expected, read_well(R"(<Topology id="t"
      xmlns="http://schemas.ogf.org/nml/2020/01/grenml"><name>T</name><owner>i</owner>
      <Institution id="i"><name>I</name></Institution></Topology>)")));
  EXPECT_TRUE(same(expected, read_well(R"(<x:Topology id="t"
      xmlns:x="http://schemas.ogf.org/nml/2020/01/grenml"><x:name>T</x:name><owner
      xmlns="http://schemas.ogf.org/nml/2020/01/grenml">i</owner>
      <x:Institution id="i"><x:name>I</x:name></x:Institution></x:Topology>)")));
}

TEST(NetmlReader, IgnoresSchemaInstanceAndXmlAttributes) {
  const Document document = read_well(root(node(
      "n", std::string(test::kPlace) +
               R"(<:Property xml:lang="en" xsi:type="x" name="p" xml:base="y">v</:Property>)")));
  EXPECT_THAT(only_node(document).properties(), ElementsAre(Property{"p", "v"}));
}

TEST(NetmlReader, JoinsTextAroundCommentsSectionsAndInstructions) {
  const Document document = read_well(root(
      "<:Node id='n'><:name>a<!-- c -->b<![CDATA[<c>]]><?p i?>&#100;&amp;&#x65;</:name></:Node>"));
  EXPECT_EQ(only_node(document).name(), "ab<c>d&e");
}

TEST(NetmlReader, TakesShortAndLongEmptyElementsForTheSame) {
  EXPECT_TRUE(
      same(read_well(root("<:Node id='n'><:name>N</:name><:Lifetime/></:Node>")),
           read_well(root("<:Node id='n'><:name>N</:name><:Lifetime></:Lifetime></:Node>"))));
}

TEST(NetmlReader, AcceptsAByteOrderMark) {
  EXPECT_TRUE(same(read_well(root("")), read_well("\xef\xbb\xbf" + root(""))));
}

TEST(NetmlReader, HonoursTheDeclaredEncoding) {
  const std::string latin = "<?xml version='1.0' encoding='ISO-8859-1'?>" +
                            root("<:Node id='n'><:name>\xe9</:name></:Node>");
  EXPECT_EQ(only_node(read_well(latin)).name(), "\u00e9");
}

TEST(NetmlReader, ReadsUtf16InBothByteOrders) {
  const std::string text = "<?xml version='1.0' encoding='UTF-16'?>" + root(node("n"));
  std::string little = "\xff\xfe";
  std::string big = "\xfe\xff";
  for (const char c : text) {
    (little += c) += '\0';
    (big += '\0') += c;
  }
  const Document expected = read_well(root(node("n")));
  EXPECT_TRUE(same(expected, read_well(little)));
  EXPECT_TRUE(same(expected, read_well(big)));
}

TEST(NetmlReader, IgnoresEmptyNmlTopologies) {
  const Document document =
      read_well(root("<nml:Topology><nml:Topology id='x'/> <nml:Topology/></nml:Topology>"));
  EXPECT_EQ(document.topologies.size(), 1U);
  EXPECT_THAT(document.notes, IsEmpty());
}

TEST(NetmlReader, SkipsOtherNmlContentWithANote) {
  const Document document =
      read_well(root("<nml:Topology><nml:Node id='x'><nml:name>n</nml:name></nml:Node><nml:Link/>"
                     "</nml:Topology>"));
  EXPECT_THAT(document.nodes(document.topologies[0]), IsEmpty());
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_FALSE(document.notes[0].warning);
  EXPECT_THAT(document.notes[0].text, HasSubstr("nml:Topology at line 1"));
}

// ---- identifiers and references (sections 3 to 5) ----

TEST(NetmlReader, ComparesIdentifiersByteForByte) {
  const Document document = read_well(root(node("n") + node("N") + node(" n") + node("n ")));
  EXPECT_EQ(document.nodes(document.topologies[0]).size(), 4U);
}

TEST(NetmlReader, LetsKindsAndTopologiesShareIdentifiers) {
  const Document document =
      read_well(root(link("a", "a", "b") + node("a") + node("b") + nested("s", node("a"))));
  EXPECT_EQ(document.elements.size(), 8U);
}

TEST(NetmlReader, LetsATopologyHaveTheIdentifierOfAnElement) {
  EXPECT_EQ(read_well(root(node("t") + nested("i"))).topologies.size(), 2U);
}

TEST(NetmlReader, AcceptsIdentifiersOfExactlyTheLimitInCharacters) {
  std::string id;
  for (int i = 0; i < 128; ++i) id += "\u00e9";
  EXPECT_EQ(only_node(read_well(root(node(id)))).id(), id);
}

TEST(NetmlReader, CollapsesRepeatedOwnersAndAddsThePrimaryOne) {
  const Document document = read_well(
      root("<:Institution id='j'><:name>J</:name></:Institution>" +
           node("n", "<:owner>j</:owner><:owner>i</:owner><:owner>j</:owner>") + node("m", "")));
  const auto nodes = document.nodes(document.topologies[0]);
  EXPECT_THAT(owner_ids(document, nodes[0]), ElementsAre("i", "j"));
  EXPECT_THAT(owner_ids(document, nodes[1]), ElementsAre("i"));
}

TEST(NetmlReader, PutsTheGlobalInstitutionFirstInEveryTopology) {
  const Document document = read_well(root(nested("s")));
  for (const engine::DocumentTopology& topology : document.topologies) {
    const engine::Attributes& global = *document.institutions(topology).front().attributes;
    EXPECT_EQ(global, *engine::global_institution());
  }
}

TEST(NetmlReader, ReplacesTheFilesTextForTheGlobalInstitution) {
  const Document document = read_well(
      root("<:Institution id='urn:ogf:networking:global'><:name>Mine</:name></:Institution>" +
           node("n", "<:owner>urn:ogf:networking:global</:owner>")));
  EXPECT_THAT(ids(document.institutions(document.topologies[0])),
              ElementsAre("urn:ogf:networking:global", "i"));
  EXPECT_EQ(document.elements[0].attributes->name(), "GREN");
  EXPECT_THAT(owner_ids(document, document.nodes(document.topologies[0])[0]),
              ElementsAre("urn:ogf:networking:global", "i"));
  EXPECT_THAT(document.notes[0].text, HasSubstr("built-in"));
}

TEST(NetmlReader, LetsTheGlobalInstitutionBeThePrimaryOwner) {
  const Document document = read_well(test::with_prefix(
      fmt::format("<:Topology id='t' {}><:name>T</:name><:owner>urn:ogf:networking:global</:owner>"
                  "</:Topology>",
                  test::kNamespaces)));
  EXPECT_EQ(document.topologies[0].owner, 0U);
}

TEST(NetmlReader, KeepsTheFirstOfTwoInstitutionsAndTellsOfTheOther) {
  const Document document =
      read_well(root("<:Institution id='i'><:name>Second</:name></:Institution>"));
  EXPECT_EQ(document.institutions(document.topologies[0])[1].attributes->name(), "I");
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_FALSE(document.notes[0].warning);
  EXPECT_EQ(document.notes[0].kind, Kind::institution);
  EXPECT_THAT(document.notes[0].text, HasSubstr("listed again"));
}

TEST(NetmlReader, ListsSiblingsAndTheirChildrenInPreOrder) {
  const Document document =
      read_well(root(nested("a", nested("a1", node("x")) + nested("a2")) + nested("b", node("y"))));
  std::vector<std::string> order;
  std::vector<engine::DocumentIndex> parents;
  for (const engine::DocumentTopology& topology : document.topologies) {
    order.emplace_back(topology.attributes->id());
    parents.push_back(topology.parent);
  }
  EXPECT_THAT(order, ElementsAre("t", "a", "a1", "a2", "b"));
  EXPECT_THAT(parents, ElementsAre(kNoIndex, 0, 1, 1, 0));
  EXPECT_THAT(ids(document.nodes(document.topologies[2])), ElementsAre("x"));
  EXPECT_THAT(ids(document.nodes(document.topologies[4])), ElementsAre("y"));
}

// ---- values (sections 2.5, 6 and 7) ----

TEST(NetmlReader, AcceptsANodeWithoutLocationWithAWarning) {
  const Document document = read_well(root(node("n", "")));
  EXPECT_EQ(only_node(document).coordinates(), std::nullopt);
  EXPECT_EQ(only_node(document).altitude(), std::nullopt);
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_TRUE(document.notes[0].warning);
  EXPECT_EQ(document.notes[0].text, "Node n: has no Location; its position is unknown");
}

TEST(NetmlReader, LowersPropertyNamesInEveryScript) {
  const Document document = read_well(root(node(
      "n", std::string(test::kPlace) +
               "<:Property name='TAG'>Core</:Property>"
               "<:Property name='\u00c9\u0130\u03a3\u0416\u1e9e\U00010400'>\u00c9</:Property>")));
  EXPECT_THAT(only_node(document).properties(),
              ElementsAre(Property{"tag", "Core"},
                          Property{"\u00e9i\u03c3\u0436\u00df\U00010428", "\u00c9"}));
}

TEST(NetmlReader, KeepsPropertyValuesVerbatimInFileOrder) {
  const Document document = read_well(root(node(
      "n", std::string(test::kPlace) + "<:Property name=''> a\n b </:Property><:Property name='x'/>"
                                       "<:Property name=''> a\n b </:Property>")));
  EXPECT_THAT(only_node(document).properties(),
              ElementsAre(Property{"", " a\n b "}, Property{"x", ""}, Property{"", " a\n b "}));
}

TEST(NetmlReader, DoesNotTrimNames) {
  EXPECT_EQ(only_node(read_well(root("<:Node id='n'><:name> </:name></:Node>"))).name(), " ");
}

struct NumberCase {
  const char* text;
  std::int64_t micro;
};
void PrintTo(const NumberCase& shown, std::ostream* out) {
  *out << testing::PrintToString(shown.text);
}
class Longitudes : public testing::TestWithParam<NumberCase> {};
TEST_P(Longitudes, AreReadToSixDecimals) {
  const Document document =
      read_well(root(node("n", fmt::format("<:Location><:long>{}</:long><:lat>0</:lat></:Location>",
                                           GetParam().text))));
  EXPECT_EQ(only_node(document).coordinates()->longitude, Micro{GetParam().micro});
}
INSTANTIATE_TEST_SUITE_P(
    Forms, Longitudes,
    testing::Values(NumberCase{".5", 500'000}, NumberCase{"5.", 5'000'000},
                    NumberCase{"1E-2", 10'000}, NumberCase{" 1\n", 1'000'000},
                    NumberCase{"+1", 1'000'000}, NumberCase{"-0", 0}, NumberCase{"-0.0000001", 0},
                    NumberCase{"180", 180'000'000}, NumberCase{"-180.0", -180'000'000},
                    NumberCase{"-63.5712345678", -63'571'235},
                    // Halfway as written; the double decides: which is below, above, above.
                    NumberCase{"0.0000005", 0}, NumberCase{"1.0000005", 1'000'001},
                    NumberCase{"0.0000015", 2}, NumberCase{"0.00000095367431640625", 1},
                    NumberCase{"1e-400", 0}, NumberCase{"1e2", 100'000'000}));

struct AltitudeCase {
  const char* text;
  std::int64_t micro;
};
void PrintTo(const AltitudeCase& shown, std::ostream* out) {
  *out << shown.text;
}
class Altitudes : public testing::TestWithParam<AltitudeCase> {};
TEST_P(Altitudes, AreCapped) {
  const Document document = read_well(
      root(node("n", fmt::format("<:Location><:long>0</:long><:lat>0</:lat><:alt>{}</:alt>"
                                 "</:Location>",
                                 GetParam().text))));
  EXPECT_EQ(only_node(document).altitude(), Micro{GetParam().micro});
}
INSTANTIATE_TEST_SUITE_P(
    Forms, Altitudes,
    testing::Values(AltitudeCase{"1000", 1'000'000'000}, AltitudeCase{"9000", 9'000'000'000},
                    AltitudeCase{"999999999.999999", 9'000'000'000},
                    AltitudeCase{"-999999999.999999", -11'000'000'000},
                    AltitudeCase{"99999999999.9999999", 9'000'000'000},
                    AltitudeCase{"INF", 9'000'000'000}, AltitudeCase{"-INF", -11'000'000'000},
                    AltitudeCase{"1e400", 9'000'000'000}, AltitudeCase{"-0.0", 0}));

TEST(NetmlReader, TellsOfACappedAltitude) {
  const Document document = read_well(
      root(node("n", "<:Location><:long>0</:long><:lat>0</:lat><:alt>9500</:alt></:Location>")));
  EXPECT_THAT(notes_of(document), ElementsAre("Node n: altitude 9500 capped to 9000"));
}

TEST(NetmlReader, AcceptsALifetimeThatEndsBeforeItStarts) {
  const Document document =
      read_well(root(node("n",
                          "<:Lifetime><nml:start>2020-01-02T00:00:00Z</nml:start>"
                          "<nml:end>2020-01-01T00:00:00Z</nml:end></:Lifetime>")));
  EXPECT_LT(only_node(document).end(), only_node(document).start());
}

TEST(NetmlReader, AcceptsAStartWithoutAnEnd) {
  const Document document = read_well(
      root(node("n", "<:Lifetime><nml:start>2020-01-02T00:00:00Z</nml:start></:Lifetime>")));
  EXPECT_NE(only_node(document).start(), std::nullopt);
  EXPECT_EQ(only_node(document).end(), std::nullopt);
}

// ---- lengths (section 8) ----

std::string repeat(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(NetmlReader, KeepsTextsOfExactlyTheLimit) {
  const std::string name = repeat("\u00fc", 128);
  const std::string value = repeat("\u20ac", 512);
  const Document document = read_well(root(fmt::format(
      "<:Node id='n'><:name>{}</:name><:short-name>{}</:short-name><:Location><:long>0</:long>"
      "<:lat>0</:lat><:unlocode>CAHAL</:unlocode><:address>{}</:address></:Location>"
      "<:Property name='{}'>{}</:Property></:Node>",
      name, repeat("s", 32), repeat("a", 500), repeat("p", 32), value)));
  EXPECT_EQ(only_node(document).name(), name);
  EXPECT_EQ(only_node(document).short_name(), repeat("s", 32));
  EXPECT_EQ(only_node(document).address(), repeat("a", 500));
  EXPECT_THAT(only_node(document).properties(), ElementsAre(Property{repeat("p", 32), value}));
  EXPECT_THAT(document.notes, IsEmpty());
}

TEST(NetmlReader, CutsLongerTextsAndTellsOfEachCut) {
  const Document document = read_well(root(fmt::format(
      "<:Node id='n'><:name>{}</:name><:short-name>{}</:short-name><:Location><:long>0</:long>"
      "<:lat>0</:lat><:unlocode>CA1234567890</:unlocode><:address>{}</:address></:Location>"
      "<:Property name='X'>{}</:Property></:Node>",
      repeat("\u00fc", 129), repeat("s", 41), repeat("a", 501), repeat("v", 755))));
  EXPECT_EQ(only_node(document).name(), repeat("\u00fc", 125) + "...");
  EXPECT_EQ(only_node(document).short_name(), repeat("s", 29) + "...");
  EXPECT_EQ(only_node(document).unlocode(), "CA...");
  EXPECT_EQ(only_node(document).address(), repeat("a", 497) + "...");
  EXPECT_EQ(only_node(document).properties()[0].value, repeat("v", 509) + "...");
  EXPECT_THAT(notes_of(document),
              ElementsAre("Node n: name cut from \"" + repeat("\u00fc", 129) + "\" to \"" +
                              repeat("\u00fc", 125) + "...\"",
                          HasSubstr("short name cut from"),
                          "Node n: UN/LOCODE cut from \"CA1234567890\" to \"CA...\"",
                          HasSubstr("address cut from"),
                          "Node n: value of property x cut from 755 to 512 characters"));
  for (const engine::DocumentNote& note : document.notes) EXPECT_FALSE(note.warning);
}

TEST(NetmlReader, CutsPropertyNamesWithAWarning) {
  const Document document = read_well(root(node(
      "n", std::string(test::kPlace) + "<:Property name='" + repeat("N", 33) + "'>v</:Property>")));
  EXPECT_THAT(only_node(document).properties(),
              ElementsAre(Property{repeat("n", 29) + "...", "v"}));
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_TRUE(document.notes[0].warning);
}

TEST(NetmlReader, NeverCutsTheListOfACopy) {
  const std::string list = repeat("urn:example:topology,", 100);
  const Document document =
      read_well(root(node("n", std::string(test::kPlace) + "<:Property name='!-From-Topology'>" +
                                   list + "</:Property>")));
  EXPECT_EQ(only_node(document).from_topology(), list);
}

// ---- real producers (section 15) ----

TEST(NetmlReader, ReadsWhatTheInventoryConverterSends) {
  const Document document = read_well(
      root("<:Institution id='urn:netbox:tenant:1'><:name>Tenant</:name></:Institution>" +
           node("urn:netbox:tenant:1",
                "<:owner>urn:netbox:tenant:1</:owner><:Property name='tags'>[\"a\"]</:Property>"
                "<:Property name='primary_ip4'>192.0.2.1/24</:Property>")));
  EXPECT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(only_node(document).property_count(), 2U);
}

}  // namespace
}  // namespace netml::codecs
