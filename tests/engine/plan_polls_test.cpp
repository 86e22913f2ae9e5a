// Goal: polls leave in the catalog what happened, and nothing open
// (docs/requirements/polling-and-publishing.md, sections 5, 12 and 15).
#include "engine/import/plan_polls.hpp"

#include <gtest/gtest.h>

#include "engine/edit/plan_edit.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::engine {
namespace {

class PlanPolls : public testing::Test {
 protected:
  PlanPolls() {
    for (const char* name : {"a", "b"}) {
      PollingSource source;
      source.name = name;
      source.hostname = "peer.example.org";
      commit(plan_source_create(state_, source).value());
    }
  }
  void commit(Transaction transaction) {
    state_ = apply(state_, transaction, Lsn{state_.lsn.value + 1}).value();
  }
  void batch(std::size_t kept_max = 100) {
    const std::uint64_t sources[] = {1, 2};
    commit(plan_poll_batch(state_, {.started = Instant{100}}, sources, kept_max));
  }
  void end(std::uint64_t number, PollStatus status, std::uint64_t import_record = 0) {
    PollRecord record = *state_.catalog.poll_records.find(number);
    record.status = status;
    record.import_record = import_record;
    Transaction transaction = empty_transaction(state_);
    set_poll_record(transaction, state_, number, record);
    commit(std::move(transaction));
  }
  PollStatus status(std::uint64_t number) {
    return state_.catalog.poll_records.find(number)->status;
  }

  State state_;
};

TEST_F(PlanPolls, GiveEachSourceAPendingRecord) {
  batch();
  batch();
  EXPECT_EQ(state_.catalog.poll_batches.count(), 2U);
  EXPECT_EQ(state_.catalog.poll_records.count(), 4U);
  EXPECT_EQ(state_.catalog.poll_records.find(4)->batch, 2U);
  EXPECT_EQ(state_.catalog.poll_records.find(4)->source, 2U);
  EXPECT_EQ(status(4), PollStatus::pending);
}

TEST_F(PlanPolls, EndABatchWithAllItsRecords) {
  batch();
  batch();
  end(1, PollStatus::complete);
  commit(plan_poll_batch_finish(state_, 1, 2500, "why"));
  EXPECT_TRUE(state_.catalog.poll_batches.find(1)->finished);
  EXPECT_EQ(state_.catalog.poll_batches.find(1)->milliseconds, 2500U);
  EXPECT_EQ(status(1), PollStatus::complete);
  EXPECT_EQ(status(2), PollStatus::aborted);
  EXPECT_EQ(state_.catalog.poll_records.find(2)->message, "why");
  EXPECT_EQ(status(3), PollStatus::pending) << "of another batch";
  EXPECT_TRUE(plan_poll_batch_finish(state_, 1, 9, "again").empty());
  EXPECT_TRUE(plan_poll_batch_finish(state_, 9, 9, "none").empty());
}

TEST_F(PlanPolls, CloseAllThatIsOpen) {
  batch();
  end(1, PollStatus::complete);
  commit(plan_open_polls_close(state_, Instant{103}, "why"));
  EXPECT_EQ(status(1), PollStatus::complete);
  EXPECT_EQ(status(2), PollStatus::aborted);
  EXPECT_EQ(state_.catalog.poll_batches.find(1)->milliseconds, 3000U);
  EXPECT_TRUE(plan_open_polls_close(state_, Instant{104}, "again").empty());
}

TEST_F(PlanPolls, ForgetTheOldestThatAreFinished) {
  Transaction import = empty_transaction(state_);
  add_entry(import, state_, ImportRecord{});
  commit(std::move(import));
  batch();
  end(1, PollStatus::complete, 1);
  end(2, PollStatus::aborted);
  batch();
  commit(plan_poll_batch_finish(state_, 1, 1, "why"));
  batch(2);
  EXPECT_EQ(state_.catalog.poll_batches.find(1), nullptr);
  EXPECT_EQ(state_.catalog.poll_records.find(1), nullptr);
  EXPECT_EQ(state_.catalog.imports.count(), 0U);
  batch(1);
  EXPECT_EQ(state_.catalog.poll_batches.count(), 3U) << "the others are still running";
}

TEST_F(PlanPolls, GoWithTheirBatchAndWithTheirSource) {
  batch();
  batch();
  EXPECT_EQ(plan_poll_batch_delete(state_, 9).error().code, Errc::not_found);
  commit(plan_poll_batch_delete(state_, 1).value());
  EXPECT_EQ(state_.catalog.poll_records.count(), 2U);
  Transaction learned = empty_transaction(state_);
  set_peer_state(learned, state_, 1, PeerState{});
  commit(std::move(learned));
  commit(plan_source_delete(state_, "a").value());
  EXPECT_EQ(state_.catalog.poll_records.count(), 1U);
  EXPECT_EQ(state_.catalog.peer_states.count(), 0U);
  Transaction late = empty_transaction(state_);
  set_peer_state(late, state_, 1, PeerState{});
  set_poll_record(late, state_, 1, {});
  EXPECT_TRUE(late.empty()) << "of what is gone nothing is kept";
}

TEST_F(PlanPolls, SumUpABatch) {
  const auto of = [](std::vector<PollStatus> statuses) {
    std::vector<PollRecord> records;
    for (const PollStatus status : statuses) {
      records.emplace_back();
      records.back().status = status;
    }
    return overall_status(records);
  };
  EXPECT_EQ(of({}), PollStatus::complete);
  EXPECT_EQ(of({PollStatus::complete, PollStatus::complete}), PollStatus::complete);
  EXPECT_EQ(of({PollStatus::complete, PollStatus::importing}), PollStatus::pending);
  EXPECT_EQ(of({PollStatus::aborted, PollStatus::pending}), PollStatus::aborted);
}

}  // namespace
}  // namespace netml::engine
