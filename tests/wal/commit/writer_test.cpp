// Goal: the writer thread answers only what is durable, in one order, and bounds its queue.
#include "wal/commit/writer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <latch>
#include <set>

#include "tests/support/temporary_directory.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::wal::test {
namespace {

using testing::import_topology;

// On a real disk: the simulated one is for one thread.
class DiskNode {
 public:
  DiskNode() : root_(*PosixStorage::open_path(directory_.path().string())) {}
  StoreOptions& options() { return options_; }
  Result<std::unique_ptr<Store>> open() { return Store::open(*root_, clock_, random_, options_); }

 private:
  netml::test::TemporaryDirectory directory_;
  std::unique_ptr<PosixStorage> root_;
  testing::ManualClock clock_;
  testing::SeededRandom random_;
  StoreOptions options_ = small_options();
};

// Keeps the writer busy from its making until go_on(): what is submitted meanwhile waits.
class Blocker {
 public:
  explicit Blocker(Writer& writer)
      : blocked_(writer.run([this](Store&) {
          entered_.count_down();
          go_on_.wait();
          return Status();
        })) {
    entered_.wait();
  }
  void go_on() {
    go_on_.count_down();
    EXPECT_TRUE(blocked_.get());
  }

 private:
  std::latch entered_{1};
  std::latch go_on_{1};
  std::future<Status> blocked_;
};

Plan import_of(std::string name) {
  return Plan([name = std::move(name)](const engine::State& base) -> Result<engine::Transaction> {
    return import_topology(base, name, 3);
  });
}

// Until stop(), on another thread, has begun.
void wait_until_refused(Writer& writer) {
  const auto refused = [&] {
    const auto answer = writer.run([](Store&) { return Status(); });
    return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  while (!refused()) std::this_thread::yield();
}

Plan item_at(Lsn published) {
  return Plan([published](const engine::State& base) -> Result<engine::Transaction> {
    testing::TransactionBuilder builder(base);
    builder.publish("item", published);
    return builder.finish();
  });
}

TEST(Writer, GivesConcurrentSubmissionsOneOrder_S2) {
  DiskNode node;
  Writer writer(*node.open());
  constexpr int kThreads = 4, kEach = 25;
  std::mutex mutex;
  std::set<std::uint64_t> lsns;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const auto committed = writer.submit(import_of(fmt::format("{}-{}", t, i))).get();
        ASSERT_TRUE(committed) << committed.error().message;
        EXPECT_GE(committed->state->lsn, committed->lsn);
        EXPECT_GE(writer.published().state->lsn, committed->lsn) << "visible when it is answered";
        const std::lock_guard lock(mutex);
        lsns.insert(committed->lsn.value);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lsns.size(), std::size_t{kThreads * kEach});
  EXPECT_EQ(*lsns.rbegin(), std::uint64_t{kThreads * kEach});
  EXPECT_TRUE(writer.stop(Writer::Stop::with_checkpoint));
  const auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->head()->lsn, Lsn{kThreads * kEach});
  EXPECT_TRUE((*again)->recovery().clean_stop);
}

TEST(Writer, TakesEverythingQueuedIntoOneGroup_S2) {
  DiskNode node;
  Writer writer(*node.open());
  Blocker blocker(writer);
  std::vector<std::future<Result<Committed>>> answers;
  for (int i = 0; i < 20; ++i) answers.push_back(writer.submit(import_of(fmt::format("{}", i))));
  const std::uint64_t groups = writer.status().groups;
  blocker.go_on();
  for (auto& answer : answers) ASSERT_TRUE(answer.get());
  EXPECT_EQ(writer.status().groups, groups + 1);
}

// The disk is used by the writer's thread alone, from here to the end of the writer.
TEST(Writer, ShowsAndAcknowledgesNothingThatWasNotSynced_S1_E2) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "before", 3)));
  std::vector<Lsn> shown;  // while the sync was under way
  std::optional<Writer> writer;
  node.disk().inject([&](std::uint64_t, const std::string& operation) -> std::optional<Error> {
    if (!operation.starts_with("fdatasync journal/")) return std::nullopt;
    shown.push_back(writer->published().state->lsn);
    return Error{Errc::io_error, "injected"};
  });
  writer.emplace(std::move(store));
  const auto refusing = [] {
    return Plan([](const engine::State& base) -> Result<engine::Transaction> {
      return fail(Errc::conflict, fmt::format("at LSN {}", base.lsn.value));
    });
  };
  Blocker blocker(*writer);
  auto refused = writer->submit(refusing());
  auto first = writer->submit(import_of("a"));
  auto second = writer->submit(import_of("b"));
  auto refused_for_what_is_lost = writer->submit(refusing());
  blocker.go_on();
  for (auto* lost : {&first, &second, &refused_for_what_is_lost}) {
    const auto answer = lost->get();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::unavailable);
    EXPECT_TRUE(answer.error().message.ends_with("injected")) << answer.error().message;
  }
  EXPECT_EQ(refused.get().error().message, "at LSN 1");
  EXPECT_EQ(shown, std::vector<Lsn>{Lsn{1}});
  EXPECT_EQ(writer->published().state->lsn, Lsn{1});
  EXPECT_EQ(writer->status().head.lsn, Lsn{1});
  EXPECT_EQ(writer->status().transactions, 0U);
}

// What they look up then is there, and whoever made the change has been answered.
TEST(Writer, TellsWhoListensAfterEachGroup) {
  DiskNode node;
  std::vector<Lsn> seen;  // of the writer's thread, until it has stopped
  Writer* reported = nullptr;
  WriterOptions options;
  options.after_commit = [&] { seen.push_back(reported->published().state->lsn); };
  Writer writer(*node.open(), options);
  reported = &writer;
  EXPECT_TRUE(writer.submit(import_of("a")).get());
  EXPECT_TRUE(writer.submit(import_of("b")).get());
  EXPECT_TRUE(writer.stop(Writer::Stop::without_checkpoint));
  EXPECT_EQ(seen, (std::vector{Lsn{1}, Lsn{2}}));
}

TEST(Writer, ReportsEachCheckpointBeforeItsAnswer) {
  DiskNode node;
  std::atomic<int> reported = 0;
  WriterOptions options;
  options.after_checkpoint = [&] { ++reported; };
  Writer writer(*node.open(), options);
  EXPECT_TRUE(writer.submit(import_of("a")).get());
  for (int round = 0; round < 2; ++round) {
    const int before = reported.load();
    EXPECT_TRUE(writer.checkpoint().get());
    EXPECT_GT(reported.load(), before);
  }
}

TEST(Writer, RefusesBeyondItsQueue_S2) {
  DiskNode node;
  WriterOptions options;
  options.queue_transactions_max = 2;
  Writer writer(*node.open(), options);
  Blocker blocker(writer);
  auto first = writer.submit(import_of("a"));
  auto second = writer.submit(import_of("b"));
  const auto third = writer.submit(import_of("c")).get();
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, Errc::unavailable);
  blocker.go_on();
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());
}

TEST(Writer, RefusesBeyondTheBytesThatMayWait_S2) {
  DiskNode node;
  WriterOptions options;
  options.queue_bytes_max = 100;
  Writer writer(*node.open(), options);
  Blocker blocker(writer);
  auto small = writer.submit(import_of("a"), 99);
  auto large = writer.submit(import_of("b"), 1000);  // larger than the bound, but next in line
  EXPECT_EQ(writer.submit(import_of("c"), 1).get().error().code, Errc::unavailable);
  blocker.go_on();
  EXPECT_TRUE(small.get());
  EXPECT_TRUE(large.get());
  EXPECT_TRUE(writer.submit(import_of("c"), 1).get());
}

TEST(Writer, LeavesHalfOfTheBytesToOthersWhileALargeOneWaits_S2) {
  DiskNode node;
  WriterOptions options;
  options.queue_bytes_max = 100;
  Writer writer(*node.open(), options);
  Blocker blocker(writer);
  auto large = writer.submit(import_of("a"), 1000);
  auto small = writer.submit(import_of("b"), 49);
  auto last = writer.submit(import_of("c"), 1);
  EXPECT_EQ(writer.submit(import_of("d"), 1).get().error().code, Errc::unavailable);
  blocker.go_on();
  EXPECT_TRUE(large.get());
  EXPECT_TRUE(small.get());
  EXPECT_TRUE(last.get());
}

TEST(Writer, AnswersTheErrorOfAPlanAndGoesOn) {
  DiskNode node;
  Writer writer(*node.open());
  const auto refused = writer
                           .submit(Plan([](const engine::State&) -> Result<engine::Transaction> {
                             return fail(Errc::conflict, "no");
                           }))
                           .get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::conflict);
  const auto thrown = writer
                          .submit(Plan([](const engine::State&) -> Result<engine::Transaction> {
                            throw std::runtime_error("defect");
                          }))
                          .get();
  ASSERT_FALSE(thrown);
  EXPECT_EQ(thrown.error().code, Errc::internal);
  EXPECT_TRUE(writer.submit(import_of("a")).get());
}

TEST(Writer, GoesOnWhenThereIsNoMemoryForOneThing_E4) {
  DiskNode node;
  Writer writer(*node.open());
  const auto planned = writer
                           .submit(Plan([](const engine::State&) -> Result<engine::Transaction> {
                             throw std::bad_alloc();
                           }))
                           .get();
  ASSERT_FALSE(planned);
  EXPECT_EQ(planned.error().code, Errc::unavailable);
  const Status task = writer.run([](Store&) -> Status { throw std::bad_alloc(); }).get();
  ASSERT_FALSE(task);
  EXPECT_EQ(task.error().code, Errc::unavailable);
  EXPECT_EQ(writer.published().state->lsn, Lsn{0}) << "nothing has changed";
  EXPECT_TRUE(writer.submit(import_of("a")).get());
}

TEST(Writer, PublishesIndependentlyOfCheckpoints_K2) {
  DiskNode node;
  engine::Digest published;
  {
    Writer writer(*node.open());
    ASSERT_TRUE(writer.submit(import_of("a")).get());
    published = writer.published().state->digest();
    const auto lsn = writer.publish().get();
    ASSERT_TRUE(lsn) << lsn.error().message;
    EXPECT_EQ(*lsn, Lsn{1});
    ASSERT_TRUE(writer.submit(item_at(*lsn)).get());
    for (int i = 0; i < 100; ++i) {
      if (i < 10) {
        ASSERT_TRUE(writer.submit(import_of(fmt::format("later {}", i))).get());
      }
      const Status taken = writer.checkpoint().get();
      ASSERT_TRUE(taken) << taken.error().message;
    }
    ASSERT_TRUE(writer.stop(Writer::Stop::with_checkpoint));
  }
  auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  const auto read = read_published(**store, Lsn{1});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->state->digest() == published);
  EXPECT_EQ((*store)->manifest().checkpoints.size(), 3U);  // two recovery bases, one published
}

// What a crash, or a failure, left between the two steps is in nobody's way.
TEST(Writer, PublishesAgainWhatNoItemCameToName_K2) {
  DiskNode node;
  for (int run = 0; run < 3; ++run) {
    Writer writer(*node.open());
    for (int i = 0; i < 3; ++i) {
      const auto lsn = writer.publish().get();
      ASSERT_TRUE(lsn) << lsn.error().message;
      EXPECT_EQ(*lsn, writer.published().state->lsn);
      const auto checkpoints = writer.status().checkpoints;
      EXPECT_NE(find_published(*checkpoints, *lsn), nullptr);
      EXPECT_EQ(std::ranges::count(*checkpoints, true, &CheckpointEntry::published), 1);
      if (i == 1) {
        ASSERT_TRUE(writer.submit(import_of(fmt::format("{}", run))).get());
      }
    }
    ASSERT_TRUE(writer.stop(Writer::Stop::without_checkpoint));
  }
  const auto store = *node.open();
  EXPECT_EQ(std::ranges::count(store->manifest().checkpoints, true, &CheckpointEntry::published),
            0);
  EXPECT_TRUE(store->recovery().warnings.empty());
}

TEST(Writer, TakesACheckpointWhenEnoughJournalHasPassed_K6) {
  DiskNode node;
  node.options().checkpoint_bytes = 1;
  Writer writer(*node.open());
  ASSERT_TRUE(writer.submit(import_of("a")).get());
  Lsn checkpoint;
  while (checkpoint == Lsn{}) {
    const Status looked = writer
                              .run([&](Store& store) {
                                if (!store.manifest().checkpoints.empty())
                                  checkpoint = store.manifest().checkpoints.front().lsn;
                                return Status();
                              })
                              .get();
    ASSERT_TRUE(looked);
  }
  EXPECT_EQ(checkpoint, Lsn{1});
}

TEST(Writer, LetsACheckpointThatIsUnderWayCountWhenItStops_K6) {
  DiskNode node;
  {
    Writer writer(*node.open());
    ASSERT_TRUE(writer.submit(import_of("a")).get());
    Blocker blocker(writer);
    auto taken = writer.checkpoint();
    auto stopped = std::async(std::launch::async,
                              [&] { return writer.stop(Writer::Stop::without_checkpoint); });
    wait_until_refused(writer);
    blocker.go_on();
    EXPECT_TRUE(stopped.get());
    EXPECT_TRUE(taken.get());
  }
  const auto store = *node.open();
  EXPECT_EQ(store->recovery().checkpoint, Lsn{1});
}

TEST(Writer, BeginsNoCheckpointWhileItStops_K6) {
  DiskNode node;
  node.options().checkpoint_bytes = 1;
  {
    Writer writer(*node.open());
    Blocker blocker(writer);
    auto change = writer.submit(import_of("a"));
    auto stopped = std::async(std::launch::async,
                              [&] { return writer.stop(Writer::Stop::without_checkpoint); });
    wait_until_refused(writer);
    blocker.go_on();
    EXPECT_TRUE(stopped.get());
    EXPECT_TRUE(change.get());
  }
  const auto store = *node.open();
  EXPECT_EQ(store->recovery().head, Lsn{1});
  EXPECT_EQ(store->recovery().checkpoint, Lsn{0});
}

// What changed nothing waits for no disk.
TEST(Writer, TellsHowLongTheDiskTookForEachGroup) {
  DiskNode node;
  std::atomic<int> syncs = 0;
  WriterOptions options;
  options.watermark_delay = std::chrono::hours(1);
  options.after_sync = [&](std::chrono::nanoseconds took) {
    EXPECT_GE(took.count(), 0);
    ++syncs;
  };
  Writer writer(*node.open(), options);
  ASSERT_TRUE(writer.submit(import_of("a")).get());
  EXPECT_EQ(syncs, 1);
  Plan nothing([](const engine::State& base) -> Result<engine::Transaction> {
    return engine::empty_transaction(base);
  });
  ASSERT_TRUE(writer.submit(std::move(nothing)).get());
  EXPECT_TRUE(writer.stop(Writer::Stop::without_checkpoint));
  EXPECT_EQ(syncs, 1);
}

// The bytes of a journal with one import, header, EFFECTS and COMMIT, and what comes of watermarks.
std::uint64_t bytes_of_an_import(Writer& writer) {
  EXPECT_TRUE(writer.submit(import_of("a")).get());
  return writer.status().journal_bytes;
}

bool comes_to_have_more(Writer& writer, std::uint64_t before) {
  constexpr int kTries = 30000;
  for (int i = 0; i < kTries && writer.status().journal_bytes == before; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return writer.status().journal_bytes > before;
}

TEST(Writer, LeavesADurableWatermarkWhenIdle_J6) {
  DiskNode busy;
  DiskNode idle;
  WriterOptions options;
  options.watermark_delay = options.watermark_sync_delay = std::chrono::hours(1);
  Writer without(*busy.open(), options);
  const std::uint64_t before = bytes_of_an_import(without);
  EXPECT_TRUE(without.stop(Writer::Stop::without_checkpoint));
  options.watermark_delay = options.watermark_sync_delay = std::chrono::milliseconds(1);
  Writer writer(*idle.open(), options);
  EXPECT_GE(bytes_of_an_import(writer), before);
  EXPECT_TRUE(comes_to_have_more(writer, before));
  EXPECT_EQ(writer.status().journal_bytes % 8, 0U);
  EXPECT_TRUE(writer.stop(Writer::Stop::without_checkpoint));
}

// As a follower gets its transactions.
TEST(Writer, LeavesAWatermarkBehindWhatATaskBrought_J6) {
  DiskNode node;
  WriterOptions options;
  options.watermark_delay = options.watermark_sync_delay = std::chrono::milliseconds(1);
  Writer writer(*node.open(), options);
  std::uint64_t before = 0;
  const Status brought =
      writer
          .run([&](Store& store) -> Status {
            NETML_TRY_VOID(commit(store, testing::import_topology(*store.next(), "a", 1)));
            before = store.checkpoints().journal_bytes();
            return {};
          })
          .get();
  ASSERT_TRUE(brought) << brought.error().message;
  EXPECT_TRUE(comes_to_have_more(writer, before));
  EXPECT_TRUE(writer.stop(Writer::Stop::without_checkpoint));
}

TEST(Writer, RefusesAfterStop) {
  DiskNode node;
  Writer writer(*node.open());
  ASSERT_TRUE(writer.stop(Writer::Stop::with_checkpoint));
  const auto late = writer.submit(import_of("a")).get();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Errc::unavailable);
  const auto expect_refused = [](auto answer) {
    ASSERT_EQ(answer.wait_for(std::chrono::seconds(0)), std::future_status::ready);
    EXPECT_EQ(answer.get().error().message, "shutting down");
  };
  expect_refused(writer.run([](Store&) { return Status(); }));
  expect_refused(writer.checkpoint());
  expect_refused(writer.publish());
}

}  // namespace
}  // namespace netml::wal::test
