// Goal: a map that was held is asked for again until an administrator has decided, and from then on
// the node follows its peer as before (N7; docs/requirements/polling-and-publishing.md, sections 5
// and 15). Method: a peer that answers 304 to the tag of the map that it has.
#include <gmock/gmock.h>

#include "admin/imports/import_plans.hpp"
#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/poller_fixture.hpp"

namespace netml::admin {
namespace {

using netml::test::map_with;
using testing::answer;
using ::testing::HasSubstr;
using testing::kCaller;

class HeldPolls : public testing::PollerFixture {
 protected:
  HeldPolls() : plans_(*node_) {
    has(60);
    NETML_ASSERT(poll().end == PollEnd::imported);
    has(1);
    expect_failure("held", "held as plan 1");
  }
  // From now on; the tag tells how many.
  void has(int nodes) {
    const std::string etag = '"' + std::to_string(nodes) + '"';
    peer_.on("/netml_export/", [=](const net::Request& request) {
      const bool known = request.headers.get("If-None-Match") == etag;
      net::Response response = answer(known ? 304 : 200, known ? "" : map_with(nodes));
      response.headers.set("ETag", etag);
      return response;
    });
  }
  std::size_t nodes() { return state()->graph.count(Kind::node); }
  engine::PeerState known() { return *state()->catalog.peer_states.find(1); }

  ImportPlans plans_;
};

TEST_F(HeldPolls, AskForTheMapAgainButKeepItOnce) {
  peer_.forget();
  expect_failure("held", "held as plan 1");
  EXPECT_EQ(peer_.header(0, "If-None-Match"), "\"60\"") << "not that of a map that was not taken";
  EXPECT_EQ(state()->catalog.plans.count(), 1U);
  EXPECT_EQ(nodes(), 60U);
}

TEST_F(HeldPolls, AreDoneWithWhenThePlanIsApplied) {
  ASSERT_TRUE(plans_.apply(kCaller, 1).has_value());
  EXPECT_EQ(nodes(), 1U);
  EXPECT_EQ(known().failures, 0U);
  EXPECT_FALSE(known().waits_until.has_value()) << "the schedule does not pass it over any more";
  EXPECT_EQ(poll().end, PollEnd::unchanged);
  peer_.forget();
  EXPECT_EQ(poll().end, PollEnd::unchanged);
  EXPECT_EQ(peer_.header(0, "If-None-Match"), "\"1\"") << "and its tag is known again";
}

TEST_F(HeldPolls, AreTakenBackByAPeerThatHasTheFormerMapAgain) {
  ASSERT_TRUE(plans_.apply(kCaller, 1).has_value());
  has(60);
  EXPECT_EQ(poll().end, PollEnd::imported) << "what the node has is not what the peer has";
  EXPECT_EQ(nodes(), 60U);
}

TEST_F(HeldPolls, SayThatTheirReasonWasThatOfThenWhenTheyArePlannedAgain) {
  const auto because = [&] { return state()->catalog.plans.find(1)->held_because; };
  const std::string then = because();
  ASSERT_THAT(then, HasSubstr("it would delete 59 of"));
  ASSERT_TRUE(plans_.again(kCaller, 1, PlanAgain::keep).has_value());
  EXPECT_EQ(because(), then) << "nothing else would be done";
  ImportRequest request;
  request.place = ImportPlace::where_it_is;
  request.deletions_max = request.deletion_percent_max = 0;
  ASSERT_TRUE(testing::import_job(*node_, map_with(2), request)->commit().has_value());
  for (int i = 0; i < 2; ++i) {
    const auto again = plans_.again(kCaller, 1, PlanAgain::keep);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->result.changes.deleted, 1U);
    EXPECT_EQ(because(), "when it was held: " + then);
  }
}

TEST_F(HeldPolls, ThatAFormerVersionPlannedSayThatTheyNeedToBePlannedAgain) {
  Change change{.caller = kCaller, .cause = engine::Cause::upload};
  change.plan = [](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    engine::KeptPlan other = *state.catalog.plans.find(1);
    other.effects = {1, 2};
    engine::Transaction transaction = engine::empty_transaction(state);
    NETML_TRY_VOID(replace_kept_plan(transaction, state, 1, std::move(other)));
    return transaction;
  };
  ASSERT_TRUE(node_->commit(std::move(change)).has_value());
  const auto refused = plans_.apply(kCaller, 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().error.message,
              HasSubstr("made by a version of netml that imports otherwise; `netml plan again 1`"));
}

TEST_F(HeldPolls, AreHeldAgainWhenThePlanWasDeleted) {
  ASSERT_TRUE(plans_.remove(kCaller, 1).has_value());
  expect_failure("held", "held as plan 2");
  EXPECT_EQ(state()->catalog.plans.count(), 1U);
  EXPECT_EQ(nodes(), 60U);
}

TEST_F(HeldPolls, EndWhenThePeerComesBackToItsSenses) {
  has(60);
  EXPECT_EQ(poll().end, PollEnd::unchanged);
  EXPECT_EQ(known().failures, 0U);
  has(59);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(nodes(), 59U);
}

TEST_F(HeldPolls, MayBeAppliedWhenTheirRecordsAreGone) {
  for (const PollBatchView& batch : polling_.batches()) remove_batch(batch.number);
  ASSERT_TRUE(plans_.apply(kCaller, 1).has_value());
  EXPECT_EQ(nodes(), 1U);
}

}  // namespace
}  // namespace netml::admin
