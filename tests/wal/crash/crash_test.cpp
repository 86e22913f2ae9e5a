// Goal: nothing acknowledged is lost and nothing is half done, wherever a crash comes.
// Method: each workload runs once; before every storage operation the simulated disk is crashed in
// every way worth trying, recovered, compared with the oracle, recovered again and written to. With
// NETML_CRASH_ALL=1, as bench/soak has it, it loses every subset of up to twelve changes, and tears
// sectors at every byte.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/wal/crash/crash_harness.hpp"

namespace netml::wal::test {
namespace {

using engine::State;
using engine::Transaction;
using testing::import_topology;
using testing::TransactionBuilder;

std::function<Transaction(const State&)> topology(std::string name, std::size_t nodes = 3) {
  return [name, nodes](const State& base) { return import_topology(base, name, nodes); };
}

Transaction rename_second(const State& base) {
  TransactionBuilder edit(base);
  edit.rename(RecordId{2}, fmt::format("renamed at {}", base.lsn.value));
  return edit.finish();
}

// One transaction with the changes of three files.
Transaction three_topologies(const State& base) {
  TransactionBuilder builder(base);
  for (const char* name : {"one", "two", "three"}) {
    const RecordId topology = builder.topology(fmt::format("urn:{}", name));
    const RecordId owner = builder.institution(fmt::format("urn:{}:i", name), topology);
    const RecordId a = builder.node(fmt::format("urn:{}:a", name), topology, owner);
    const RecordId b = builder.node(fmt::format("urn:{}:b", name), topology, owner);
    builder.link(fmt::format("urn:{}:l", name), topology, owner, a, b);
    builder.import_record(name);
  }
  return builder.finish();
}

void with_one_topology(Client& client) {
  client.open();
  client.commit(topology("base"));
  ASSERT_TRUE(client.store().watermark());
  client.sync();
}

void report(const char* name, const CrashCounts& counts) {
  std::string marks;
  for (const auto& [mark, count] : counts.marks.counts())
    marks += fmt::format(", {} {}", mark, count);
  fmt::print("{}: {} boundaries, {} crashes, {} crashes inside recovery{}\n", name,
             counts.operations, counts.images, counts.second, marks);
}

TEST(Crash, FirstStartInPlace_T2_S3) {
  const CrashCounts counts = crash_everywhere([](Client& client) {
    client.open();
    client.commit(topology("a"));
  });
  report("first start", counts);
  EXPECT_GT(counts.marks.reached("created"), 0U);
}

TEST(Crash, Edit_T2_S1) {
  const CrashCounts counts = crash_everywhere(
      [](Client& client) {
        client.open();
        client.commit(rename_second);
        client.commit(rename_second);
        ASSERT_TRUE(client.store().watermark());
        client.sync();
        client.commit(rename_second);
      },
      {small_options(), with_one_topology});
  report("edit", counts);
  EXPECT_GT(counts.marks.reached("torn tail"), 0U);
  EXPECT_GT(counts.marks.reached("tail written again"), 0U);
}

TEST(Crash, GroupOfEdits_T2_S2) {
  const CrashCounts counts = crash_everywhere(
      [](Client& client) {
        client.open();
        for (int i = 0; i < 4; ++i) client.append(rename_second);
        client.sync();
        for (int i = 0; i < 4; ++i) client.append(rename_second);
        client.sync();
      },
      {small_options(), with_one_topology});
  report("group of edits", counts);
}

TEST(Crash, ImportOfThreeTopologies_T2_P2) {
  report("import of three topologies", crash_everywhere(
                                           [](Client& client) {
                                             client.open();
                                             client.commit(three_topologies);
                                           },
                                           {small_options(), with_one_topology}));
}

TEST(Crash, TransactionOverRotation_T2_S3_J2) {
  const CrashCounts counts = crash_everywhere(
      [](Client& client) {
        client.open();
        client.append(rename_second);
        client.commit(topology("large", 700));  // several frames, several segments
        client.commit(rename_second);
      },
      {small_options(280 << 10), with_one_topology});
  report("transaction over rotation", counts);
  EXPECT_GT(counts.marks.reached("transaction cut off"), 0U);
}

// Until a segment is full and the sync of its seal fails: the seal can be read, and is not durable.
void with_a_seal_that_is_not_durable(Client& client) {
  client.open();
  int segments = 0;
  client.node().disk().inject(
      [&](std::uint64_t, const std::string& operation) -> std::optional<Error> {
        if (operation == "create journal/next-segment.tmp") ++segments;
        if (segments < 2 || !operation.starts_with("fdatasync journal/")) return std::nullopt;
        return Error{Errc::io_error, "injected"};
      });
  while (client.try_append(topology("base", 5)) && client.try_sync()) {
  }
  client.node().disk().inject(nullptr);
  client.reopen();
}

TEST(Crash, StartAfterASealThatWasNotSynced_T2_E2_S3) {
  report("start after a seal that was not synced",
         crash_everywhere(
             [](Client& client) {
               client.open();
               client.commit(rename_second);
             },
             {small_options(), with_a_seal_that_is_not_durable}));
}

StoreOptions compressing(std::uint64_t segment_bytes) {
  StoreOptions options = small_options(segment_bytes);
  options.journal.compresses_small = true;
  return options;
}

TEST(Crash, CompressedTransactionOverRotation_T2_S3_J2) {
  const CrashCounts counts = crash_everywhere(
      [](Client& client) {
        client.open();
        client.append(rename_second);
        client.commit(topology("large", 700));
        client.commit(rename_second);
      },
      {compressing(8 << 10), with_one_topology});
  report("compressed transaction over rotation", counts);
  EXPECT_GT(counts.marks.reached("transaction cut off"), 0U);
}

TEST(Crash, CheckpointDuringACommit_T2_K1) {
  const CrashCounts counts = crash_everywhere(
      [](Client& client) {
        client.open();
        client.commit(rename_second);
        const CheckpointSource source = client.store().checkpoints().source();
        client.append(rename_second);
        const auto files = client.store().checkpoints().write(source);
        ASSERT_TRUE(files) << files.error().message;
        client.sync();
        ASSERT_TRUE(client.store().checkpoints().install(*files));
      },
      {small_options(), with_one_topology});
  report("checkpoint during a commit", counts);
  EXPECT_GT(counts.marks.reached("started from a checkpoint"), 0U);
}

TEST(Crash, RetentionOfCheckpoints_T2_K4_K5) {
  const CrashCounts counts = crash_everywhere(
      [](Client& client) {
        client.open();
        for (int i = 0; i < 4;
             ++i) {  // from the third on, one leaves the manifest, then is deleted
          client.commit(rename_second);
          ASSERT_TRUE(client.store().checkpoint());
        }
      },
      {small_options(), with_one_topology});
  report("retention", counts);
  EXPECT_GT(counts.marks.reached("started from a checkpoint"), 0U);
}

// Wherever the crash comes, each checkpoint that counts has its signature.
TEST(Crash, SignedCheckpoints_T2_L4) {
  StoreOptions options = small_options();
  options.signing_key = Ed25519Seed{};
  report("signed checkpoints", crash_everywhere(
                                   [](Client& client) {
                                     client.open();
                                     for (int i = 0; i < 2; ++i) {
                                       client.commit(rename_second);
                                       ASSERT_TRUE(client.store().checkpoint());
                                     }
                                     client.publish("signed, too");
                                   },
                                   {options, with_one_topology}));
}

Transaction remove_first_item(const State& base) {
  Transaction change = TransactionBuilder(base).finish();
  change.published.push_back({1, base.catalog.published.find(1), nullptr});
  return change;
}

TEST(Crash, Publish_T2_K2) {
  report("publish", crash_everywhere(
                        [](Client& client) {
                          client.open();
                          client.publish("first");
                          client.commit(rename_second);
                          client.publish("second");
                          client.publish("nothing has changed");
                          client.commit(remove_first_item);
                          ASSERT_TRUE(client.store().checkpoints().release_published());
                        },
                        {small_options(), with_one_topology}));
}

Transaction change_rules(const State& base) {
  Transaction change = TransactionBuilder(base).finish();
  const auto before = base.catalog.rules.find(1);
  auto after = std::make_shared<engine::Rule>(*before);
  after->enabled = true;
  after->actions.pop_back();
  change.rules.push_back({1, before, after});
  change.rules.push_back({2, base.catalog.rules.find(2), nullptr});
  return change;
}

// A ruleset with its rules, a change and a deletion of them, across a checkpoint.
TEST(Crash, RuleChanges_T2_P2) {
  report("rule changes", crash_everywhere(
                             [&](Client& client) {
                               client.open();
                               client.commit([](const State& base) {
                                 TransactionBuilder builder(base);
                                 builder.ruleset("decisions");
                                 builder.rule("first", 1);
                                 builder.rule("second", 1);
                                 return builder.finish();
                               });
                               ASSERT_TRUE(client.store().checkpoint());
                               client.commit(change_rules);
                             },
                             {small_options(), with_one_topology}));
}

TEST(Crash, TokenCreation_T2_K3) {
  report("token creation", crash_everywhere(
                               [](Client& client) {
                                 client.open();
                                 client.commit([](const State& base) {
                                   TransactionBuilder builder(base);
                                   builder.token("client");
                                   return builder.finish();
                                 });
                                 ASSERT_TRUE(client.store().checkpoint());
                               },
                               {small_options(), with_one_topology}));
}

TEST(Crash, ShutdownAndStart_T2_O4) {
  report("shutdown", crash_everywhere(
                         [](Client& client) {
                           client.open();
                           client.commit(rename_second);
                           client.close();
                           client.open();
                           client.close();
                           client.open();
                           client.commit(rename_second);
                           client.close();
                         },
                         {small_options(), with_one_topology}));
}

}  // namespace
}  // namespace netml::wal::test
