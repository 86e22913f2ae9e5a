// Goal: a damaged journal can be cut after a named LSN, nothing is lost that was not named, and
// wherever a crash comes the directory can be repaired again or opens
// (docs/requirements/durability-and-security.md, section 1.5).
// Method: a history over many segments on a simulated disk, damaged in each segment.
#include "wal/upkeep/repair.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

#include "tests/wal/history/history.hpp"
#include "wal/storage/crc32c.hpp"
#include "wal/storage/posix_storage.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Repair : public ::testing::Test {
 protected:
  // What is written above was durable when the damage came.
  Repair() : disk_(history_.node().disk().crashed({.kind = testing::CrashPattern::Kind::all})) {
    for (const std::string& file : disk_.files())
      if (file.find("journal/") != std::string::npos) segments_.push_back(file);
    last_ = history_.store().head_hash().lsn;
  }

  // Of what lies on the disk, whatever comes later.
  void change(const std::string& file, std::size_t at) {
    const auto journal = *disk_.root()->open_directory("journal");
    const auto opened = *journal->open(file.substr(file.find('/') + 1), OpenMode::write);
    const std::byte changed = disk_.content(file)[at] ^ std::byte{1};
    ASSERT_TRUE(opened->write(at, std::span(&changed, 1)));
    ASSERT_TRUE(opened->sync());
  }
  void damage(const std::string& file) { change(file, 4096 + 60); }

  Result<RepairPlan> plan(Node& node, Lsn keep) {
    return plan_repair(node.root(), node.clock(), parallel_, keep);
  }
  Result<Repaired> repair(Node& node, Lsn keep) {
    NETML_TRY(const RepairPlan planned, plan(node, keep));
    return wal::repair(node.root(), planned, "ann", node.clock(), node.random(), node.options());
  }
  Node damaged() const { return Node(disk_, history_options()); }
  static StoreOptions history_options() { return small_options(4096 + (8 << 10)); }

  // Of a refusal: "... the last good LSN is 7 (...)".
  Lsn last_good(Node& node) {
    const auto planned = plan(node, last_);
    if (planned) return last_;
    const std::string mark = "the last good LSN is ";
    const std::string& text = planned.error().message;
    const auto at = text.find(mark);
    EXPECT_NE(at, text.npos) << text;
    return Lsn{std::stoull(text.substr(at + mark.size()))};
  }

  static std::string last_segment(Node& node) {
    std::string last;
    for (const std::string& file : node.disk().files())
      if (file.find("journal/") != file.npos) last = file;
    return last;
  }

  void expect_history_until(Node& node, Lsn kept) {
    const auto report = verify(node.root(), parallel_, {.known = history_.heads()[kept.value]});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->findings, IsEmpty());
    EXPECT_EQ(report->head.lsn, kept.next());
  }

  WrittenHistory history_;
  testing::SimDisk disk_;
  std::vector<std::string> segments_;
  Lsn last_;
  InlineParallel parallel_;
};

// Wherever the damage is that an older program finds first.
TEST_F(Repair, CutsNothingThatANewerVersionWrote_C3) {
  constexpr std::size_t kOldestReaderAt = 10;
  constexpr std::size_t kCrcAt = 4092;
  damage(segments_[1]);
  std::vector<std::byte> header = disk_.content(segments_.back());
  header.resize(kCrcAt + sizeof(std::uint32_t));
  header[kOldestReaderAt] = std::byte{99};
  const std::uint32_t checksum = crc32c(std::span(header).first(kCrcAt));
  std::memcpy(header.data() + kCrcAt, &checksum, sizeof checksum);
  std::ranges::copy(header, disk_.content(segments_.back()).begin());
  Node node = damaged();
  const auto planned = plan(node, Lsn{1});
  ASSERT_FALSE(planned);
  EXPECT_EQ(planned.error().code, Errc::newer_version) << planned.error().message;
  EXPECT_EQ(Store::open(node.root(), node.clock(), node.random(), node.options()).error().code,
            Errc::newer_version);
}

TEST_F(Repair, CutsAfterTheLastGoodTransactionAndSaysSoInTheJournal) {
  damage(segments_[segments_.size() - 2]);
  Node node = damaged();
  ASSERT_FALSE(node.open());
  const Lsn kept = last_good(node);
  ASSERT_LT(kept, last_);
  const auto planned = plan(node, kept);
  ASSERT_TRUE(planned) << planned.error().message;
  EXPECT_EQ(planned->lost(), last_.value - kept.value);
  EXPECT_EQ(planned->kept, history_.heads()[kept.value]);
  EXPECT_THAT(planned->damage, HasSubstr("damage at LSN"));

  const auto repaired = repair(node, kept);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ(repaired->record, kept.next());
  expect_history_until(node, kept);
  auto store = *node.open();
  EXPECT_EQ(store->head_hash(), repaired->head);
  EXPECT_EQ(store->head()->digest(), history_.states()[kept.value]->digest());

  JournalIndex index(node.root(), JournalIndex::Keep::in_memory);
  auto reader = JournalReader::open(
      node.root(), {store->manifest().node, store->head_hash(), store->manifest().checkpoints},
      index);
  const auto entry = reader->entry(repaired->record);
  ASSERT_TRUE(entry) << entry.error().message;
  EXPECT_EQ(entry->provenance.cause, engine::Cause::repair);
  EXPECT_EQ(entry->provenance.actor, "ann");
  EXPECT_EQ(entry->provenance.source,
            fmt::format("cut after LSN {}: {} transactions lost, set aside in quarantine/repair-1",
                        kept.value, last_.value - kept.value));
}

TEST_F(Repair, SetsAsideEveryByteThatItCutsReplacesOrDeletes) {
  damage(segments_[segments_.size() - 2]);
  Node node = damaged();
  const std::vector<std::string> before = node.disk().files();
  std::map<std::string, std::vector<std::byte>> content;
  for (const std::string& file : before) content[file] = node.disk().content(file);
  ASSERT_TRUE(repair(node, last_good(node)));
  const std::vector<std::string> after = node.disk().files();
  for (const std::string& file : before) {
    if (file.find("ballast") != file.npos || file.find("LOCK") != file.npos) continue;
    if (std::ranges::find(after, file) != after.end() && node.disk().content(file) == content[file])
      continue;
    const std::string copy = "quarantine/repair-1/" + file.substr(file.rfind('/') + 1);
    const auto found =
        std::ranges::find_if(after, [&](const std::string& name) { return name.ends_with(copy); });
    ASSERT_NE(found, after.end()) << file;
    EXPECT_EQ(node.disk().content(*found), content[file]) << file;
  }
}

TEST_F(Repair, WorksForDamageInEverySegmentThatAStartReads) {
  std::size_t repaired = 0;
  for (const std::string& segment : segments_) {
    const testing::SimDisk whole = disk_;
    damage(segment);
    Node node = damaged();
    if (!node.open()) {
      const Lsn kept = last_good(node);
      ASSERT_TRUE(repair(node, kept)) << segment;
      expect_history_until(node, kept);
      ++repaired;
    }
    disk_ = whole;
  }
  EXPECT_GT(repaired, 2U);
}

TEST_F(Repair, CutsFurtherBackWhenThatIsWanted) {
  damage(segments_[segments_.size() - 2]);
  Node node = damaged();
  const Lsn kept{last_good(node).value - 3};
  ASSERT_TRUE(repair(node, kept));
  expect_history_until(node, kept);
}

TEST_F(Repair, GoesOnWhenASegmentOrAHeaderIsLost) {
  const testing::SimDisk whole = disk_;
  const std::string& segment = segments_[segments_.size() - 2];
  disk_.remove(segment);
  Node without = damaged();
  const Lsn kept = last_good(without);
  ASSERT_TRUE(repair(without, kept));
  expect_history_until(without, kept);

  disk_ = whole;
  change(segment, 9);
  Node headless = damaged();
  EXPECT_EQ(last_good(headless), kept);
  ASSERT_TRUE(repair(headless, kept));
  expect_history_until(headless, kept);
}

TEST_F(Repair, IsRefusedWhenNothingIsDamaged) {
  Node node = damaged();
  const auto planned = plan(node, Lsn{5});
  ASSERT_FALSE(planned);
  EXPECT_EQ(planned.error().code, Errc::invalid_input);
  EXPECT_THAT(planned.error().message, HasSubstr("in order"));
}

TEST_F(Repair, KeepsNothingThatIsNotGood) {
  damage(segments_[segments_.size() - 2]);
  Node node = damaged();
  const std::vector<std::string> before = node.disk().files();
  const Lsn kept = last_good(node);
  for (const Lsn lsn : {kept.next(), last_, Lsn{last_.value + 9}, Lsn{}}) {
    const auto planned = plan(node, lsn);
    ASSERT_FALSE(planned) << lsn.value;
    EXPECT_EQ(planned.error().code, Errc::invalid_input);
    EXPECT_THAT(planned.error().message, HasSubstr("cannot be kept"));
  }
  EXPECT_EQ(node.disk().files(), before);
}

TEST_F(Repair, KeepsWhatAnEarlierOneSetAside) {
  damage(segments_[segments_.size() - 2]);
  Node node = damaged();
  const Lsn kept = last_good(node);
  ASSERT_TRUE(repair(node, kept));
  node.disk().remove(last_segment(node));
  ASSERT_FALSE(node.open());
  const auto again = repair(node, Lsn{kept.value - 1});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_THAT(again->aside, ::testing::EndsWith("repair-2"));
}

// The whole of it at every operation: what is left can be repaired again, or opens at the LSN.
TEST_F(Repair, MayBeCutOffByACrashAnywhere) {
  damage(segments_[segments_.size() - 2]);
  Node first = damaged();
  const Lsn kept = last_good(first);
  std::vector<testing::SimDisk> crashes;
  first.disk().observe([&](std::uint64_t number, const std::string&) {
    const std::vector<testing::CrashPattern> patterns = first.disk().patterns(number);
    crashes.push_back(first.disk().crashed(patterns[number % patterns.size()]));
    crashes.push_back(first.disk().crashed({.kind = testing::CrashPattern::Kind::none}));
  });
  ASSERT_TRUE(repair(first, kept));
  first.disk().observe({});
  ASSERT_GT(crashes.size(), 40U);
  for (std::size_t i = 0; i < crashes.size(); ++i) {
    Node node(std::move(crashes[i]), history_options());
    if (!node.open()) {
      const auto repaired = repair(node, kept);
      ASSERT_TRUE(repaired) << i << ": " << repaired.error().message;
    }
    auto store = node.open();
    ASSERT_TRUE(store) << i << ": " << store.error().message;
    EXPECT_GE((*store)->head_hash().lsn, kept);
    EXPECT_LE((*store)->head_hash().lsn, kept.next());
    const auto report = verify(node.root(), parallel_, {.known = history_.heads()[kept.value]});
    EXPECT_THAT(report->findings, IsEmpty()) << i;
  }
}

}  // namespace
}  // namespace netml::wal::test
