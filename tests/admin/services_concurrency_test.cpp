// Goal: what works on a node at the same time does not disturb each other.
// Method: threads that verify, publish and commit at once; afterwards everything must fit together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/admin/support/open_node.hpp"
#include "tests/support/transaction_builder.hpp"

namespace netml::admin {
namespace {

using testing::OpenNode;

const Caller kCaller{engine::ActorKind::command_line, "tester", "here", "r1"};

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

}  // namespace
}  // namespace netml::admin
