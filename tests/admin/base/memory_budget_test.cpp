// Goal: the memory of the process is bounded in one place: what can never fit is refused with the
// numbers, what may fit later is asked to come again (docs/operation.md, "Memory").
// Method: budgets of a few bytes, a system that says what the test wants, files of the system in a
// temporary directory.
#include "admin/base/memory_budget.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <pthread.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "admin/node/map_memory.hpp"
#include "admin/server/process_memory.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::admin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t kMebibyte = 1 << 20;
constexpr std::chrono::minutes kPatience{10};  // only bounds a failure

class FakeSystem : public ProcessMemory {
 public:
  std::uint64_t room() override { return left; }
  void trim() override { left += freed; }

  std::uint64_t left = kUnlimited;
  std::uint64_t freed = 0;
};

TEST(MemoryBudget, HasNoLimitUnlessOneIsGiven) {
  MemoryBudget budget;
  EXPECT_TRUE(budget.reserve(MemoryUse::imports, ProcessMemory::kUnlimited / 2).has_value());
}

long page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// How many it takes to fill 16 MiB that are freed then.
long faults_to_fill() {
  const long before = page_faults();
  const std::vector<char> bytes(16 * kMebibyte, 'x');
  const volatile char* const last = &bytes.back();
  return *last == 'x' ? page_faults() - before : -1;
}

[[noreturn]] void fill_twice() {
  keep_freed_memory();
  const long first = faults_to_fill();
  std::_Exit(first > 100 && faults_to_fill() < first / 10 ? 0 : 1);
}

TEST(FreedMemory, IsUsedAgainWhereItIsKept) {
  if (test::kSanitized) GTEST_SKIP() << "the sanitizer's own allocator";
  EXPECT_EXIT(fill_twice(), ::testing::ExitedWithCode(0), "");
}

TEST(MemoryBudget, GivesBackWhatWasFreed) {
  FakeSystem system;
  system.left = 3;
  system.freed = 4;
  MemoryBudget({}, &system).give_back();
  EXPECT_EQ(system.left, 7U);
  MemoryBudget().give_back();  // where nobody is asked
}

TEST(MemoryBudget, RefusesWhatCanNeverFitWithTheNumbers) {
  MemoryBudget budget({512 * kMebibyte, "three quarters of nothing"});
  const MemoryReservation map = budget.account(MemoryUse::map, 100 * kMebibyte);
  const Status refused = budget.check_possible(413 * kMebibyte);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::too_large);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("413.0 MiB"), HasSubstr("512.0 MiB (three quarters of nothing)"),
                    HasSubstr("100.0 MiB")));
  EXPECT_EQ(budget.reserve(MemoryUse::imports, 413 * kMebibyte).error().message,
            refused.error().message);
  EXPECT_TRUE(budget.reserve(MemoryUse::imports, 412 * kMebibyte).has_value());
}

TEST(MemoryBudget, AsksToComeAgainForWhatMayFitLater) {
  MemoryBudget budget({100, "a test"});
  auto first = budget.reserve(MemoryUse::exports, 60);
  ASSERT_TRUE(first.has_value());
  const auto second = budget.reserve(MemoryUse::past, 50);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, Errc::unavailable);
  first->release();
  EXPECT_TRUE(budget.reserve(MemoryUse::past, 50).has_value());
  EXPECT_EQ(budget.report().used, 0U);
  EXPECT_EQ(budget.report().refused, 1U);
}

TEST(MemoryBudget, IsGivenBackByReservationsThatOutliveIt) {
  auto budget = std::make_unique<MemoryBudget>(MemoryLimit{100, "a test"});
  auto held = budget->reserve(MemoryUse::past, 60);
  ASSERT_TRUE(held.has_value());
  MemoryReservation moved = std::move(*held);
  EXPECT_EQ(moved.bytes(), 60U);
  budget.reset();
  moved.set(10);
  moved.release();
  EXPECT_EQ(moved.bytes(), 0U);
}

TEST(MemoryBudget, GrowsAReservationOnlyAsFarAsItFits) {
  MemoryBudget budget({100, "a test"});
  MemoryReservation reservation = budget.account(MemoryUse::imports, 0);
  EXPECT_TRUE(budget.grow(reservation, 80).has_value());
  EXPECT_TRUE(budget.grow(reservation, 20).has_value()) << "it is larger already";
  EXPECT_EQ(budget.report().used, 80U);
  const MemoryReservation other = budget.account(MemoryUse::exports, 15);
  EXPECT_EQ(budget.grow(reservation, 90).error().code, Errc::unavailable);
  EXPECT_EQ(reservation.bytes(), 80U);
}

TEST(MemoryBudget, EmptiesCachesBeforeItRefuses) {
  MemoryBudget budget({100, "a test"});
  MemoryReservation cached = budget.account(MemoryUse::caches, 70);
  EXPECT_FALSE(budget.has_spare(40));
  auto registration = budget.add_cache([&] { cached.set(0); });
  EXPECT_TRUE(budget.reserve(MemoryUse::imports, 90).has_value());
  EXPECT_EQ(cached.bytes(), 0U);
  cached.set(70);
  registration.reset();
  EXPECT_FALSE(budget.reserve(MemoryUse::imports, 90).has_value()) << "it is no cache any more";
}

TEST(MemoryBudget, TellsTheNumbersOfWhatGrowsBeyondAllThereIs) {
  MemoryBudget budget({100 * kMebibyte, "a test"});
  auto reservation = budget.reserve(MemoryUse::past, 60 * kMebibyte);
  ASSERT_TRUE(reservation.has_value());
  const Status refused = budget.grow(*reservation, 120 * kMebibyte);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("this takes about 120.0 MiB"));
  EXPECT_THAT(refused.error().message, HasSubstr("the node may use 100.0 MiB"));
}

TEST(MemoryBudget, LetsThoseWhoWaitHaveWhatIsGivenBack) {
  MemoryBudget budget({100, "a test"});
  auto first = budget.reserve(MemoryUse::imports, 60);
  ASSERT_TRUE(first.has_value());
  std::thread other([&] { first->release(); });
  const auto second = budget.reserve_within(kPatience, MemoryUse::imports, 60);
  other.join();
  EXPECT_TRUE(second.has_value());
}

// Otherwise those who ask would take each byte that is given back, for as long as there are enough.
TEST(MemoryBudget, IsNotReservedForQuestionsWhileAnImportWaits) {
  MemoryBudget budget({100, "a test"});
  auto question = budget.reserve(MemoryUse::answers, 60);
  ASSERT_TRUE(question.has_value());
  bool imported = false;
  std::thread import(
      [&] { imported = budget.reserve_within(kPatience, MemoryUse::imports, 60).has_value(); });
  while (budget.reserve(MemoryUse::answers, 1)) std::this_thread::yield();  // until it waits
  EXPECT_FALSE(budget.reserve(MemoryUse::past, 1).has_value());
  EXPECT_TRUE(budget.reserve(MemoryUse::exports, 1).has_value());
  question->release();
  import.join();
  EXPECT_TRUE(imported);
  EXPECT_TRUE(budget.reserve(MemoryUse::answers, 1).has_value());
}

TEST(MemoryBudget, WaitsForTheSystemAsForOthers) {
  class Slow : public ProcessMemory {
   public:
    std::uint64_t room() override { return ++asked_ < 6 ? 0 : kUnlimited; }
    void trim() override {}

   private:
    int asked_ = 0;
  } system;
  MemoryBudget budget({100, "a test"}, &system);
  EXPECT_TRUE(budget.reserve_within(kPatience, MemoryUse::imports, 60).has_value());
}

TEST(MemoryBudget, AsksTheSystemBesideItsOwnAccounts) {
  FakeSystem system;
  MemoryBudget budget({100 * kMebibyte, "a test"}, &system);
  system.left = 20 * kMebibyte;
  EXPECT_EQ(budget.reserve(MemoryUse::imports, 30 * kMebibyte).error().code, Errc::unavailable);
  system.freed = 15 * kMebibyte;
  EXPECT_TRUE(budget.reserve(MemoryUse::imports, 30 * kMebibyte).has_value())
      << "what was freed is given back to the system first";
  EXPECT_TRUE(budget.check_room().has_value());
  system.left = 1;
  system.freed = 0;
  EXPECT_EQ(budget.check_room().error().code, Errc::too_large);
}

class SystemFiles : public ::testing::Test {
 protected:
  void put(const std::string& path, const std::string& content) {
    const auto file = directory.file(path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content << '\n';
  }
  // The container's limit, 0 when there is none.
  std::uint64_t container() {
    for (const MemoryBound& bound : memory_bounds(directory.file("").string()))
      if (bound.of_container) return bound.bytes;
    return 0;
  }
  std::uint64_t room() { return BoundedMemory(memory_bounds(directory.file("").string())).room(); }

  test::TemporaryDirectory directory;
};

TEST_F(SystemFiles, TellTheLeastLimitOfTheGroupsAroundTheProcess) {
  put("proc/self/cgroup", "0::/outer/inner");
  put("sys/fs/cgroup/outer/memory.max", "33554432");
  put("sys/fs/cgroup/outer/inner/memory.max", "max");
  EXPECT_EQ(container(), 33554432U);
  put("sys/fs/cgroup/outer/inner/memory.max", "16777216");
  EXPECT_EQ(container(), 16777216U);
}

TEST_F(SystemFiles, TellTheLimitOfAContainerThatSeesOnlyItself) {
  put("proc/self/cgroup", "0::/docker/0123");
  put("sys/fs/cgroup/memory.max", "33554432");
  EXPECT_EQ(container(), 33554432U);
}

TEST_F(SystemFiles, TellTheLimitInTheFormerLayout) {
  put("proc/self/cgroup", "12:cpu,cpuacct:/a\n4:memory:/a\n0::/");
  put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "33554432");
  EXPECT_EQ(container(), 33554432U);
  put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(container(), 0U) << "more than the machine has is no limit";
}

TEST_F(SystemFiles, TellWhatOthersInTheContainerTake) {
  put("proc/self/cgroup", "0::/a");
  put("sys/fs/cgroup/a/memory.max", fmt::format("{}", 512 * kMebibyte));
  put("sys/fs/cgroup/a/memory.current", fmt::format("{}", 400 * kMebibyte));
  put("sys/fs/cgroup/a/memory.stat", fmt::format("anon 1\nfile 2\ninactive_file {}\nactive_file {}",
                                                 30 * kMebibyte, 50 * kMebibyte));
  EXPECT_EQ(room(), (512 - 400 + 30 + 50) * kMebibyte) << "the kernel gives up pages of files";
}

TEST_F(SystemFiles, TellWhatOthersInTheContainerTakeInTheFormerLayout) {
  put("proc/self/cgroup", "4:memory:/a");
  const std::string group = "sys/fs/cgroup/memory/a/";
  put(group + "memory.limit_in_bytes", fmt::format("{}", 512 * kMebibyte));
  put(group + "memory.usage_in_bytes", fmt::format("{}", 400 * kMebibyte));
  put(group + "memory.stat",
      fmt::format("cache 0\ninactive_file 1\nactive_file 1\ntotal_inactive_file {}\n"
                  "total_active_file {}",
                  30 * kMebibyte, 50 * kMebibyte));
  EXPECT_EQ(room(), (512 - 400 + 30 + 50) * kMebibyte) << "with those of the groups within";
}

TEST_F(SystemFiles, AreNotNeeded) {
  EXPECT_EQ(container(), 0U);
  EXPECT_FALSE(memory_bounds(directory.file("").string()).empty()) << "the machine's memory";
}

// Takes memory as an import does, until one of the two refuses. In a process of its own, since it
// sets a limit.
[[noreturn]] void grow_within(std::uint64_t container) {
  BoundedMemory system({{container, MemoryMeasure::resident, "the container's limit", true}});
  system.refuse_before_kill();
  const MemoryBudget budget({}, &system);
  std::vector<std::unique_ptr<char[]>> taken;
  while (budget.check_room()) {
    taken.emplace_back(new (std::nothrow) char[kMebibyte]);
    if (taken.back() == nullptr) std::_Exit(2);
    std::memset(taken.back().get(), 1, kMebibyte);
    if (taken.size() * kMebibyte > container) std::_Exit(3);
  }
  // Whoever asks next is refused, not ended.
  const std::size_t rest = container / 16;
  std::_Exit(::operator new(rest, std::nothrow) == nullptr ? 0 : 4);
}

TEST(BoundedMemory, StopsWhoeverGrowsBeforeEverybodyIsRefusedAndThatBeforeTheContainersLimit) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  EXPECT_EXIT(grow_within(256 * kMebibyte), ::testing::ExitedWithCode(0), "");
}

// Takes memory piece by piece and gives all but the last back: that stays mapped, but is free.
[[noreturn]] void give_back_within(std::uint64_t container) {
  constexpr std::size_t kPiece = 64 * 1024;
  BoundedMemory system({{container, MemoryMeasure::resident, "the container's limit", true}});
  system.refuse_before_kill();
  const std::uint64_t before = system.room();
  std::vector<std::unique_ptr<char[]>> taken;
  for (std::size_t bytes = 0; bytes < container / 4 * 3; bytes += kPiece) {
    taken.emplace_back(new char[kPiece]);
    std::memset(taken.back().get(), 1, kPiece);
  }
  if (system.room() > container / 4) std::_Exit(2);
  taken.erase(taken.begin(), taken.end() - 1);
  system.trim();
  if (system.room() < before - before / 16) std::_Exit(3);
  // In one piece, which none of those has place for.
  std::_Exit(::operator new(container / 2, std::nothrow) == nullptr ? 4 : 0);
}

TEST(BoundedMemory, HasTheRoomAgainThatWasGivenBack) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  EXPECT_EXIT(give_back_within(256 * kMebibyte), ::testing::ExitedWithCode(0), "");
}

[[noreturn]] void start_thread_within(const std::vector<MemoryBound>& bounds) {
  spare_thread_memory(bounds);
  std::size_t bytes = 0;
  std::thread([&] {
    pthread_attr_t attributes;
    ::pthread_getattr_np(::pthread_self(), &attributes);
    ::pthread_attr_getstacksize(&attributes, &bytes);
    ::pthread_attr_destroy(&attributes);
  }).join();
  std::_Exit(bytes <= kMebibyte ? 0 : 2);
}

TEST(BoundedMemory, GivesThreadsSmallStacksInAContainer) {
  EXPECT_EXIT(start_thread_within(
                  {{64 * kMebibyte, MemoryMeasure::resident, "the container's limit", true}}),
              ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(start_thread_within({{~std::uint64_t{0}, MemoryMeasure::resident, "the machine"}}),
              ::testing::ExitedWithCode(2), "");
}

TEST(BoundedMemory, GivesThreeQuartersUnlessAnotherNumberIsGiven) {
  const std::vector<MemoryBound> bounds{
      {1024 * kMebibyte, MemoryMeasure::resident, "the container's limit", true},
      {~std::uint64_t{0}, MemoryMeasure::data, "the data limit"}};
  const BoundedMemory memory(bounds);
  EXPECT_EQ(memory.limit({}).bytes, 768 * kMebibyte);
  EXPECT_THAT(memory.limit({}).origin,
              ::testing::StrEq("three quarters of the container's limit, 1024 MiB"));
  EXPECT_EQ(memory.limit(900 * kMebibyte).bytes, 900 * kMebibyte);
  EXPECT_EQ(memory.limit(2048 * kMebibyte).bytes, 768 * kMebibyte) << "more than there is";
}

// ---- the newest version ----

TEST(MapMemory, IsWhatTheNewestVersionTakesAlsoWhenNoRecordCameOrWent) {
  MemoryBudget budget;
  MapMemory memory(budget.account(MemoryUse::map, 0));
  engine::test::GraphBuilder builder;
  const RecordId topology = builder.topology("t");
  std::vector<RecordId> nodes;
  for (int i = 0; i < 1000; ++i)
    nodes.push_back(builder.node(fmt::format("n{}", i), {topology}, {}));
  const engine::Graph graph = builder.build();
  EXPECT_EQ(memory.of(graph), graph.memory_bytes());
  engine::GraphChanges changes(graph);
  const std::string name(200, 'n');
  for (const RecordId node : nodes) {
    engine::AttributeFields fields = graph.attributes(node).fields();
    fields.name = name;
    changes.put(node, {engine::Attributes::make(fields), graph.record(node).relations});
  }
  const engine::Graph longer = std::move(changes).finish();
  EXPECT_GE(longer.memory_bytes(), graph.memory_bytes() + 150'000);
  EXPECT_EQ(memory.of(longer), longer.memory_bytes());
  EXPECT_EQ(budget.report().by_use[static_cast<std::size_t>(MemoryUse::map)],
            longer.memory_bytes());
  EXPECT_EQ(memory.of(engine::Graph()), engine::Graph().memory_bytes());
}

}  // namespace
}  // namespace netml::admin
