// Goal: what works on a node at the same time does not disturb each other.
// Method: threads that verify, publish and commit at once; afterwards everything must fit together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <set>
#include <thread>

#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/transaction_builder.hpp"

namespace netml::admin {
namespace {

using testing::OpenNode;

using testing::kCaller;

// Large enough to be applied on one thread while another writes it.
Result<Lsn> import_large(OpenNode& node, int number) {
  Change change{.caller = kCaller, .cause = engine::Cause::import, .rules = RulesAfter::skip};
  change.plan = [number](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(
        netml::testing::import_topology(state, fmt::format("{}", number), 1500));
  };
  return node->commit(std::move(change));
}

// Rule L4.
TEST(Concurrency, OfVerificationsAndLargeTransactionsFindsNothingWrong) {
  constexpr int kTransactions = 12;
  OpenNode node;
  std::atomic<bool> done{false};
  std::vector<std::thread> verifiers;
  for (int i = 0; i < 2; ++i)
    verifiers.emplace_back([&] {
      do {
        const Result<Verification> verified = node->verify();
        ASSERT_TRUE(verified) << verified.error().message;
        EXPECT_TRUE(verified->findings.empty()) << verified->findings.front();
      } while (!done);
    });
  for (int i = 0; i < kTransactions; ++i) {
    const Result<Lsn> lsn = import_large(node, i);
    EXPECT_TRUE(lsn) << lsn.error().message;
    if (i % 3 == 2) {
      EXPECT_TRUE(node->checkpoint());
    }
  }
  done = true;
  for (std::thread& verifier : verifiers) verifier.join();

  const Version before = node->version();
  EXPECT_EQ(before.state->graph.count(Kind::node), 1500U * kTransactions);
  node.close();
  node.open();
  EXPECT_EQ(node->version().head, before.head);
  EXPECT_TRUE(node->version().state->digest() == before.state->digest());
}

// Rule S2: what waits is bounded by its bytes as well.
TEST(Concurrency, OfLargeChangesIsBoundedByTheBytesThatWait) {
  constexpr int kChanges = 5, kRefused = 3;  // 40 MiB and 40 MiB are beyond 64 MiB
  OpenNode node;
  std::latch entered(1), go_on(1), refusals(kRefused);
  const auto change = [](std::function<void()> work, std::uint64_t bytes) {
    Change made{.caller = kCaller, .bytes = bytes};
    made.plan = [work = std::move(work)](const engine::State& state, WallTime) {
      work();
      return Result<engine::Transaction>(engine::empty_transaction(state));
    };
    return made;
  };
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    EXPECT_TRUE(node->commit(change(
        [&] {
          entered.count_down();
          go_on.wait();
        },
        1)));
  });
  entered.wait();
  std::atomic<int> done{0};
  for (int i = 0; i < kChanges; ++i)
    threads.emplace_back([&] {
      const Result<Lsn> lsn = node->commit(change([] {}, 40 << 20));
      if (lsn) {
        ++done;
      } else {
        EXPECT_EQ(lsn.error().code, Errc::unavailable);
        refusals.count_down();
      }
    });
  refusals.wait();
  go_on.count_down();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, kChanges - kRefused);
}

// Rules K2 and P2: each item holds the state at the LSN that it names.
TEST(Concurrency, OfPublicationsGivesEachItemItsState) {
  constexpr int kThreads = 3, kEach = 8;
  OpenNode node;
  const auto digest_of = [&](std::uint64_t number) {
    const Result<engine::StatePtr> state = node->published_state(number);
    EXPECT_TRUE(state) << state.error().message;
    return state ? (*state)->digest() : engine::Digest();
  };
  const auto make = [](Lsn published, WallTime) -> Result<engine::PublishedItem> {
    engine::PublishedItem item;
    item.status = engine::PublishedStatus::success;
    item.lsn = published;
    return item;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        const Result<std::uint64_t> number = node->publish(kCaller, make);
        ASSERT_TRUE(number) << number.error().message;
      }
    });
  for (std::thread& thread : threads) thread.join();

  std::set<Lsn> lsns;
  for (std::uint64_t number = 1; number <= kThreads * kEach; ++number) {
    const auto item = node->version().state->catalog.published.find(number);
    ASSERT_NE(item, nullptr) << number;
    const Result<engine::StatePtr> state = node->published_state(number);
    ASSERT_TRUE(state) << state.error().message;
    EXPECT_EQ((*state)->lsn, item->lsn);
    EXPECT_EQ((*state)->catalog.published.count(), number - 1) << "the items before it";
    lsns.insert(item->lsn);
  }
  EXPECT_EQ(lsns.size(), std::size_t{kThreads * kEach});
  const engine::Digest first = digest_of(1);
  ASSERT_TRUE(node->withdraw(kCaller, 2));
  EXPECT_EQ(node->published_state(2).error().code, Errc::not_found);
  node.close();
  node.open();
  EXPECT_TRUE(digest_of(1) == first);
}

}  // namespace
}  // namespace netml::admin
