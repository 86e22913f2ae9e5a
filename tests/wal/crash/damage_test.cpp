// Goal: damage to acknowledged bytes is found, never repaired by dropping data (P4, T5).
// Method: a small data directory is damaged in every way there is; each time the node must either
// have the same state or refuse. With NETML_DAMAGE_ALL=1, as bench/soak has it, every bit is
// flipped and files are cut at every length; without, one bit of each byte and some of the lengths.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/wal/support/node.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using testing::CrashPattern;
using ::testing::HasSubstr;
using testing::import_topology;
using testing::SimDisk;

// Two checkpoints, several segments, and acknowledged transactions behind the newest checkpoint
// with the idle watermark after them.
class Damage : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = *node_.open();
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
      ASSERT_TRUE(commit(*store, import_topology(*store->next(), name, 4)));
      if (*name == 'b' || *name == 'd') {
        ASSERT_TRUE(store->checkpoint());
      }
    }
    acknowledged_bytes_ = used(node_.disk().content(last_segment()));
    ASSERT_TRUE(store->watermark());
    ASSERT_TRUE(store->sync());
    digest_ = store->head()->digest();
  }

  enum class Outcome { same, refused, different };
  static constexpr int kOutcomes = 3;
  Outcome open(SimDisk disk, std::string* message = nullptr) {
    Node node(std::move(disk), small_options());
    auto store = node.open();
    if (!store) {
      EXPECT_EQ(store.error().code, Errc::corruption) << store.error().message;
      if (message != nullptr) *message = store.error().message;
      return Outcome::refused;
    }
    return (*store)->head()->digest() == digest_ ? Outcome::same : Outcome::different;
  }
  SimDisk copy() { return node_.disk().crashed({CrashPattern::Kind::all, 0}); }

  // Does `damage` to a copy and requires the state to be the same, or a refusal.
  template <class Function>
  Outcome after(const std::string& what, Function&& damage, std::string* message = nullptr) {
    SimDisk disk = copy();
    damage(disk);
    const Outcome outcome = open(std::move(disk), message);
    EXPECT_NE(outcome, Outcome::different) << what;
    ++counts_[static_cast<std::size_t>(outcome)];
    return outcome;
  }

  std::string last_segment() {
    std::string last;
    for (const std::string& path : node_.disk().files())
      if (path.starts_with("journal/")) last = path;
    return last;
  }
  // Up to the last byte that is not zero.
  static std::size_t used(const std::vector<std::byte>& content) {
    std::size_t size = content.size();
    while (size != 0 && content[size - 1] == std::byte{}) --size;
    return size;
  }

  void report(const char* what) const {
    fmt::print("{}: {} harmless, {} refused, {} silently changed the state\n", what, counts_[0],
               counts_[1], counts_[2]);
  }

  const bool all_ = std::getenv("NETML_DAMAGE_ALL") != nullptr;
  Node node_;
  engine::Digest digest_;
  std::size_t acknowledged_bytes_ = 0;  // of the last segment, before the watermark
  std::array<std::uint64_t, kOutcomes> counts_{};
};

TEST_F(Damage, OfAnySingleBitIsHarmlessOrRefused_T5_J4_J6) {
  for (const std::string& path : node_.disk().files()) {
    const std::size_t size = used(node_.disk().content(path));
    for (std::size_t byte = 0; byte < size; ++byte)
      for (std::size_t bit = all_ ? 0 : byte % 8; bit < (all_ ? 8 : byte % 8 + 1); ++bit) {
        std::string message;
        after(
            fmt::format("{} byte {} bit {}", path, byte, bit),
            [&](SimDisk& disk) { disk.content(path)[byte] ^= std::byte{1} << bit; }, &message);
        if (message.empty()) continue;
        ASSERT_THAT(message,
                    AllOf(HasSubstr(path), AnyOf(HasSubstr("LSN"), HasSubstr("segment header"))));
      }
    if (HasFailure()) return;
  }
  report("flipped bits");
  EXPECT_GT(counts_[1], 0U);
}

TEST_F(Damage, OfAnyBitOfTheNewestFramesIsRefused_J6) {
  const std::string path = last_segment();
  for (std::size_t byte = format::kSegmentHeaderBytes; byte < acknowledged_bytes_; ++byte)
    for (int bit = 0; bit < 8; bit += 3) {
      const Outcome outcome = after(fmt::format("byte {}", byte), [&](SimDisk& disk) {
        disk.content(path)[byte] ^= std::byte{1} << bit;
      });
      ASSERT_EQ(outcome, Outcome::refused) << "byte " << byte << " bit " << bit;
    }
}

// The same journal, its EFFECTS frames compressed.
class DamageOfCompressedFrames : public Damage {
 protected:
  void SetUp() override {
    node_.options().journal.compresses_small = true;
    Damage::SetUp();
  }
};

TEST_F(DamageOfCompressedFrames, OfAnySingleBitIsHarmlessOrRefused_T5) {
  for (const std::string& path : node_.disk().files()) {
    if (!path.starts_with("journal/")) continue;
    const std::size_t size = used(node_.disk().content(path));
    for (std::size_t byte = 0; byte < size; ++byte)
      after(fmt::format("{} byte {}", path, byte),
            [&](SimDisk& disk) { disk.content(path)[byte] ^= std::byte{1} << byte % 8; });
  }
  report("flipped bits of compressed frames");
  EXPECT_GT(counts_[1], 0U);
}

TEST_F(DamageOfCompressedFrames, OfAnyBitOfTheNewestIsRefused_J6) {
  const std::string path = last_segment();
  for (std::size_t byte = format::kSegmentHeaderBytes; byte < acknowledged_bytes_; ++byte)
    ASSERT_EQ(after(fmt::format("byte {}", byte),
                    [&](SimDisk& disk) { disk.content(path)[byte] ^= std::byte{1} << byte % 8; }),
              Outcome::refused)
        << "byte " << byte;
}

TEST_F(Damage, ByZeroedAndRepeatedSectorsIsHarmlessOrRefused_T5) {
  for (const std::string& path : node_.disk().files()) {
    const std::size_t size = used(node_.disk().content(path));
    for (std::size_t at = 0; at < size; at += testing::kSectorBytes) {
      const std::size_t count = std::min(testing::kSectorBytes, size - at);
      after(fmt::format("{} zeroed at {}", path, at), [&](SimDisk& disk) {
        std::fill_n(disk.content(path).begin() + static_cast<std::ptrdiff_t>(at), count,
                    std::byte{});
      });
      if (at + 2 * testing::kSectorBytes > size) continue;
      after(fmt::format("{} sector {} repeated", path, at), [&](SimDisk& disk) {
        std::vector<std::byte>& content = disk.content(path);
        std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(at), count,
                    content.begin() + static_cast<std::ptrdiff_t>(at + testing::kSectorBytes));
      });
    }
  }
}

TEST_F(Damage, BySwappedSectorsIsHarmlessOrRefused_T5) {
  for (const std::string& path : node_.disk().files()) {
    const std::size_t sectors = used(node_.disk().content(path)) / testing::kSectorBytes;
    for (std::size_t one = 0; one < sectors; ++one)
      for (std::size_t other = one + 1; other < sectors; other += all_ ? 1 : 5)
        after(fmt::format("{} sectors {} and {} swapped", path, one, other), [&](SimDisk& disk) {
          const auto sector = [&](std::size_t number) {
            return disk.content(path).begin() +
                   static_cast<std::ptrdiff_t>(number * testing::kSectorBytes);
          };
          std::swap_ranges(sector(one), sector(one + 1), sector(other));
        });
  }
  report("swapped sectors");
}

TEST_F(Damage, ByCuttingAFileAtAnyLengthIsHarmlessOrRefused_T5) {
  for (const std::string& path : node_.disk().files()) {
    const std::size_t size = used(node_.disk().content(path));
    for (std::size_t length = 0; length < size; length += all_ ? 1 : 13)
      after(fmt::format("{} cut to {}", path, length),
            [&](SimDisk& disk) { disk.content(path).resize(length); });
  }
  report("cuts");
}

// A write that went to the wrong file, or a file restored over another.
TEST_F(Damage, ByOneFileInThePlaceOfAnotherIsHarmlessOrRefused_T5) {
  for (const std::string& from : node_.disk().files())
    for (const std::string& to : node_.disk().files())
      after(fmt::format("{} in the place of {}", from, to),
            [&](SimDisk& disk) { disk.content(to) = disk.content(from); });
  report("files in the place of others");
}

// Stopped in order: the last segment is sealed, and a start takes the checkpoint alone.
class DamageAfterACleanStop : public Damage {
 protected:
  void SetUp() override {
    Damage::SetUp();
    auto store = *node_.open();
    ASSERT_TRUE(commit(*store, import_topology(*store->next(), "g", 4)));
    digest_ = store->head()->digest();
    ASSERT_TRUE(store->close());
  }
};

TEST_F(DamageAfterACleanStop, OfASingleBitIsHarmlessOrRefused_T5) {
  for (const std::string& path : node_.disk().files())
    for (std::size_t byte = 0; byte < used(node_.disk().content(path)); byte += all_ ? 1 : 3)
      after(fmt::format("{} byte {}", path, byte),
            [&](SimDisk& disk) { disk.content(path)[byte] ^= std::byte{1} << byte % 8; });
  report("flipped bits after a clean stop");
  EXPECT_GT(counts_[0], 0U);
}

TEST_F(DamageAfterACleanStop, ByCuttingTheSealedSegmentIsRefused) {
  const std::string path = last_segment();
  const std::size_t size = used(node_.disk().content(path));
  for (std::size_t length = 0; length < size; length += all_ ? 1 : 13)
    EXPECT_EQ(after(fmt::format("cut to {}", length),
                    [&](SimDisk& disk) { disk.content(path).resize(length); }),
              Outcome::refused);
}

TEST_F(Damage, ByACopyOfASegmentUnderAnotherNameIsHarmlessOrRefused_T5_J2) {
  for (const std::string& path : node_.disk().files()) {
    if (!path.starts_with("journal/")) continue;
    for (const char* name :
         {"00000000000000000002-0000000001.journal", "00000000000000000003-0000000009.journal",
          "00000000000000000009-0000000009.journal"})
      after(fmt::format("{} also as {}", path, name), [&](SimDisk& disk) {
        const auto journal = *disk.root()->open_directory("journal");
        const auto file = *journal->open(name, OpenMode::create_new);
        ASSERT_TRUE(file->write(0, disk.content(path)));
      });
  }
  report("copies of segments");
}

TEST_F(Damage, ByDeletingAnyFileIsHarmlessOrRefused_T5_K4) {
  for (const std::string& path : node_.disk().files()) {
    std::string message;
    const Outcome outcome =
        after(path + " deleted", [&](SimDisk& disk) { disk.remove(path); }, &message);
    if (path.starts_with("journal/")) {
      EXPECT_EQ(outcome, Outcome::refused) << path;
      EXPECT_NE(message.find("missing"), std::string::npos) << message;
    }
    if (path.starts_with("manifest")) {
      EXPECT_EQ(outcome, Outcome::same) << "either is enough";
    }
  }
}

TEST_F(Damage, OfBothManifestsNeverStartsEmpty_P4) {
  SimDisk damaged = copy();
  damaged.content("manifest-0")[40] ^= std::byte{1};
  damaged.content("manifest-1")[40] ^= std::byte{1};
  EXPECT_EQ(open(std::move(damaged)), Outcome::refused);
  SimDisk deleted = copy();
  deleted.remove("manifest-0");
  deleted.remove("manifest-1");
  EXPECT_EQ(open(std::move(deleted)), Outcome::refused);
}

TEST_F(Damage, OfTheNewestCheckpointFallsBackToTheOlderOne_K5) {
  SimDisk disk = copy();
  std::vector<std::string> graphs;
  for (const std::string& path : disk.files())
    if (path.ends_with(".graph")) graphs.push_back(path);
  ASSERT_EQ(graphs.size(), 2U);
  disk.content(graphs.back())[100] ^= std::byte{1};
  Node node(std::move(disk), small_options());
  auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE((*store)->head()->digest() == digest_);
  EXPECT_EQ((*store)->recovery().checkpoint, Lsn{2});
  EXPECT_FALSE((*store)->recovery().warnings.empty());
  EXPECT_EQ((*store)->manifest().checkpoints.front().lsn, Lsn{6});  // a new one at once
}

TEST_F(Damage, ByADiskThatLostWhatItSyncedIsRefused) {
  Node lying;
  {
    auto store = *lying.open();
    ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
    ASSERT_TRUE(store->checkpoint());
  }
  for (const std::string& path : lying.disk().files())
    if (path.starts_with("journal/"))
      std::fill(lying.disk().content(path).begin() + format::kSegmentHeaderBytes,
                lying.disk().content(path).end(), std::byte{});
  const auto store = lying.open();
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("the journal ends at LSN 0, but LSN 1 was durable"),
            std::string::npos)
      << store.error().message;
}

TEST_F(Damage, OfAllCheckpointsReplaysTheWholeJournal) {
  SimDisk disk = copy();
  for (const std::string& path : disk.files())
    if (path.ends_with(".graph")) disk.content(path)[100] ^= std::byte{1};
  Node node(std::move(disk), small_options());
  auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE((*store)->head()->digest() == digest_);
  EXPECT_EQ((*store)->recovery().replayed, 6U);
}

TEST_F(Damage, RefusalNamesFileOffsetLsnAndChoices) {
  SimDisk disk = copy();
  const std::string path = last_segment();
  disk.content(path)[format::kSegmentHeaderBytes + 60] ^= std::byte{1};
  std::string message;
  ASSERT_EQ(open(std::move(disk), &message), Outcome::refused);
  for (const std::string& part : {path, std::string("offset 4096"), std::string("LSN "),
                                  std::string("last good LSN"), std::string("follows")})
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
}

// docs/requirements/durability-and-security.md, section 1.5, and E4: without changing
// anything.
TEST_F(Damage, CanBeLookedAtReadOnlyUpToTheLastGoodLsn) {
  SimDisk disk = copy();
  disk.content(last_segment())[format::kSegmentHeaderBytes + 60] ^= std::byte{1};
  Node node(std::move(disk), small_options());
  InlineParallel parallel;
  const std::uint64_t operations = node.disk().operations();
  const auto opened = open_read_only(node.root(), node.clock(), parallel);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(node.disk().operations(), operations);
  EXPECT_FALSE(opened->report.damage.empty());
  EXPECT_LT(opened->head.lsn, Lsn{6});
  EXPECT_GE(opened->head.lsn, Lsn{4});
  EXPECT_EQ(opened->state->lsn, opened->head.lsn);
}

TEST_F(Damage, OfAMissingSegmentLeavesTheNewestCheckpointToLookAt) {
  Node node(copy(), small_options());
  node.disk().remove(last_segment());
  InlineParallel parallel;
  const auto opened = open_read_only(node.root(), node.clock(), parallel);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_NE(opened->report.damage.find("is missing"), std::string::npos) << opened->report.damage;
  EXPECT_EQ(opened->state->lsn, opened->report.checkpoint);
  EXPECT_GT(opened->state->lsn, Lsn{0});
}

TEST_F(Damage, OfEverythingIsNotShownAsAnEmptyState_P4) {
  Node node(copy(), small_options());
  for (const std::string& path : node.disk().files())
    if (path.starts_with("checkpoints/") || path.starts_with("journal/")) node.disk().remove(path);
  InlineParallel parallel;
  const auto opened = open_read_only(node.root(), node.clock(), parallel);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Errc::corruption);
}

TEST_F(Damage, IsFoundByVerify_L4) {
  InlineParallel parallel;
  const auto good = verify(node_.root(), parallel);
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_TRUE(good->findings.empty()) << good->findings.front();
  EXPECT_EQ(good->transactions, 6U);
  EXPECT_EQ(good->checkpoints, 2U);
  for (const std::string& path : node_.disk().files()) {
    if (path == kBallastFile) continue;
    const std::size_t size =
        path == last_segment() ? acknowledged_bytes_ : used(node_.disk().content(path));
    for (std::size_t byte = 0; byte < size; byte += 101) {
      Node damaged(copy(), small_options());
      damaged.disk().content(path)[byte] ^= std::byte{4};
      const auto report = verify(damaged.root(), parallel);
      EXPECT_TRUE(!report || !report->findings.empty()) << path << " byte " << byte;
    }
  }
}

TEST_F(Damage, ByReplacingTheWholeJournalIsFoundThroughAHeadNotedOutside_L4) {
  InlineParallel parallel;
  const auto good = verify(node_.root(), parallel);
  ASSERT_TRUE(good);
  const auto same = verify(node_.root(), parallel, {.known = good->head});
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->findings.empty());
  Head other = good->head;
  other.chain[0] ^= std::byte{1};
  const auto changed = verify(node_.root(), parallel, {.known = other});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->findings.size(), 1U);
}

TEST_F(Damage, ByAForeignSegmentIsRefused_J2) {
  Node other;
  SimDisk disk = copy();
  {
    testing::SeededRandom random(77);
    auto store = *Store::open(other.root(), other.clock(), random, other.options());
    ASSERT_TRUE(commit(*store, import_topology(*store->next(), "x", 2)));
  }
  const std::string path = "journal/00000000000000000001-0000000001.journal";
  disk.content(path) = other.disk().content(path);
  std::string message;
  EXPECT_EQ(open(std::move(disk), &message), Outcome::refused);
  EXPECT_NE(message.find("belongs to node"), std::string::npos) << message;
}

}  // namespace
}  // namespace netml::wal::test
