// docs/requirements/importing.md, section 5: which stored topology one of the file is, and where it
// goes.
#include <gmock/gmock.h>

#include "engine/export/topology_moves.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {
namespace {

using engine::ImportStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(MatchingById, UpdatesTheStoredTopologyAndMovesIt) {
  ImportHarness store;
  store.import(owned("P"));
  store.import(owned("Q"));
  store.import(owned("T").named("old").with("k", "old"));
  const RecordView before = store.topology("T");
  ASSERT_THAT(before.topologies, ElementsAre("P"));
  store.import_below("Q", owned("T").named("new").with("j", "new"));
  const RecordView after = store.topology("T");
  EXPECT_EQ(after.record, before.record);
  EXPECT_EQ(after.name(), "new");
  EXPECT_THAT(after.properties, ElementsAre("j=new"));
  EXPECT_THAT(after.topologies, ElementsAre("Q"));
  EXPECT_THAT(store.log().text(), HasSubstr("matched by its id"));
  EXPECT_THAT(store.log().text(), HasSubstr("parent set to Q <Q>"));
}

TEST(MatchingByName, GivesTheStoredTopologyTheIdOfTheFile) {
  ImportHarness store;
  store.import(owned("P"));
  store.import(owned("T1").named("Same name").add(node("n")));
  const RecordView before = store.topology("T1");
  store.import_below("P", owned("T2").named("Same name").add(node("n")));
  EXPECT_EQ(store.count(Kind::topology, "T1"), 0U);
  EXPECT_EQ(store.topology("T2").record, before.record);
  EXPECT_THAT(store.node("n").topologies, ElementsAre("T2"));
  EXPECT_THAT(store.log().text(), HasSubstr("matched by its name and parent"));
}

TEST(MatchingByName, WantsTheSameParent) {
  ImportHarness store;
  store.import(owned("P"));
  store.import(owned("T1").named("Same name"));
  store.import_at_top(owned("T2").named("Same name"));
  EXPECT_EQ(store.count(Kind::topology, "T1"), 1U);
  EXPECT_THAT(store.topology("T2").topologies, IsEmpty());
}

TEST(MatchingByName, WorksForRootsAtTheTopLevel) {
  ImportHarness store;
  store.import(owned("T1").named("Same name"));
  store.import_at_top(owned("T2").named("Same name"));
  EXPECT_EQ(store.graph().count(Kind::topology), 1U);
  EXPECT_TRUE(store.topology("T2").attributes->main());
}

TEST(MatchingByName, ResolvesCopiesThatWaitedForTheNewId) {
  ImportHarness store;
  store.import(owned("T1").named("Same name").add(node("n")));
  store.keep(engine::CollisionPolicy::keep_separate);
  store.import_at_top(owned("U").add(node("n").copy_of("T2")));
  ASSERT_EQ(store.count(Kind::node, "n"), 2U);
  store.import_at_top(owned("T2").named("Same name").add(node("n")));
  EXPECT_THAT(store.node("n").topologies, ElementsAre("T2"));
}

TEST(NameAndIdOfTwoTopologies, MeanTheOneWithTheId) {
  ImportHarness store;
  store.import(owned("P"));
  store.import_below("P", owned("X").named("The name").with("k", "x"));
  store.import_at_top(owned("Y").named("Another"));
  store.import_below("P", owned("Y").named("The name").with("k", "y"));
  EXPECT_THAT(store.topology("X").properties, ElementsAre("k=x"));
  EXPECT_THAT(store.topology("Y").properties, ElementsAre("k=y"));
  EXPECT_THAT(store.topology("Y").topologies, ElementsAre("P"));
}

class TwoStoredTopologiesOfOneName : public testing::Test {
 protected:
  TwoStoredTopologiesOfOneName() {
    store_.import(owned("P").add(owned("S1").named("Twin")).add(owned("S2").named("Twin")));
  }
  ImportHarness store_;
};

TEST_F(TwoStoredTopologiesOfOneName, AreToldApartById) {
  store_.import_below("P", owned("S2").named("Twin").with("k", "2"));
  EXPECT_THAT(store_.topology("S1").properties, IsEmpty());
  EXPECT_THAT(store_.topology("S2").properties, ElementsAre("k=2"));
}

TEST_F(TwoStoredTopologiesOfOneName, AreAnErrorWhenNoIdFits) {
  const auto plan = store_.plan(owned("S3").named("Twin"), store_.topology("P").record);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code, Errc::conflict);
  EXPECT_THAT(plan.error().message, HasSubstr("Error"));
  EXPECT_THAT(plan.error().message, HasSubstr("Twin"));
}

TEST(TwoTopologiesOfTheFile, MayShareAName) {
  const std::string file = owned("P")
                               .add(owned("S1").named("Twin").add(node("n1")))
                               .add(owned("S2").named("Twin").add(node("n2")));
  ImportHarness store;
  store.import(file);
  store.import_at_top(file);
  EXPECT_THAT(store.members("S1", Kind::node), ElementsAre("n1"));
  EXPECT_THAT(store.members("S2", Kind::node), ElementsAre("n2"));
}

TEST(TwoTopologiesOfTheFile, OfOneNameDoNotBothTakeTheStoredOne) {
  ImportHarness store;
  store.import(owned("P").add(owned("S0").named("Twin")));
  const RecordId stored = store.topology("S0").record;
  store.import_at_top(owned("P").add(owned("S1").named("Twin")).add(owned("S2").named("Twin")));
  EXPECT_EQ(store.topology("S1").record, stored);
  EXPECT_NE(store.topology("S2").record, stored);
}

TEST(NameOfAStoredTopology, IsNoMatchWhenTheFileMeansItById) {
  ImportHarness store;
  store.import(owned("P").add(owned("X").named("The name")));
  const RecordId stored = store.topology("X").record;
  store.import_at_top(
      owned("P").add(owned("Y").named("The name")).add(owned("X").named("Another")));
  EXPECT_EQ(store.topology("X").record, stored);
  EXPECT_NE(store.topology("Y").record, stored);
}

// ---- circles ----

TEST(RootThatIsTheChosenParent, GoesToTheTopLevelWithAWarning) {
  ImportHarness store;
  store.import(owned("P"));
  store.import(owned("Q"));
  store.import_below("Q", owned("Q").with("k", "new"));
  EXPECT_THAT(store.topology("Q").topologies, IsEmpty());
  EXPECT_THAT(store.topology("Q").properties, ElementsAre("k=new"));
  EXPECT_EQ(store.log().status(), ImportStatus::warnings);
}

TEST(RootThatContainsTheChosenParent, KeepsItsPlaceAndTakesEverythingElse) {
  ImportHarness store(engine::CollisionPolicy::keep_newest, false);
  store.import(owned("P").add(owned("C").add(owned("G"))));
  store.import_below("G", topology("P", "new", institution("new")).with("k", "v"));
  const RecordView p = store.topology("P");
  EXPECT_THAT(p.topologies, IsEmpty());
  EXPECT_THAT(p.owners, ElementsAre("new"));
  EXPECT_THAT(p.properties, ElementsAre("k=v"));
  EXPECT_EQ(store.log().status(), ImportStatus::warnings);
  EXPECT_THAT(store.exported(), HasSubstr("<grenml:owner>new</grenml:owner>"));
}

TEST(TreeTurnedUpsideDown, IsFollowed) {
  ImportHarness store;
  store.import(owned("A").add(owned("B").add(owned("C"))));
  store.import_at_top(owned("C").add(owned("B").add(owned("A"))));
  EXPECT_THAT(store.topology("C").topologies, IsEmpty());
  EXPECT_THAT(store.topology("B").topologies, ElementsAre("C"));
  EXPECT_THAT(store.topology("A").topologies, ElementsAre("B"));
  EXPECT_EQ(store.log().status(), ImportStatus::complete);
}

TEST(SubTopologyThatContainsItsParent, KeepsItsPlaceWithAWarning) {
  ImportHarness store;
  store.import(owned("X").add(owned("Z")));
  store.import_below("Z", owned("R").add(owned("X")));
  EXPECT_THAT(store.topology("R").topologies, ElementsAre("Z"));
  EXPECT_THAT(store.topology("X").topologies, IsEmpty());
  EXPECT_EQ(store.log().status(), ImportStatus::warnings);
}

// Z once came with R, below X, and lies above R now: deleting it would leave R hanging.
TEST(SubTopologyNoLongerInTheFile, StaysWhileTheRootLiesBelowIt) {
  ImportHarness store;
  store.import_at_top(owned("R").add(owned("X").add(owned("Z"))));
  store.import_at_top(owned("Y").add(owned("X")));
  ASSERT_THAT(store.topology("Z").topologies, ElementsAre("X"));
  store.import_below("Z", owned("R").add(owned("X")));
  EXPECT_EQ(store.count(Kind::topology, "Z"), 1U);
  EXPECT_THAT(store.topology("R").topologies, ElementsAre("Z"));
}

// ---- identifiers and names at their limits ----

TEST(TopologyId, OfMoreThan128CharactersIsRefused) {
  const ImportHarness store;
  EXPECT_EQ(store.read_errors(owned(std::string(129, 'x'))).first.front().code, "id-too-long");
  EXPECT_EQ(store.read_errors(owned(std::string(128, 'x'))).count, 0U);
}

TEST(TopologyName, ThatWasCutWhenStoredStillMatches) {
  const std::string name(160, 'x');
  ImportHarness store;
  store.import(owned("T1").named(name));
  store.import_at_top(owned("T2").named(name));
  EXPECT_EQ(store.graph().count(Kind::topology), 1U);
}

// ---- the parent as clients name it (decision 5) ----

TEST(ParentTopology, IsFoundByNumberBeforeIdentifier) {
  engine::test::GraphBuilder builder;
  const RecordId first = builder.topology("2");
  const RecordId second = builder.topology("T");
  const engine::Graph graph = builder.build();
  EXPECT_EQ(*engine::find_topology(graph, "2"), second);
  EXPECT_EQ(*engine::find_topology(graph, "1"), first);
  EXPECT_EQ(*engine::find_topology(graph, "T"), second);
  EXPECT_EQ(engine::find_topology(graph, "3").error().code, Errc::not_found);
}

TEST(ParentTopology, IsNotTheNumberOfAnElement) {
  engine::test::GraphBuilder builder;
  const RecordId root = builder.topology("T");
  builder.institution("i", {root});
  EXPECT_FALSE(engine::find_topology(builder.build(), "2").has_value());
}

TEST(RenamedRoot, IsMatchedByItsNewName) {
  auto document = codecs::read_netml(std::string(owned("T").named("From the file")));
  ASSERT_TRUE(document.has_value());
  engine::rename_root(*document, std::string(160, 'n'));  // decision 4
  const auto plan = engine::plan_import(engine::State{}, *document, {});
  ASSERT_TRUE(plan.has_value());
  const auto state = engine::apply(engine::State{}, plan->transaction, Lsn{1});
  const RecordId root = state->graph.find_newest(Kind::topology, "T");
  EXPECT_EQ(state->graph.attributes(root).name(), std::string(125, 'n') + "...");
}

// Where an import that keeps the place of a known network puts it; empty: the top level.
std::string present_place(const ImportHarness& store, const std::string& xml) {
  const auto document = codecs::read_netml(xml);
  NETML_ASSERT(document.has_value());
  const RecordId parent = present_parent(store.graph(), *document);
  return parent ? std::string(store.graph().attributes(parent).id()) : "";
}

TEST(PresentParent, IsThatOfTheStoredTopologyAndElseTheMainOne) {
  ImportHarness store;
  EXPECT_EQ(present_place(store, owned("P")), "");
  store.import(owned("P"));
  store.import(owned("Q"));
  store.import_below("Q", owned("T").named("Tee"));
  EXPECT_EQ(present_place(store, owned("T").named("other name")), "Q");
  EXPECT_EQ(present_place(store, owned("U").named("Tee")), "Q") << "known by its name";
  EXPECT_EQ(present_place(store, owned("new")), "P");
  EXPECT_EQ(present_place(store, owned("P")), "") << "the main topology stays on top";
}

TEST(PresentParent, IsNotGuessedWhenSeveralHaveTheName) {
  ImportHarness store;
  store.import(owned("P"));
  store.import(owned("Q"));
  store.import_below("Q", owned("T1").named("Tee"));
  store.import_at_top(owned("T2").named("Tee"));
  EXPECT_EQ(present_place(store, owned("T3").named("Tee")), "P");
  EXPECT_EQ(present_place(store, owned("T3").named("Tee").add(owned("T2"))), "Q")
      << "the file means the other one by its id";
}

TEST(TopologyMoves, TellFromWhereToWhereAndWhetherTheExportLosesIt) {
  ImportHarness store;
  store.import(owned("P"));
  store.import(owned("Q"));
  store.import(owned("T").named("Tee").add(owned("below")));
  const auto moves = [&](const char* parent) {
    const RecordId to = *parent == 0 ? RecordId{} : store.topology(parent).record;
    const auto plan = store.plan(owned("T").named("Tee").add(owned("below")), to);
    NETML_ASSERT(plan.has_value());
    return topology_moves(store.graph(), plan->transaction);
  };
  EXPECT_THAT(moves("P"), IsEmpty());
  const auto below = moves("Q");
  ASSERT_EQ(below.size(), 1U) << "what is below moves along";
  EXPECT_FALSE(below[0].leaves_export);
  EXPECT_EQ(move_text(below[0]), "Tee <T> moves from P <P> to Q <Q>");
  const auto top = moves("");
  ASSERT_EQ(top.size(), 1U);
  EXPECT_TRUE(top[0].leaves_export);
  EXPECT_EQ(move_text(top[0]), "Tee <T> moves from P <P> to the top level, and leaves the export");
}

}  // namespace
}  // namespace netml::test
