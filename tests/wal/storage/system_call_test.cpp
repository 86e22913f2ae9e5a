// Goal: whatever the system answers, nothing is acknowledged that is not there, and what was
// acknowledged is there after the next start (E1, E2, E4, T6).
// Method: a store on a real directory; call n of the system fails, for every n, once or from then
// on, with each errno; or calls are interrupted and move a part of their bytes, and nothing may be
// noticed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "tests/support/temporary_directory.hpp"
#include "tests/wal/crash/faulty_run.hpp"
#include "tests/wal/storage/failing_calls.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::wal::test {
namespace {

class RealNode {
 public:
  Result<std::unique_ptr<Store>> open() {
    storage_.reset();
    auto storage = PosixStorage::open_path(directory_.path().string());
    if (!storage) return tl::make_unexpected(std::move(storage).error());
    storage_ = std::move(*storage);
    return Store::open(*storage_, clock_, random_, small_options());
  }

 private:
  netml::test::TemporaryDirectory directory_;
  std::unique_ptr<Storage> storage_;
  testing::ManualClock clock_;
  testing::SeededRandom random_;
};

struct Outcome {
  FaultyRun run;
  std::uint64_t calls = 0;
};

// Works while calls fail, then checks a start when they do not.
Outcome work_and_start(const FailingCalls::Decide& decide) {
  RealNode node;
  Outcome outcome;
  {
    const FailingCalls calls(decide);
    work([&] { return node.open(); }, outcome.run);
    outcome.calls = calls.calls();
  }
  check_start([&] { return node.open(); }, outcome.run);
  return outcome;
}

constexpr Lsn kAll{4};

class SystemErrors : public ::testing::TestWithParam<int> {};

TEST_P(SystemErrors, LoseNothingAcknowledged_E1_E2_E4_T6) {
  const std::uint64_t calls = work_and_start(nullptr).calls;
  const bool kind_of_its_own = GetParam() == EIO || GetParam() == ENOSPC;
  for (std::uint64_t n = 0; n < calls; n += kind_of_its_own ? 1 : 3) {
    std::string what;
    const auto from = [&](const SystemCall& call) -> std::optional<CallOutcome> {
      if (call.number < n) return std::nullopt;
      if (what.empty()) what = call.name;
      return CallOutcome{GetParam()};
    };
    const auto once = [&](const SystemCall& call) {
      return call.number == n ? from(call) : std::nullopt;
    };
    work_and_start(once);
    work_and_start(from);
    ASSERT_FALSE(HasFailure()) << fmt::format("call {}, {}, answers {}", n, what,
                                              std::strerror(GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, SystemErrors,
                         ::testing::Values(EIO, ENOSPC, EDQUOT, EROFS, EMFILE, ENOMEM),
                         [](const auto& test) { return ::strerrorname_np(test.param); });

TEST(InterruptedCalls, AreMadeAgain_T6) {
  const auto can_be = [](const SystemCall& call) {
    return call.moves_bytes() || call.name == "openat" || call.name == "ftruncate";
  };
  bool interrupted = false;  // every call, once
  const Outcome outcome = work_and_start([&](const SystemCall& call) -> std::optional<CallOutcome> {
    interrupted = can_be(call) && !interrupted;
    return interrupted ? std::optional(CallOutcome{EINTR}) : std::nullopt;
  });
  EXPECT_TRUE(outcome.run.sound);
  EXPECT_EQ(outcome.run.acknowledged, kAll);
}

TEST(ShortCounts, AreGoneOnFrom_T6) {
  const Outcome outcome = work_and_start([](const SystemCall& call) {
    return call.moves_bytes() ? std::optional(CallOutcome{}) : std::nullopt;
  });
  EXPECT_TRUE(outcome.run.sound);
  EXPECT_EQ(outcome.run.acknowledged, kAll);
}

// Whether pages were written before the signal came is not known.
TEST(InterruptedSyncs, HaveFailed_E2_T6) {
  const Outcome outcome = work_and_start([](const SystemCall& call) {
    return call.is_sync() && call.number > 100 ? std::optional(CallOutcome{EINTR}) : std::nullopt;
  });
  EXPECT_FALSE(outcome.run.sound);
  EXPECT_LT(outcome.run.acknowledged, kAll);
}

// The reason is that of the call that failed first, not of what is tidied up after it.
TEST(Listing, TellsWhyItFailed_E4) {
  const netml::test::TemporaryDirectory directory;
  const auto storage = *PosixStorage::open_path(directory.path().string());
  const FailingCalls calls([](const SystemCall& call) -> std::optional<CallOutcome> {
    if (call.name == "fdopendir") return CallOutcome{ENOMEM};
    if (call.name == "close") return CallOutcome{EIO};
    return std::nullopt;
  });
  const auto listed = storage->list();
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, Errc::unavailable) << listed.error().message;
}

// Past the page cache, too.
TEST(LargeTransfers, AreInterruptedAndShortAsAny_T6) {
  const netml::test::TemporaryDirectory directory;
  const auto storage = *PosixStorage::open_path(directory.path().string());
  const auto file = *storage->open("file", OpenMode::create_new);
  std::vector<std::byte> bytes((5 << 20) + 77);
  testing::SeededRandom(3).fill(bytes);
  const FailingCalls calls([](const SystemCall& call) -> std::optional<CallOutcome> {
    if (!call.moves_bytes() || call.number % 3 == 2) return std::nullopt;
    return CallOutcome{call.number % 3 == 0 ? EINTR : 0};
  });
  ASSERT_TRUE(file->write(4096, bytes));
  std::vector<std::byte> read(bytes.size());
  ASSERT_TRUE(read_exactly(*file, 4096, read));
  EXPECT_TRUE(read == bytes);
}

}  // namespace
}  // namespace netml::wal::test
