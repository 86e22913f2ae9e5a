// Goal: verification of data that are being written finds damage, and nothing else (L4).
// Method: on a real disk, since the simulated one is for one thread; small segments, so that
// segments are sealed and cut, and checkpoints deleted, while they are read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/base/sha256.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/commit/writer.hpp"
#include "wal/storage/posix_storage.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using testing::import_topology;
using testing::TransactionBuilder;

class LiveVerification : public ::testing::Test {
 protected:
  LiveVerification() : root_(*PosixStorage::open_path(directory_.path().string())) {}

  void open() {
    auto store = Store::open(*root_, clock_, random_, small_options());
    ASSERT_TRUE(store) << store.error().message;
    writer_.emplace(std::move(*store));
  }
  Status commit(const std::function<engine::Transaction(const engine::State&)>& plan) {
    NETML_TRY_VOID(writer_
                       ->submit(Plan([&](const engine::State& base) {
                         return Result<engine::Transaction>(plan(base));
                       }))
                       .get());
    return {};
  }
  LiveView live_view() {
    LiveView view;
    EXPECT_TRUE(writer_
                    ->run([&](Store& store) {
                      view = store.live_view();
                      return Status();
                    })
                    .get());
    return view;
  }
  std::vector<std::string> findings(const VerifyOptions& options) {
    InlineParallel parallel;
    auto report = verify(*root_, parallel, options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->findings : std::vector<std::string>{report.error().message};
  }
  std::filesystem::path file(std::string_view name) const { return directory_.file(name); }

  netml::test::TemporaryDirectory directory_;
  testing::ManualClock clock_;
  testing::SeededRandom random_;
  std::unique_ptr<PosixStorage> root_;
  std::optional<Writer> writer_;
};

engine::Transaction some_topology(const engine::State& base) {
  return import_topology(base, fmt::format("at {}", base.lsn.value), 4);
}

TEST_F(LiveVerification, GivesNoFalseAlarmWhileSegmentsAreCutAndCheckpointsDeleted_L4_K5) {
  ASSERT_NO_FATAL_FAILURE(open());
  ASSERT_TRUE(commit(some_topology));
  std::atomic<bool> done{false};
  std::vector<std::thread> verifiers;
  for (int i = 0; i < 2; ++i)
    verifiers.emplace_back([&] {
      do {
        const std::vector<std::string> found = findings({.live = live_view()});
        EXPECT_TRUE(found.empty()) << found.front();
      } while (!done);
    });
  for (int i = 0; i < 150; ++i) {
    EXPECT_TRUE(commit(some_topology));
    if (i % 5 == 0) {
      EXPECT_TRUE(writer_->checkpoint().get());
    }
  }
  done = true;
  for (std::thread& verifier : verifiers) verifier.join();
  EXPECT_GT(live_view().manifest.segments.size(), 20U);
}

TEST_F(LiveVerification, ComparesReplayWithTheStateInMemory_L4) {
  ASSERT_NO_FATAL_FAILURE(open());
  ASSERT_TRUE(commit(some_topology));
  LiveView view = live_view();
  EXPECT_TRUE(findings({.live = view}).empty());
  view.state = std::make_shared<const engine::State>();
  ASSERT_EQ(findings({.live = view}).size(), 1U);
  EXPECT_NE(findings({.live = view})[0].find("the state in memory"), std::string::npos);
  view = live_view();
  view.head.chain[0] ^= std::byte{1};
  EXPECT_EQ(findings({.live = view}).size(), 1U);
}

// All of what is read counts: so much more of the same total each time, up to the whole.
TEST_F(LiveVerification, TellsHowFarItIs) {
  ASSERT_NO_FATAL_FAILURE(open());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(commit(some_topology));
  ASSERT_TRUE(writer_->checkpoint().get());
  ASSERT_TRUE(commit(some_topology));
  std::vector<WorkNow> reported;
  const LiveView view = live_view();
  const std::vector<std::string> found =
      findings({.live = view, .report = [&](const WorkNow& now) { reported.push_back(now); }});
  EXPECT_TRUE(found.empty()) << found.front();
  ASSERT_GE(reported.size(), 2U);
  std::uint64_t checkpoints = 0;
  for (const CheckpointEntry& entry : view.manifest.checkpoints) checkpoints += 2 * entry.bytes();
  EXPECT_GT(reported.front().total, checkpoints) << "and the journal";
  EXPECT_EQ(reported.front().done, 0U);
  EXPECT_TRUE(std::ranges::is_sorted(reported, {}, &WorkNow::done));
  for (const WorkNow& now : reported) {
    EXPECT_EQ(now.total, reported.front().total);
    EXPECT_EQ(now.unit, WorkUnit::bytes);
  }
  EXPECT_EQ(reported.back().done, reported.back().total);
}

TEST_F(LiveVerification, SeesACheckpointThatIsMissingThoughTheManifestNamesIt) {
  ASSERT_NO_FATAL_FAILURE(open());
  ASSERT_TRUE(commit(some_topology));
  ASSERT_TRUE(writer_->checkpoint().get());
  const LiveView view = live_view();
  std::filesystem::remove(file("checkpoints") / view.manifest.checkpoints.front().graph.name);
  EXPECT_EQ(findings({.live = view}).size(), 1U) << "reported once";
  EXPECT_EQ(findings({}).size(), 1U);
}

// The files that imports name, under their hashes.
class KeptUpload : public LiveVerification {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(open());
    const std::string content = "<a stored file>";
    hash_ = Sha256Hasher().hash(std::as_bytes(std::span(content)));
    path_ = file("uploads") / to_hex(hash_);
    std::ofstream(path_) << content;
    ASSERT_TRUE(commit([&](const engine::State& base) {
      TransactionBuilder builder(base);
      builder.import_record("a.xml", hash_);
      return builder.finish();
    }));
  }

  Sha256 hash_;
  std::filesystem::path path_;
};

TEST_F(KeptUpload, IsVerified) {
  EXPECT_TRUE(findings({}).empty());
  EXPECT_TRUE(findings({.live = live_view()}).empty());
}

TEST_F(KeptUpload, ThatIsGoneIsFound) {
  std::filesystem::remove(path_);
  ASSERT_EQ(findings({.live = live_view()}).size(), 1U);
  EXPECT_NE(findings({})[0].find("import 1"), std::string::npos);
}

TEST_F(KeptUpload, ThatWasChangedIsFound) {
  std::ofstream(path_, std::ios::app) << "!";
  ASSERT_EQ(findings({.live = live_view()}).size(), 1U);
  EXPECT_NE(findings({})[0].find(path_.string()), std::string::npos);
}

TEST_F(KeptUpload, ThatNoImportNamesIsNoFinding) {
  const std::string other = "left by a crash";
  std::ofstream(file("uploads") / to_hex(Sha256Hasher().hash(std::as_bytes(std::span(other)))))
      << other;
  EXPECT_TRUE(findings({}).empty());
}

}  // namespace
}  // namespace netml::wal::test
