// docs/requirements/importing.md, section 9.1: what one file makes of an empty store, and of one
// that has it already.
#include <gmock/gmock.h>

#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::ImportStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string small_map() {
  return topology("P", "p", institution("p"), institution("q"), node("a"), node("b"),
                  link("l", "a", "b"));
}

TEST(FirstImport, StoresAFullInstitutionFieldForField) {
  ImportHarness store;
  store.import(
      topology("P", "p",
               institution("p")
                   .named("Institution of P")
                   .short_named("IP")
                   .version("2024-02-29T08:30:00-04:00")
                   .location("<grenml:long>-63.57</grenml:long><grenml:lat>44.65</grenml:lat>"
                             "<grenml:alt>12.5</grenml:alt><grenml:unlocode>CAHAL</grenml:unlocode>"
                             "<grenml:address>1 Pier Road</grenml:address>")
                   .with("url", "https://p.example/?a=1&b=2")));
  const RecordView p = store.institution("p");
  EXPECT_EQ(p.name(), "Institution of P");
  EXPECT_EQ(p.attributes->short_name(), "IP");
  EXPECT_EQ(p.attributes->version(), Instant{1709209800});
  EXPECT_EQ(p.attributes->coordinates(), (engine::Coordinates{{44650000}, {-63570000}}));
  EXPECT_EQ(p.attributes->altitude(), engine::Micro{12500000});
  EXPECT_EQ(p.attributes->unlocode(), "CAHAL");
  EXPECT_EQ(p.attributes->address(), "1 Pier Road");
  EXPECT_THAT(p.properties, ElementsAre("url=https://p.example/?a=1&b=2"));
  EXPECT_THAT(p.topologies, ElementsAre("P"));
}

TEST(FirstImport, GivesEachElementExactlyItsProperty) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p").with("of", "institution"),
                        node("a").with("of", "node"), node("b"),
                        link("l", "a", "b").with("of", "link")));
  EXPECT_THAT(store.institution("p").properties, ElementsAre("of=institution"));
  EXPECT_THAT(store.node("a").properties, ElementsAre("of=node"));
  EXPECT_THAT(store.node("b").properties, IsEmpty());
  EXPECT_THAT(store.link("l").properties, ElementsAre("of=link"));
}

// What they refer to is stored once for some of them.
TEST(FirstImport, LetsNodesOfOneOwnerShareTheirAssociations) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), institution("q"), node("a"), node("b"),
                        node("c").owned_by("q"), node("d"), link("l", "a", "b"),
                        link("m", "a", "b")));
  const auto relations_of = [&](const RecordView& view) {
    return &store.graph().relations(view.record);
  };
  EXPECT_EQ(relations_of(store.node("a")), relations_of(store.node("b")));
  EXPECT_NE(relations_of(store.node("b")), relations_of(store.node("c")));
  EXPECT_NE(relations_of(store.link("l")), relations_of(store.link("m")));
  EXPECT_THAT(store.node("b").owners, ElementsAre("p"));
  EXPECT_THAT(store.node("c").owners, ElementsAre("p", "q"));
  EXPECT_THAT(store.node("d").owners, ElementsAre("p"));
}

TEST(FirstImport, PutsAnElementOfTheSubTopologyThereOnly) {
  ImportHarness store;
  store.import(
      topology("P", "p", institution("p"),
               topology("C", "c", institution("c"), node("a"), node("b"), link("l", "a", "b"))));
  EXPECT_THAT(store.institution("c").topologies, ElementsAre("C"));
  EXPECT_THAT(store.node("a").topologies, ElementsAre("C"));
  EXPECT_THAT(store.link("l").topologies, ElementsAre("C"));
}

TEST(FirstImport, MakesOneRecordOfAnElementInTwoTopologies) {
  const auto shared = [](const char* id) {
    return topology(id, "i", institution("i"), node("a"), node("b"), link("l", "a", "b"));
  };
  ImportHarness store;
  store.import(shared("P").add(shared("C")));
  EXPECT_THAT(store.institution("i").topologies, ElementsAre("C", "P"));
  EXPECT_THAT(store.node("a").topologies, ElementsAre("C", "P"));
  EXPECT_THAT(store.link("l").topologies, ElementsAre("C", "P"));
  EXPECT_THAT(store.link("l").ends, ElementsAre("a", "b"));
}

TEST(FirstImport, UnitesTheOwnersOfANodeInTwoTopologies) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("n"),
                        topology("C", "c", institution("c"), node("n"))));
  EXPECT_THAT(store.node("n").owners, ElementsAre("c", "p"));
  EXPECT_THAT(store.node("n").topologies, ElementsAre("C", "P"));
}

TEST(FirstImport, FindsAllIdentifiersOfTheFile) {
  ImportHarness store;
  store.import(topology("P", "i1", institution("i1"), institution("i2"), institution("i3"),
                        node("n1"), node("n2"), link("l1", "n1", "n2")));
  EXPECT_THAT(store.members("P", Kind::institution), ElementsAre("i1", "i2", "i3"));
  EXPECT_THAT(store.members("P", Kind::node), ElementsAre("n1", "n2"));
  EXPECT_THAT(store.members("P", Kind::link), ElementsAre("l1"));
  EXPECT_EQ(store.log().status(), ImportStatus::complete);
}

TEST(FirstImport, RefusesAFileWithoutNamespaces) {
  std::string stripped = small_map();
  for (std::size_t at; (at = stripped.find("grenml:")) != std::string::npos;)
    stripped.erase(at, std::string_view("grenml:").size());
  const ImportHarness store;
  EXPECT_GT(store.read_errors(stripped).count, 0U);
}

TEST(FirstImport, MakesTheFirstTopologyMain) {
  ImportHarness store;
  store.import(small_map());
  EXPECT_TRUE(store.topology("P").attributes->main());
  EXPECT_THAT(store.topology("P").owners, ElementsAre("p"));
}

TEST(SecondImport, OfTheSameFileKeepsRecordsAndRaisesTheirNumbers) {
  ImportHarness store;
  store.import_at_top(small_map());
  const RecordView institution = store.institution("p");
  const RecordView node = store.node("a");
  const RecordView link = store.link("l");
  store.import_at_top(small_map());
  EXPECT_EQ(store.count(Kind::topology, "P"), 1U);
  EXPECT_GT(store.institution("p").number, institution.number);
  EXPECT_GT(store.node("a").number, node.number);
  EXPECT_GT(store.link("l").number, link.number);
  EXPECT_EQ(store.log().status(), ImportStatus::complete);
}

TEST(SecondImport, OfTheMainTopologyWithoutParentLeavesItRootAndWarns) {
  ImportHarness store;
  store.import(small_map());
  store.import(small_map());
  EXPECT_THAT(store.topology("P").topologies, IsEmpty());
  EXPECT_TRUE(store.topology("P").attributes->main());
  EXPECT_EQ(store.log().status(), ImportStatus::warnings);
  EXPECT_THAT(store.log().text(), HasSubstr("WARNING: circular parent avoided"));
}

TEST(SecondImport, OfAnotherRootWithoutParentGoesBelowTheMainTopology) {
  ImportHarness store;
  store.import(small_map());
  store.import(topology("Q", "q", institution("q")));
  EXPECT_THAT(store.topology("Q").topologies, ElementsAre("P"));
  EXPECT_FALSE(store.topology("Q").attributes->main());
}

TEST(SecondImport, ShowsTheNamesOfAllItsTopologiesInTheExport) {
  ImportHarness store;
  store.import(small_map());
  store.import(topology("Q", "q", institution("q"),
                        topology("Q1", "q", institution("q")).named("First part"),
                        topology("Q2", "q", institution("q")).named("Second part"))
                   .named("The whole"));
  for (const char* name : {"The whole", "First part", "Second part"})
    EXPECT_THAT(store.exported(), HasSubstr(name));
}

// ---- refusals ----

struct Refusal {
  const char* name;
  std::string file;
};

class RefusedFile : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedFile, IsRefusedWithAnError) {
  const engine::InputErrors errors = ImportHarness().read_errors(GetParam().file);
  ASSERT_FALSE(errors.first.empty());
  EXPECT_THAT(errors.first.front().text(), HasSubstr("Error"));
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Basic, RefusedFile,
    testing::Values(
        Refusal{"LinkWithOneEnd", replaced(small_map(), "<grenml:node>b</grenml:node>", "")},
        Refusal{"InstitutionWithoutId",
                replaced(small_map(), "<grenml:Institution id=\"p\">", "<grenml:Institution>")},
        Refusal{"InstitutionWithoutName",
                replaced(small_map(), "<grenml:name>q</grenml:name>", "")},
        Refusal{"TopologyWithoutOwner",
                replaced(small_map(), "<grenml:owner>p</grenml:owner>", "")},
        Refusal{"Latitude400", replaced(small_map(), "44.65", "400")},
        Refusal{"LongitudeMinus300", replaced(small_map(), "-63.57", "-300")},
        Refusal{"TruncatedText", small_map().substr(0, small_map().size() / 2)}),
    [](const auto& tested) { return std::string(tested.param.name); });

// ---- values ----

TEST(Values, AnInstitutionNeedsNoAddress) {
  ImportHarness store;
  store.import(topology(
      "P", "p",
      institution("p").location("<grenml:long>1</grenml:long><grenml:lat>2</grenml:lat>")));
  EXPECT_EQ(store.log().status(), ImportStatus::complete);
  EXPECT_EQ(store.institution("p").attributes->address(), "");
}

TEST(Values, LongTextsAreCutToTheirLimits) {
  const auto long_text = [](std::size_t characters) { return std::string(characters, 'x'); };
  const auto cut = [&](std::size_t limit) { return long_text(limit - 3) + "..."; };
  ImportHarness store;
  store.import(topology("P", "p",
                        institution("p")
                            .named(long_text(160))
                            .short_named(long_text(41))
                            .location("<grenml:long>1</grenml:long><grenml:lat>2</grenml:lat>"
                                      "<grenml:unlocode>" +
                                      long_text(12) + "</grenml:unlocode>")
                            .with("long", long_text(755))
                            .with("fits", long_text(512))));
  const RecordView p = store.institution("p");
  EXPECT_EQ(p.name(), cut(128));
  EXPECT_EQ(p.attributes->short_name(), cut(32));
  EXPECT_EQ(p.attributes->unlocode(), cut(5));
  EXPECT_THAT(p.properties, ElementsAre("long=" + cut(512), "fits=" + long_text(512)));
}

TEST(Values, ARepeatedPropertyKeepsBothValues) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p").with("country", "CA").with("country", "USA")));
  EXPECT_THAT(store.institution("p").properties, ElementsAre("country=CA", "country=USA"));
}

TEST(Values, AltitudesAreCapped) {
  const auto at = [](const char* id, const char* altitude) {
    return node(id).location(std::string("<grenml:long>1</grenml:long><grenml:lat>2</grenml:lat>") +
                             "<grenml:alt>" + altitude + "</grenml:alt>");
  };
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), at("a", "1000"), at("b", "999999999.999999"),
                        at("c", "-999999999.999999"), at("d", "99999999999.9999999")));
  EXPECT_EQ(store.node("a").attributes->altitude(), engine::Micro{1'000'000'000});
  EXPECT_EQ(store.node("b").attributes->altitude(), engine::Micro{9'000'000'000});
  EXPECT_EQ(store.node("c").attributes->altitude(), engine::Micro{-11'000'000'000});
  EXPECT_EQ(store.node("d").attributes->altitude(), engine::Micro{9'000'000'000});
}

}  // namespace
}  // namespace netml::test
