// docs/requirements/importing.md, section 9.2: what goes when a second file no longer has it. The
// rows about topologies stand in topology_deletion_test.cpp.
#include <gmock/gmock.h>

#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// The three second files of the first rows, and the first, inside a topology or below it.
struct Removal {
  const char* name;
  TopologyText (*contents)(std::string_view id);
  Texts institutions;
  Texts nodes;
  Texts links;
};

TopologyText everything(std::string_view id) {
  return topology(id, "i1", institution("i1"), institution("i2"), node("n1"), node("n2"),
                  node("n3").owned_by("i2"), node("n4").owned_by("i2"), link("l1", "n1", "n2"),
                  link("l2", "n3", "n4"));
}

TopologyText without_link(std::string_view id) {
  return topology(id, "i1", institution("i1"), institution("i2"), node("n1"), node("n2"),
                  node("n3").owned_by("i2"), node("n4").owned_by("i2"), link("l2", "n3", "n4"));
}

TopologyText without_node_and_link(std::string_view id) {
  return topology(id, "i1", institution("i1"), institution("i2"), node("n2"),
                  node("n3").owned_by("i2"), node("n4").owned_by("i2"), link("l2", "n3", "n4"));
}

TopologyText without_institution_and_what_it_owns(std::string_view id) {
  return topology(id, "i1", institution("i1"), node("n1"), node("n2"), link("l1", "n1", "n2"));
}

class Removing : public testing::TestWithParam<Removal> {
 protected:
  static void expect_rest(const ImportHarness& store, std::string_view topology_id) {
    EXPECT_EQ(store.members(topology_id, Kind::institution), GetParam().institutions);
    EXPECT_EQ(store.members(topology_id, Kind::node), GetParam().nodes);
    EXPECT_EQ(store.members(topology_id, Kind::link), GetParam().links);
    const std::size_t elements =
        GetParam().institutions.size() + GetParam().nodes.size() + GetParam().links.size();
    const std::size_t global = 1;
    EXPECT_EQ(store.graph().size(), store.graph().count(Kind::topology) + global + elements);
  }
};

TEST_P(Removing, FromTheRootDeletesJustThat) {
  ImportHarness store;
  store.import(everything("P"));
  store.import_at_top(GetParam().contents("P"));
  expect_rest(store, "P");
}

TEST_P(Removing, FromTheSubTopologyDeletesJustThat) {
  ImportHarness store;
  store.import(topology("P", "i1", institution("i1"), everything("C")));
  store.import_at_top(topology("P", "i1", institution("i1"), GetParam().contents("C")));
  expect_rest(store, "C");
}

INSTANTIATE_TEST_SUITE_P(
    Deletion, Removing,
    testing::Values(
        Removal{"Link", without_link, {"i1", "i2"}, {"n1", "n2", "n3", "n4"}, {"l2"}},
        Removal{"NodeAndLink", without_node_and_link, {"i1", "i2"}, {"n2", "n3", "n4"}, {"l2"}},
        Removal{"InstitutionAndWhatItOwns",
                without_institution_and_what_it_owns,
                {"i1"},
                {"n1", "n2"},
                {"l1"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

// ---- shared elements ----

std::string shared(bool in_parent, bool in_child) {
  TopologyText parent = topology("P", "p", institution("p"));
  TopologyText child = topology("C", "c", institution("c"));
  if (in_parent) parent.add(node("n").named("as in P"));
  if (in_child) child.add(node("n").named("as in C"));
  return parent.add(child);
}

TEST(SharedElement, GoneFromTheParentStaysInTheChildWithTheDataOfTheChild) {
  ImportHarness store;
  store.import(shared(true, true));
  store.import_at_top(shared(false, true));
  const RecordView n = store.node("n");
  EXPECT_EQ(n.name(), "as in C");
  EXPECT_THAT(n.topologies, ElementsAre("C"));
  EXPECT_THAT(n.owners, ElementsAre("c"));
}

TEST(SharedElement, GoneFromTheChildStaysInTheParent) {
  ImportHarness store;
  store.import(shared(true, true));
  store.import_at_top(shared(true, false));
  const RecordView n = store.node("n");
  EXPECT_EQ(n.name(), "as in P");
  EXPECT_THAT(n.topologies, ElementsAre("P"));
  EXPECT_THAT(n.owners, ElementsAre("p"));
}

TEST(SharedElement, GoneFromBothIsDeleted) {
  ImportHarness store;
  store.import(shared(true, true));
  store.import_at_top(shared(false, false));
  EXPECT_EQ(store.count(Kind::node, "n"), 0U);
}

// ---- fields ----

TEST(ReimportedElement, LosesAPropertyThatTheFileLost) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("n").with("k", "1")));
  store.import_at_top(topology("P", "p", institution("p"), node("n")));
  EXPECT_THAT(store.node("n").properties, IsEmpty());
}

TEST(ReimportedElement, TakesAltitudeAndAddressOfTheFile) {
  const std::string place = "<grenml:long>1</grenml:long><grenml:lat>2</grenml:lat>";
  const auto located = [&](const std::string& rest) {
    return topology("P", "p", institution("p"), node("n").location(place + rest));
  };
  ImportHarness store;
  store.import(located("<grenml:alt>10</grenml:alt><grenml:address>1 Old Road</grenml:address>"));
  store.import_at_top(located(""));
  EXPECT_EQ(store.node("n").attributes->altitude(), std::nullopt);  // decision 11: unknown
  EXPECT_EQ(store.node("n").attributes->address(), "");
  store.import_at_top(located("<grenml:address>2 New Road</grenml:address>"));
  EXPECT_EQ(store.node("n").attributes->address(), "2 New Road");
}

TEST(ReimportedElement, LosesItsVersionWhenTheFileHasNone) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p").version("2024-01-01T00:00:00Z"))
                   .version("2024-01-01T00:00:00Z"));
  store.import_at_top(topology("P", "p", institution("p")));
  EXPECT_EQ(store.institution("p").attributes->version(), std::nullopt);
  EXPECT_EQ(store.topology("P").attributes->version(), std::nullopt);
}

// ---- the export shows it ----

std::size_t occurrences(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

TEST(RemovedElements, AreFewerInTheExport) {
  const auto part = [](const char* id, bool full) {
    TopologyText text = topology(id, "i", institution("i"), node("a"), node("b"));
    if (full) text.add(institution("x")).add(node("n")).add(link("l", "a", "n"));
    return text;
  };
  ImportHarness store;
  store.import(part("P", true).add(part("C", true)));
  for (const char* tag :
       {"<grenml:Node id=\"n\"", "<grenml:Link id=\"l\"", "<grenml:Institution id=\"x\""})
    EXPECT_EQ(occurrences(store.exported(), tag), 2U) << tag;
  store.import_at_top(part("P", true).add(part("C", false)));
  for (const char* tag :
       {"<grenml:Node id=\"n\"", "<grenml:Link id=\"l\"", "<grenml:Institution id=\"x\""})
    EXPECT_EQ(occurrences(store.exported(), tag), 1U) << tag;
  store.import_at_top(part("P", false).add(part("C", false)));
  EXPECT_THAT(store.exported(), Not(HasSubstr("id=\"n\"")));
}

// ---- a child imported by itself ----

// Eleven nodes and four links, all owned by I: fifteen elements.
TopologyText owned_by_one(std::string_view id) {
  TopologyText text = topology(id, "I", institution("I"));
  for (int n = 0; n < 11; ++n) text.add(node("n" + std::to_string(n)));
  for (int l = 0; l < 4; ++l)
    text.add(link("l" + std::to_string(l), "n" + std::to_string(l), "n" + std::to_string(l + 1)));
  return text;
}

std::size_t owned_count(const ImportHarness& store, std::string_view institution, Kind kind) {
  std::size_t count = 0;
  for (const RecordId owned : store.graph().referrers(store.institution(institution).record))
    count += store.graph().kind(owned) == kind;
  return count;
}

TEST(ChildOfTheSameOwner, ImportedTwiceLeavesAllOwnershipsAlone) {
  ImportHarness store;
  store.import(topology("P", "I", institution("I")));
  for (int time = 0; time < 2; ++time) {
    store.import_below("P", owned_by_one("C"));
    EXPECT_THAT(store.topology("P").owners, ElementsAre("I"));
    EXPECT_THAT(store.topology("C").owners, ElementsAre("I"));
    EXPECT_EQ(owned_count(store, "I", Kind::topology), 2U);
    EXPECT_EQ(owned_count(store, "I", Kind::node) + owned_count(store, "I", Kind::link), 15U);
    EXPECT_THAT(store.institution("I").topologies, ElementsAre("C", "P"));
  }
}

TEST(ChildWithSharedElements, ImportedTwiceChangesNumbersOnly) {
  const auto part = [](const char* id) {
    return topology(id, "i", institution("i"), node("a"), node("b"), link("l", "a", "b"));
  };
  ImportHarness store;
  store.import(part("P"));
  store.import_below("P", part("C"));
  const RecordView node = store.node("a");
  const RecordView link = store.link("l");
  const engine::Digest content = store.graph().content_digest();
  store.import_below("P", part("C"));
  EXPECT_EQ(store.graph().content_digest(), content);
  EXPECT_GT(store.node("a").number, node.number);
  EXPECT_GT(store.link("l").number, link.number);
  EXPECT_THAT(store.link("l").topologies, ElementsAre("C", "P"));
}

}  // namespace
}  // namespace netml::test
