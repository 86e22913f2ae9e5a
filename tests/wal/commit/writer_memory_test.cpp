// Goal: an allocation that fails, in whichever thread of the writer, ends neither the process nor
// the work that comes later (E4).
// Method: malloc fails the n-th time, for every n of a change and the checkpoint after it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "tests/support/failing_memory.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/commit/writer.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::wal::test {
namespace {

using netml::test::FailingMemory;

class ShortOfMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (netml::test::kSanitized) GTEST_SKIP() << "the sanitizer has its own malloc";
    root_ = *PosixStorage::open_path(directory_.path().string());
    open();
  }
  void open() {
    writer_.reset();
    StoreOptions options = small_options();
    options.checkpoint_bytes = 1;  // after every change
    writer_.emplace(*Store::open(*root_, clock_, random_, options));
  }
  // A change, and all that it leads to: the background thread does one thing after the other.
  Result<Lsn> change() {
    const std::string name = fmt::format("{}", ++changes_);
    const auto committed =
        writer_
            ->submit(Plan([&](const engine::State& base) {
              return Result<engine::Transaction>(testing::import_topology(base, name, 1));
            }))
            .get();
    NETML_TRY_VOID(writer_->run([](Store&) { return Status(); }).get());
    NETML_TRY_VOID(writer_->publish().get());
    if (!committed) return tl::unexpected(committed.error());
    return committed->lsn;
  }
  // Whether changes and their checkpoints are made again. The journal may wait for memory once
  // more, and a checkpoint for the one before. From within the beginning of a segment there is no
  // way back (rule S3): then it is read, and waits for a restart.
  bool goes_on() {
    if (writer_->status().write_state == WriteState::failed) {
      ++restarts_;
      open();
    }
    for (int i = 0; i < 4; ++i)
      if (const Result<Lsn> next = change(); next && has_checkpoint(*next)) return true;
    return false;
  }
  bool has_checkpoint(Lsn lsn) {
    return std::ranges::any_of(*writer_->status().checkpoints, [&](const CheckpointEntry& entry) {
      return entry.recovery_base && entry.lsn == lsn;
    });
  }

  netml::test::TemporaryDirectory directory_;
  std::unique_ptr<PosixStorage> root_;
  testing::ManualClock clock_;
  testing::SeededRandom random_;
  std::optional<Writer> writer_;
  int changes_ = 0;
  std::uint64_t restarts_ = 0;
};

TEST_F(ShortOfMemory, TakesChangesAndCheckpointsAgain_E4) {
  ASSERT_TRUE(change());
  const std::uint64_t before = FailingMemory::allocations();
  ASSERT_TRUE(change());
  const std::uint64_t last = FailingMemory::allocations() - before;
  for (std::uint64_t n = 0; n < last; ++n) {
    try {
      const FailingMemory failing(n, 1);
      const Result<Lsn> answer = change();
      if (!answer) {
        ASSERT_NE(answer.error().code, Errc::internal) << n << ": " << answer.error().message;
      }
    } catch (const std::bad_alloc&) {  // in this thread
    }
    ASSERT_TRUE(goes_on()) << "after failure " << n;
  }
  EXPECT_LT(restarts_, last / 10) << "of " << last << " failures";
}

}  // namespace
}  // namespace netml::wal::test
