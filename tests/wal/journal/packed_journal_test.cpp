// Goal: a journal whose EFFECTS frames are compressed says the same to all who read it as one whose
// frames are not, and one of an older format has none. Method: the same history twice, with the
// transactions of few records compressed, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/wal/history/history.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/history/copy_until.hpp"
#include "wal/history/journal_reader.hpp"
#include "wal/history/past_state.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using ::testing::IsEmpty;

StoreOptions compressing() {
  StoreOptions options = WrittenHistory::small_segments();
  options.journal.compresses_small = true;
  return options;
}

struct Frames {
  std::size_t compressed = 0;
  std::size_t others = 0;  // of effects
  std::uint64_t bytes = 0;
};

Frames frames_of(Node& node) {
  Frames frames;
  const auto journal = *node.root().open_directory(kJournalDirectory);
  const NodeUuid uuid = load_manifest(node.root()).value()->manifest.node;
  JournalWalk walk(*journal, uuid, *list_segments(*journal, uuid));
  for (auto step = walk.next_unpacked(); step && *step; step = walk.next_unpacked()) {
    const Frame& frame = (*step)->frame;
    frames.bytes += frame.payload.size();
    if (!frame.header.is(format::FrameKind::effects)) continue;
    ++(frame.header.compressed() ? frames.compressed : frames.others);
    EXPECT_EQ((*step)->content().empty(), !frame.header.compressed());
  }
  return frames;
}

class PackedJournal : public ::testing::Test {
 protected:
  std::vector<std::string> findings(Storage& data) { return verify(data, parallel_, {})->findings; }
  static std::size_t effects_of(JournalReader& reader, Lsn lsn) {
    std::size_t records = 0;
    const auto count = [&](const JournalEffects& effects) -> bool {
      records += effects.records.size();
      return true;
    };
    EXPECT_TRUE(reader.effects(lsn, count));
    return records;
  }

  static std::vector<Lsn> changes_of(JournalReader& reader, RecordId record) {
    std::vector<Lsn> changes;
    EXPECT_TRUE(reader.changes_of({record}, [&](Lsn lsn, const RecordEffect&) {
      changes.push_back(lsn);
      return true;
    }));
    return changes;
  }

  WrittenHistory packed_{compressing()};
  WrittenHistory plain_;
  InlineParallel parallel_;
};

TEST_F(PackedJournal, IsSmallerAndSound) {
  const Frames compressed = frames_of(packed_.node());
  const Frames plain = frames_of(plain_.node());
  EXPECT_GT(compressed.compressed, 3U);
  EXPECT_EQ(plain.compressed, 0U);
  EXPECT_EQ(compressed.compressed + compressed.others, plain.others);
  EXPECT_LT(compressed.bytes * 2, plain.bytes);
  EXPECT_THAT(findings(packed_.node().root()), IsEmpty());
}

TEST_F(PackedJournal, LeadsToTheSameStates) {
  ASSERT_EQ(packed_.states().size(), plain_.states().size());
  for (std::uint64_t lsn = 1; lsn < packed_.states().size(); ++lsn) {
    const auto past = state_at(packed_.node().root(), packed_.view(), Lsn{lsn}, parallel_);
    ASSERT_TRUE(past) << past.error().message;
    EXPECT_EQ(past->state->digest(), plain_.states()[lsn]->digest()) << lsn;
  }
  Node again(packed_.node().disk().killed(), compressing());
  const auto store = again.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->head()->digest(), plain_.states().back()->digest());
}

// What it takes to apply is reported as if nothing were compressed: whoever asks has memory for it.
TEST_F(PackedJournal, AsksForAsMuchMemoryToBeReplayed) {
  const auto most = [&](WrittenHistory& written) {
    std::uint64_t bytes = 0;
    const TakeMemory take = [&](std::uint64_t wanted) {
      bytes = std::max(bytes, wanted);
      return Status();
    };
    EXPECT_TRUE(state_at(written.node().root(), written.view(), Lsn{3}, parallel_, take));
    return bytes;
  };
  EXPECT_EQ(most(packed_), most(plain_));
}

TEST_F(PackedJournal, AnswersTheSameQuestions) {
  JournalIndex packed_index(packed_.node().root(), JournalIndex::Keep::in_memory);
  JournalIndex plain_index(plain_.node().root(), JournalIndex::Keep::in_memory);
  auto compressed = *JournalReader::open(packed_.node().root(), packed_.view(), packed_index);
  auto plain = *JournalReader::open(plain_.node().root(), plain_.view(), plain_index);
  for (std::uint64_t lsn = 1; lsn < packed_.states().size(); ++lsn) {
    EXPECT_EQ(effects_of(compressed, Lsn{lsn}), effects_of(plain, Lsn{lsn})) << lsn;
    EXPECT_EQ(compressed.counts_by_kind(Lsn{lsn}).value(), plain.counts_by_kind(Lsn{lsn}).value());
  }
  EXPECT_EQ(compressed.records_named("urn:b:node:3").value(),
            plain.records_named("urn:b:node:3").value());
  const std::vector<Lsn> packed_changes = changes_of(compressed, packed_.renamed());
  EXPECT_EQ(packed_changes, changes_of(plain, plain_.renamed()));
  EXPECT_GT(packed_changes.size(), 20U);
}

TEST_F(PackedJournal, IsCopiedAsItIs) {
  Node copy;
  const auto head =
      copy_until(packed_.node().root(), packed_.view(), Lsn{20}, packed_.states().back()->catalog,
                 copy.root(), WallTime{1}, parallel_);
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(*head, packed_.heads()[20]);
  EXPECT_THAT(findings(copy.root()), IsEmpty());
  EXPECT_GE(frames_of(copy).compressed, 3U);
}

// A checkpoint is due by what a start would have to apply (K6).
TEST_F(PackedJournal, IsCountedAsIfItWereNotCompressed) {
  EXPECT_GT(packed_.store().log().bytes_appended(), frames_of(plain_.node()).bytes);
}

TEST(OlderJournal, HasNoCompressedFrames_L3) {
  Node node(compressing());
  ASSERT_TRUE(initialise(node.root(), node.random()));
  Manifest first = load_manifest(node.root()).value()->manifest;
  first.format = format::kVersion3;
  ASSERT_TRUE(save_first_manifests(node.root(), first));
  const auto store = *node.open();
  ASSERT_TRUE(commit(*store, testing::import_topology(*store->next(), "a", 60)));
  EXPECT_EQ(frames_of(node).compressed, 0U);
  ASSERT_TRUE(store->checkpoint());
  ASSERT_TRUE(commit(*store, testing::import_topology(*store->next(), "b", 60)));
  EXPECT_GT(frames_of(node).compressed, 0U);
  InlineParallel parallel;
  EXPECT_THAT(verify(node.root(), parallel, {})->findings, IsEmpty());
}

}  // namespace
}  // namespace netml::wal::test
