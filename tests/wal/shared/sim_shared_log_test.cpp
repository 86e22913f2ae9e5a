// Goal: the model of the shared log does to calls what tests of leaders and followers rely on: it
// loses, cuts, delays, repeats and cancels them, and shows nothing that a fail-over could lose.
// Method: each fate of a call by itself, and every call with every fate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <utility>

#include "tests/support/sim_shared_log.hpp"
#include "tests/wal/shared/shared_log_contract.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::seconds;
using testing::CallFate;
using ::testing::IsEmpty;
using testing::SimSharedLog;
using ::testing::SizeIs;

class ModelOfSharedLog : public ::testing::Test {
 protected:
  // The next call alone.
  void let_next(CallFate fate) {
    const std::uint64_t next = model_.calls() + 1;
    model_.decide([next, fate](std::uint64_t number, const std::string&) {
      return number == next ? fate : CallFate::arrives;
    });
  }
  Outcome append() {
    const OwnedAppend frames(contract_start(), after_, Epoch{}, {"frames"});
    return log_->append_if(frames.append()).outcome;
  }
  Head head() {
    const Result<SharedHead> head = log_->head();
    EXPECT_TRUE(head);
    return head ? head->head : Head{};
  }
  std::size_t pieces() {
    const auto read = log_->read_from({contract_start().lsn}, kAll);
    EXPECT_TRUE(read);
    return read ? read->size() : 0;
  }

  const Head after_ = some_head(42);
  testing::ManualClock clock_;
  SimSharedLog model_{clock_,
                      {.cluster = contract_cluster(),
                       .start = contract_start(),
                       .delay_min = seconds(5)}};  // longer than callers wait
  const std::unique_ptr<SharedLog> log_ = model_.connect();
};

TEST_F(ModelOfSharedLog, LosesACallBeforeItArrives) {
  let_next(CallFate::lost);
  EXPECT_EQ(append(), Outcome::unknown);
  EXPECT_EQ(head(), contract_start());
  model_.deliver_delayed();
  EXPECT_EQ(head(), contract_start());
}

TEST_F(ModelOfSharedLog, CutsTheAnswerOfWhatItDid) {
  let_next(CallFate::unanswered);
  EXPECT_EQ(append(), Outcome::unknown);
  EXPECT_FALSE(model_.unconfirmed());
  EXPECT_EQ(head(), after_);
}

TEST_F(ModelOfSharedLog, DelaysACallUntilItIsDue) {
  let_next(CallFate::delayed);
  EXPECT_EQ(append(), Outcome::unknown);
  EXPECT_EQ(model_.delayed(), 1);
  model_.deliver_delayed();
  EXPECT_EQ(model_.delayed(), 0);
  EXPECT_EQ(head(), after_);
}

TEST_F(ModelOfSharedLog, DeliversWhatIsDueBeforeTheNextCall) {
  let_next(CallFate::delayed);
  EXPECT_EQ(append(), Outcome::unknown);
  clock_.advance(seconds(11));  // beyond the longest delay
  EXPECT_EQ(head(), after_);
  EXPECT_EQ(model_.delayed(), 0);
}

TEST_F(ModelOfSharedLog, LetsACallArriveTwice) {
  EXPECT_TRUE(log_->report({"alpha", "https://a.example", contract_start(), "1", {}}));
  let_next(CallFate::duplicated);
  EXPECT_TRUE(log_->remove_member("alpha"));
  EXPECT_EQ(model_.delayed(), 1);
  EXPECT_TRUE(log_->report({"alpha", "https://a.example", contract_start(), "1", {}}));
  model_.deliver_delayed();
  const auto members = log_->members();
  ASSERT_TRUE(members);
  EXPECT_THAT(*members, IsEmpty());  // the second arrival removed what came between
}

TEST_F(ModelOfSharedLog, TakesAnAppendOnceThoughItArrivesTwice) {
  let_next(CallFate::duplicated);
  EXPECT_EQ(append(), Outcome::done);
  model_.deliver_delayed();
  EXPECT_EQ(head(), after_);
  EXPECT_EQ(pieces(), 1);
}

TEST_F(ModelOfSharedLog, LosesWhatWasCancelledWhenThePrimaryIsLost) {
  let_next(CallFate::cancelled);
  EXPECT_EQ(append(), Outcome::unknown);
  EXPECT_TRUE(model_.unconfirmed());
  model_.fail_over();
  EXPECT_EQ(head(), contract_start());
  EXPECT_EQ(append(), Outcome::done);
}

// So whoever has read something can build on it.
TEST_F(ModelOfSharedLog, KeepsWhatItHasShown) {
  let_next(CallFate::cancelled);
  EXPECT_EQ(append(), Outcome::unknown);
  EXPECT_EQ(head(), after_);
  EXPECT_FALSE(model_.unconfirmed());
  model_.fail_over();
  EXPECT_EQ(head(), after_);
  EXPECT_EQ(pieces(), 1);
}

TEST_F(ModelOfSharedLog, ShowsNothingThatAStalledStandbyLacks) {
  model_.set_standby(SimSharedLog::Standby::stalled);
  EXPECT_TRUE(log_->head());  // both have that
  EXPECT_EQ(append(), Outcome::unknown);
  const auto read = log_->read_from({contract_start().lsn}, kAll);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Errc::unavailable);
  EXPECT_FALSE(log_->head());
  model_.set_standby(SimSharedLog::Standby::synchronous);
  EXPECT_EQ(head(), after_);
}

// What require-standby is for: the promise does not hold then, and the log says so before.
TEST_F(ModelOfSharedLog, SaysThatNobodyConfirmsBeforeAFailOverLosesAnything) {
  model_.set_standby(SimSharedLog::Standby::gone);
  const auto before = log_->head();
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->synchronous);
  EXPECT_EQ(append(), Outcome::done);
  model_.fail_over();
  EXPECT_EQ(head(), contract_start());
}

TEST_F(ModelOfSharedLog, ForgetsWhatIsUnderWayToALostPrimary) {
  let_next(CallFate::delayed);
  EXPECT_EQ(append(), Outcome::unknown);
  model_.fail_over();
  model_.deliver_delayed();
  EXPECT_EQ(head(), contract_start());
}

// A clock that jumps ends a lease early; the epoch still keeps the old holder from writing.
TEST_F(ModelOfSharedLog, LetsTheClockOfTheEngineJump) {
  ASSERT_EQ(log_->take_lease("a", Epoch{}, seconds(3)).outcome, Outcome::done);
  clock_.put_wall_forward(seconds(3600));
  ASSERT_EQ(log_->take_lease("b", Epoch{1}, seconds(3)).outcome, Outcome::done);
  const OwnedAppend late(contract_start(), after_, Epoch{1}, {"late"});
  EXPECT_EQ(log_->append_if(late.append()).outcome, Outcome::refused);
}

TEST_F(ModelOfSharedLog, LetsTheCallerWaitWhereItGetsNoAnswer) {
  const auto before = clock_.steady();
  let_next(CallFate::lost);
  EXPECT_EQ(append(), Outcome::unknown);
  EXPECT_GE(clock_.steady() - before, seconds(2));
}

// Whatever becomes of a call, it is never reported as done when it is not, and the same call again
// leads to where one call leads.
TEST_F(ModelOfSharedLog, LeavesNoCallInDoubtForEver) {
  const SharedUpload upload{Sha256{}, StoredAs::itself, 4};
  const std::vector<std::byte> four(4, std::byte{7});
  const Member alpha{"alpha", "https://a.example", contract_start(), "1", {}};
  const std::array<std::pair<const char*, std::function<bool(SharedLog&)>>, 7> calls{{
      {"head", [](SharedLog& log) { return log.head().has_value(); }},
      {"read_from",
       [](SharedLog& log) { return log.read_from({contract_start().lsn}, kAll).has_value(); }},
      {"put_upload", [&](SharedLog& log) { return log.put_upload(upload, 0, four).has_value(); }},
      {"report", [&](SharedLog& log) { return log.report(alpha).has_value(); }},
      {"members", [](SharedLog& log) { return log.members().has_value(); }},
      {"remove_member", [](SharedLog& log) { return log.remove_member("beta").has_value(); }},
      {"forget",
       [](SharedLog& log) { return log.forget(Lsn{41}, std::chrono::hours(1)).has_value(); }},
  }};
  for (const auto& [name, call] : calls)
    for (std::size_t fate = 0; fate < testing::kCallFates; ++fate) {
      const auto now = static_cast<CallFate>(fate);
      let_next(now);
      const bool answered = now == CallFate::arrives || now == CallFate::duplicated;
      EXPECT_EQ(call(*log_), answered) << name << " " << to_string(now);
      model_.deliver_delayed();
      EXPECT_TRUE(call(*log_)) << name << " after " << to_string(now);
    }
  EXPECT_TRUE(log_->find_upload(upload.hash));
  const auto members = log_->members();
  ASSERT_TRUE(members);
  EXPECT_THAT(*members, SizeIs(1));
}

TEST(FatesOfCalls, AreTheSameForTheSameSeedAndAllThereAre) {
  const auto drawn = [](std::uint64_t seed, unsigned percent) {
    const SimSharedLog::Decide decide = testing::random_fates(seed, percent);
    std::array<std::size_t, testing::kCallFates> counts{};
    std::vector<CallFate> fates;
    fates.reserve(1000);
    for (std::uint64_t number = 1; number <= 1000; ++number) {
      fates.push_back(decide(number, "append_if"));
      ++counts.at(static_cast<std::size_t>(fates.back()));
    }
    return std::pair(fates, counts);
  };
  EXPECT_EQ(drawn(1, 50).first, drawn(1, 50).first);
  EXPECT_NE(drawn(1, 50).first, drawn(2, 50).first);
  EXPECT_EQ(drawn(1, 0).second[0], 1000);
  for (const std::size_t count : drawn(1, 50).second) EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace netml::wal::test
