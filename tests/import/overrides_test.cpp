// What imports make of values that somebody has decided (docs/overrides.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/edit/plan_records.hpp"
#include "engine/overrides/plan_overrides.hpp"
#include "engine/undo/plan_undo.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::engine {
namespace {

using test::institution;
using test::link;
using test::node;
using test::topology;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const OverrideTerms kTerms{
    .reason = "ask the source", .author = "ada", .made = Instant{1'700'000'000}, .until = {}};

RecordEdit name_of(std::string name) {
  RecordEdit edit;
  edit.name = std::move(name);
  return edit;
}
RecordEdit owned_by(RecordId owner) {
  RecordEdit edit;
  edit.owners = std::vector{owner};
  return edit;
}

class Overrides : public ::testing::Test {
 protected:
  void deliver(const test::ElementText& first) {
    store_.import_at_top(
        topology("T", "p", institution("p"), first, node("b"), link("l", "a", "b")));
  }
  void commit(Transaction transaction, const std::optional<OverrideTerms>& keep) {
    followed_by_overrides(transaction, store_.state(), keep);
    commit(std::move(transaction));
  }
  void commit(const Transaction& transaction) {
    auto after = apply(store_.state(), transaction, store_.state().lsn.next());
    ASSERT_TRUE(after) << after.error().message;
    store_.start_from(*std::move(after));
  }
  void edit(Kind kind, std::string_view id, const RecordEdit& edit,
            const std::optional<OverrideTerms>& keep = kTerms) {
    auto planned = plan_record_update(store_.state(), store_.graph().find_newest(kind, id), edit);
    ASSERT_TRUE(planned) << planned.error().message;
    commit(*std::move(planned), keep);
  }
  void remove(Kind kind, std::string_view id) {
    auto planned = plan_record_delete(store_.state(), store_.graph().find_newest(kind, id));
    ASSERT_TRUE(planned) << planned.error().message;
    commit(*std::move(planned), kTerms);
  }
  // A link from a to b that no file has.
  void add_own_link() {
    RecordEdit edit = name_of("own");
    edit.id = "own";
    edit.topologies = std::vector{store_.topology("T").record};
    edit.end_a = store_.node("a").record;
    edit.end_b = store_.node("b").record;
    auto planned = plan_record_create(store_.state(), Kind::link, edit);
    ASSERT_TRUE(planned) << planned.error().message;
    commit(std::move(planned->transaction), kTerms);
  }
  std::size_t count() const { return store_.state().catalog.overrides.count(); }
  Override only() const {
    EXPECT_EQ(count(), 1U);
    Override found;
    store_.state().catalog.overrides.for_each(
        [&](std::uint64_t, const Override& entry) { found = entry; });
    return found;
  }
  std::string log() const { return store_.log().text(); }

  test::ImportHarness store_;
};

TEST_F(Overrides, AreSetAgainAfterEachImport) {
  deliver(node("a").named("Oslo"));
  edit(Kind::node, "a", name_of("Oslo-1"));
  EXPECT_EQ(only().field_name, "name");
  EXPECT_EQ(only().delivered, "Oslo");
  for (int i = 0; i < 2; ++i) {
    deliver(node("a").named("Oslo"));
    EXPECT_EQ(store_.node("a").name(), "Oslo-1");
    EXPECT_FALSE(only().to_decide);
    EXPECT_TRUE(store_.transaction().records.empty()) << "nothing changed";
  }
}

TEST_F(Overrides, LeaveAllElseToTheSource) {
  deliver(node("a").named("Oslo"));
  edit(Kind::node, "a", name_of("Oslo-1"));
  deliver(node("a").named("Oslo").short_named("OSL").with("tag", "core"));
  EXPECT_EQ(store_.node("a").name(), "Oslo-1");
  EXPECT_EQ(store_.node("a").attributes->short_name(), "OSL");
  EXPECT_THAT(store_.node("a").properties, ElementsAre("tag=core"));
}

TEST_F(Overrides, EndWhenTheSourceDeliversTheSame) {
  deliver(node("a").named("Oslo"));
  edit(Kind::node, "a", name_of("Oslo-1"));
  deliver(node("a").named("Oslo-1"));
  EXPECT_EQ(count(), 0U);
  EXPECT_THAT(log(), HasSubstr("override of name of node <a> ended: the source delivers the same"));
  deliver(node("a").named("Bergen"));
  EXPECT_EQ(store_.node("a").name(), "Bergen");
}

TEST_F(Overrides, AreToBeDecidedWhenTheSourceDeliversSomethingElse) {
  deliver(node("a").named("Oslo"));
  edit(Kind::node, "a", name_of("Oslo-1"));
  deliver(node("a").named("Bergen"));
  EXPECT_EQ(store_.node("a").name(), "Oslo-1");
  EXPECT_TRUE(only().to_decide);
  EXPECT_EQ(only().contested, "Bergen");
  EXPECT_THAT(log(), HasSubstr("is to be decided"));
  deliver(node("a").named("Bergen"));
  EXPECT_TRUE(only().to_decide);
  EXPECT_THAT(log(), ::testing::Not(HasSubstr("is to be decided"))) << "it was said before";
  deliver(node("a").named("Oslo"));
  EXPECT_FALSE(only().to_decide) << "as it was";
}

TEST_F(Overrides, ThatAreKeptTakeWhatTheSourceHasForGranted) {
  deliver(node("a").named("Oslo"));
  edit(Kind::node, "a", name_of("Oslo-1"));
  EXPECT_FALSE(plan_override_keep(store_.state(), 1)) << "there is nothing to decide";
  deliver(node("a").named("Bergen"));
  commit(*plan_override_keep(store_.state(), 1));
  EXPECT_FALSE(only().to_decide);
  EXPECT_EQ(only().delivered, "Bergen");
  deliver(node("a").named("Bergen"));
  EXPECT_FALSE(only().to_decide);
}

TEST_F(Overrides, ThatEndGiveTheSourcesValueBack) {
  deliver(node("a").named("Oslo"));
  edit(Kind::node, "a", name_of("Oslo-1"));
  deliver(node("a").named("Bergen"));
  const std::vector<std::uint64_t> first{1};
  commit(*plan_overrides_end(store_.state(), first));
  EXPECT_EQ(count(), 0U);
  EXPECT_EQ(store_.node("a").name(), "Bergen");
  EXPECT_FALSE(plan_overrides_end(store_.state(), first));
}

TEST_F(Overrides, CountUntilTheirEnd) {
  deliver(node("a").named("Oslo"));
  OverrideTerms terms = kTerms;
  terms.until = Instant{2'000};
  edit(Kind::node, "a", name_of("Oslo-1"), terms);
  store_.set_now(Instant{1'999});
  deliver(node("a").named("Oslo"));
  EXPECT_EQ(store_.node("a").name(), "Oslo-1");
  store_.set_now(Instant{2'000});
  deliver(node("a").named("Oslo"));
  EXPECT_EQ(store_.node("a").name(), "Oslo");
  EXPECT_EQ(count(), 0U);
  EXPECT_THAT(log(), HasSubstr("it counted until 1970-01-01T00:33:20"));
}

TEST_F(Overrides, FollowLaterEdits) {
  deliver(node("a").named("Oslo"));
  edit(Kind::node, "a", name_of("Oslo-1"));
  edit(Kind::node, "a", name_of("Oslo-2"), std::nullopt);
  EXPECT_EQ(only().value, "Oslo-2");
  EXPECT_EQ(only().author, "ada");
  edit(Kind::node, "a", name_of("Oslo"), std::nullopt);
  EXPECT_EQ(count(), 0U) << "it is what the source has";
}

TEST_F(Overrides, HoldPlacesOwnersAndProperties) {
  const auto file = [&] {
    store_.import_at_top(topology("T", "p", institution("p"), institution("q"),
                                  node("a").owned_by("p").with("tag", "x").with("srlg", "1")));
  };
  file();
  RecordEdit wanted;
  wanted.latitude = Micro{59'900'000};
  wanted.longitude = Micro{10'700'000};
  wanted.altitude = Micro{-12'500'000};
  wanted.owners = std::vector{store_.institution("q").record};
  wanted.properties = std::vector<TextProperty>{{"tag", "two\nlines"}, {"tag", ""}, {"srlg", "1"}};
  edit(Kind::node, "a", wanted);
  EXPECT_EQ(count(), 4U);
  const test::RecordView before = store_.node("a");
  file();
  const test::RecordView after = store_.node("a");
  EXPECT_TRUE(*before.attributes == *after.attributes);
  EXPECT_THAT(after.owners, ElementsAre("q"));
  EXPECT_THAT(after.properties, ElementsAre("tag=two\nlines", "tag=", "srlg=1"));
}

TEST_F(Overrides, OfAnOwnerWhoIsGoneAreToBeDecided) {
  store_.import_at_top(topology("T", "p", institution("p"), institution("q"), node("a")));
  edit(Kind::node, "a", owned_by(store_.institution("q").record));
  store_.import_at_top(topology("T", "p", institution("p"), node("a")));
  EXPECT_TRUE(only().to_decide);
  EXPECT_THAT(log(), HasSubstr("no institution has the identifier q"));
  store_.import_at_top(topology("T", "p", institution("p"), institution("q"), node("a")));
  EXPECT_FALSE(only().to_decide);
  EXPECT_THAT(store_.node("a").owners, ElementsAre("q"));
}

TEST_F(Overrides, KeepDeletedWhatIsDeletedWithItsLinks) {
  deliver(node("a"));
  remove(Kind::node, "a");
  EXPECT_EQ(only().value, "") << "the link goes with the node";
  EXPECT_EQ(only().delivered, "T");
  deliver(node("a"));
  EXPECT_THAT(store_.members("T", Kind::node), ElementsAre("b"));
  EXPECT_EQ(store_.count(Kind::link, "l"), 0U);
  store_.import_at_top(topology("T", "p", institution("p"), node("b")));
  EXPECT_EQ(count(), 0U) << "the source has it no longer";
  deliver(node("a"));
  EXPECT_EQ(store_.count(Kind::node, "a"), 1U);
}

TEST_F(Overrides, KeepElementsThatNoFileHas) {
  deliver(node("a"));
  add_own_link();
  deliver(node("a"));
  EXPECT_THAT(store_.members("T", Kind::link), ElementsAre("l", "own"));
  deliver(node("a").named("Oslo"));
  EXPECT_THAT(store_.link("own").ends, ElementsAre("a", "b"));
  EXPECT_EQ(only().value, "T");
}

TEST_F(Overrides, OfALinkEndWithItsNode) {
  deliver(node("a"));
  add_own_link();
  store_.import_at_top(topology("T", "p", institution("p"), node("b")));
  EXPECT_EQ(store_.count(Kind::link, "own"), 0U);
  EXPECT_EQ(count(), 0U);
  EXPECT_THAT(log(), HasSubstr("a node that it ends at is gone"));
}

TEST_F(Overrides, OfWhatNetworksShareAreDecidedByItsOwnAlone) {
  const auto neighbour = [&](std::string_view name) {
    store_.import_at_top(topology("U", "q", institution("q"), node("a").named(name)));
  };
  deliver(node("a").named("Oslo"));
  neighbour("Oslo");
  edit(Kind::node, "a", name_of("Oslo-1"));
  neighbour("Oslo-1");
  EXPECT_EQ(count(), 1U) << "the neighbour says what we say";
  neighbour("Kristiania");
  EXPECT_FALSE(only().to_decide);
  EXPECT_EQ(store_.node("a").name(), "Oslo-1");
  deliver(node("a").named("Oslo"));
  EXPECT_EQ(store_.node("a").name(), "Oslo-1");
  EXPECT_FALSE(only().to_decide);
  deliver(node("a").named("Oslo-1"));
  EXPECT_EQ(count(), 0U);
}

TEST_F(Overrides, OfWhatWasDeletedEndWhenNobodyDeliversIt) {
  deliver(node("a"));
  store_.import_at_top(topology("U", "q", institution("q"), node("a")));
  remove(Kind::node, "a");
  store_.import_at_top(topology("U", "q", institution("q"), node("c")));
  EXPECT_EQ(count(), 1U) << "the other one may have it";
  deliver(node("a"));
  EXPECT_EQ(store_.count(Kind::node, "a"), 0U);
}

TEST_F(Overrides, AreNotMadeOfWhatGoesWithItsTopology) {
  deliver(node("a"));
  remove(Kind::topology, "T");
  EXPECT_EQ(count(), 0U);
}

TEST_F(Overrides, AreUndoneWithTheImportThatEndedThem) {
  deliver(node("a").named("Oslo"));
  edit(Kind::node, "a", name_of("Oslo-1"));
  const State before = store_.state();
  deliver(node("a").named("Oslo-1"));
  ASSERT_EQ(count(), 0U);
  const UndoPlan undo = plan_undo(store_.state(), store_.transaction(), before.graph);
  commit(undo.transaction);
  EXPECT_EQ(only().delivered, "Oslo");
}

}  // namespace
}  // namespace netml::engine
