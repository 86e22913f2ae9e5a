// Goal: what was moved to an archive is read there by everybody, and nothing is lost on the way
// (K5). Method: a history over many segments on a simulated disk; the archive is a directory beside
// it.
#include "wal/journal/archive.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/wal/history/history.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/history/copy_until.hpp"
#include "wal/history/journal_reader.hpp"
#include "wal/history/past_state.hpp"
#include "wal/upkeep/backup.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kArchive = "archive";

Result<ArchivedSegments> archive(Node& node, Store& store,
                                 const std::string& directory = kArchive) {
  NETML_TRY(ArchivedSegments compressed, pack_segments(node.root(), store.manifest(), directory));
  NETML_TRY_VOID(store.checkpoints().archive(compressed));
  return compressed;
}

std::vector<std::string> files_in(Node& node, const std::string& directory) {
  std::vector<std::string> files;
  for (const std::string& file : node.disk().files())
    if (file.starts_with(directory + '/')) files.push_back(file);
  return files;
}

class Archive : public ::testing::Test {
 protected:
  Archive() {
    EXPECT_TRUE(store().checkpoint());
    EXPECT_TRUE(node().root().make_directory(kArchive));
    EXPECT_TRUE(node().root().sync());
  }

  Node& node() { return history_.node(); }
  Store& store() { return history_.store(); }
  JournalView view() {
    return {store().manifest().node, store().head_hash(), store().manifest().checkpoints};
  }
  std::vector<std::string> findings(std::optional<LiveView> live) {
    return verify(node().root(), parallel_, {.live = std::move(live)})->findings;
  }
  // The directory as a crash now leaves it, with its archive.
  Node reopened() { return Node(node().disk().killed(), small_options(4096 + (8 << 10))); }

  WrittenHistory history_;
  InlineParallel parallel_;
};

TEST_F(Archive, TellsHowManySegmentsAreCompressed) {
  std::vector<WorkNow> reported;
  const auto compressed = pack_segments(node().root(), store().manifest(), kArchive,
                                        [&](const WorkNow& now) { reported.push_back(now); });
  ASSERT_TRUE(compressed) << compressed.error().message;
  ASSERT_FALSE(compressed->segments.empty());
  ASSERT_EQ(reported.size(), compressed->segments.size());
  for (std::size_t i = 0; i < reported.size(); ++i)
    EXPECT_EQ(reported[i], (WorkNow{.unit = WorkUnit::files, .done = i, .total = reported.size()}));
}

TEST_F(Archive, TakesTheSegmentsThatNoStartNeedsAndNoOther_K5) {
  const std::size_t before = files_in(node(), "journal").size();
  const auto moved = archive(node(), store());
  ASSERT_TRUE(moved) << moved.error().message;
  ASSERT_GT(moved->segments.size(), 2U);
  EXPECT_LT(moved->compressed_bytes, moved->bytes);
  EXPECT_EQ(files_in(node(), "journal").size(), before - moved->segments.size());
  EXPECT_EQ(files_in(node(), kArchive).size(), 2 * moved->segments.size());

  const auto& checkpoints = store().manifest().checkpoints;
  ASSERT_GE(checkpoints.size(), 2U);
  const Lsn oldest = checkpoints.back().lsn;
  for (const SegmentEntry& entry : moved->segments) EXPECT_LE(entry.first_lsn, oldest);
  EXPECT_THAT(findings(store().live_view()), IsEmpty());
  EXPECT_THAT(archive(node(), store())->segments, IsEmpty());
}

TEST_F(Archive, IsReadByVerifyLogReplayAndCopies) {
  ASSERT_TRUE(archive(node(), store()));
  JournalIndex index(node().root(), JournalIndex::Keep::in_memory);
  auto reader = JournalReader::open(node().root(), view(), index);
  ASSERT_TRUE(reader) << reader.error().message;
  for (std::uint64_t lsn = 1; lsn < history_.heads().size(); ++lsn) {
    const auto entry = reader->entry(Lsn{lsn});
    ASSERT_TRUE(entry) << entry.error().message;
    EXPECT_EQ(entry->provenance.actor, history_.transactions()[lsn].provenance.actor);
  }
  for (const std::uint64_t lsn : {1U, 3U, 20U}) {
    const auto past = state_at(node().root(), view(), Lsn{lsn}, parallel_);
    ASSERT_TRUE(past) << past.error().message;
    EXPECT_EQ(past->state->digest(), history_.states()[lsn]->digest());
  }
  Node copy;
  const auto head = copy_until(node().root(), view(), Lsn{20}, store().head()->catalog, copy.root(),
                               WallTime{}, parallel_);
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(*head, history_.heads()[20]);
  EXPECT_THAT(verify(copy.root(), parallel_)->findings, IsEmpty());
}

TEST_F(Archive, IsInBackupsWhichNeedItNoMore) {
  ASSERT_TRUE(archive(node(), store()));
  auto data = *open_data_directory(node().root());
  const auto backup = Backup::start(data, store().live_view());
  ASSERT_TRUE(backup) << backup.error().message;
  Node target;
  const auto file = *target.root().open("b", OpenMode::create_new);
  for (std::uint64_t at = 0;;) {
    const auto piece = (*backup)->next();
    ASSERT_TRUE(piece) << piece.error().message;
    if (piece->empty()) break;
    ASSERT_TRUE(file->write(at, *piece));
    at += piece->size();
  }
  ASSERT_TRUE(target.root().make_directory("d"));
  const auto into = *target.root().open_directory("d");
  const auto restored = restore(*file, *into, parallel_);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->head, store().head_hash());
}

TEST_F(Archive, IsFollowedByWhoeverListedTheJournalBefore) {
  const auto journal = *open_whole_journal(node().root());
  const std::string first = (*journal->list()).front().name;
  const auto before = *read_file(*journal, first, 1 << 20);
  ASSERT_TRUE(archive(node(), store()));
  const auto after = read_file(*journal, first, 1 << 20);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(*after, before);
}

TEST_F(Archive, NeedNotBeThereForAStart) {
  ASSERT_TRUE(archive(node(), store()));
  Node without = reopened();
  for (const std::string& file : files_in(without, kArchive)) without.disk().remove(file);
  auto opened = without.open();
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ((*opened)->head_hash(), store().head_hash());
  ASSERT_TRUE(commit(**opened, testing::import_topology(*(*opened)->next(), "later", 10)));
  const auto report = verify(without.root(), parallel_, {.live = (*opened)->live_view()});
  EXPECT_THAT(report->findings, Contains(HasSubstr("archived, but missing there")));
}

TEST_F(Archive, IsReadByAStartThatHasNoCheckpoint) {
  ASSERT_TRUE(archive(node(), store()));
  Node node = reopened();
  for (const std::string& file : files_in(node, "checkpoints"))
    node.disk().content(file)[70] ^= std::byte{1};
  {
    auto opened = node.open();
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ((*opened)->head()->digest(), store().head()->digest());
  }
  Node without = reopened();
  for (const std::string& file : files_in(without, "checkpoints"))
    without.disk().content(file)[70] ^= std::byte{1};
  for (const std::string& file : files_in(without, kArchive)) without.disk().remove(file);
  const auto refused = without.open();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("archived, but missing there"));
}

TEST_F(Archive, IsNamedWhenItCannotBeReached) {
  ASSERT_TRUE(archive(node(), store()));
  Manifest manifest = store().manifest();
  manifest.archives.front() = "unmounted";
  for (int i = 0; i < 2; ++i) {
    ++manifest.generation;
    ASSERT_TRUE(save_manifest(node().root(), manifest));
  }
  EXPECT_THAT(findings(std::nullopt),
              Contains(HasSubstr("is archived in unmounted, which cannot")));
  JournalIndex index(node().root(), JournalIndex::Keep::in_memory);
  const auto reader = JournalReader::open(node().root(), view(), index);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, Errc::unavailable);
}

TEST_F(Archive, TellsDamageInIt_P4) {
  ASSERT_TRUE(archive(node(), store()));
  for (const std::string& file : files_in(node(), kArchive)) {
    if (!file.ends_with(".zst")) continue;
    std::vector<std::byte>& content = node().disk().content(file);
    for (const std::size_t at : {content.size() / 2, content.size() - 6}) {
      content[at] ^= std::byte{1};
      EXPECT_THAT(findings(store().live_view()), ::testing::Not(IsEmpty())) << file << ' ' << at;
      content[at] ^= std::byte{1};
    }
  }
  EXPECT_THAT(findings(store().live_view()), IsEmpty());
}

TEST_F(Archive, DoesNotOverwriteWhatAnotherNodePutThere) {
  const std::string name = files_in(node(), "journal").front().substr(8) + ".zst";
  const auto directory = *node().root().open_directory(kArchive);
  ASSERT_TRUE(replace_file(*directory, name, std::vector<std::byte>(40)));
  const auto moved = archive(node(), store());
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, Errc::conflict);
  EXPECT_THAT(moved.error().message, HasSubstr("nothing was moved"));
  EXPECT_THAT(findings(store().live_view()), IsEmpty());
}

TEST(ArchiveOfAYoungJournal, IsEmpty) {
  WrittenHistory history;  // with one checkpoint
  ASSERT_TRUE(history.node().root().make_directory(kArchive));
  EXPECT_THAT(archive(history.node(), history.store())->segments, IsEmpty());
  EXPECT_TRUE(history.store().manifest().archives.empty());
}

// An older program must not open a directory whose segments it would miss, and may open any other.
TEST_F(Archive, RaisesTheFormatOfTheManifest_C3) {
  const auto version = [&](std::uint16_t of_directory) {
    Manifest manifest = store().manifest();
    manifest.format = of_directory;
    const std::vector<std::byte> bytes = encode_manifest(manifest);
    EXPECT_EQ(decode_manifest(bytes, "m"), manifest);
    return std::pair{bytes[8], bytes[10]};
  };
  EXPECT_EQ(version(1), std::pair(std::byte{1}, std::byte{1}));
  EXPECT_EQ(version(3), std::pair(std::byte{3}, std::byte{3}));
  ASSERT_TRUE(archive(node(), store()));
  EXPECT_EQ(version(1), std::pair(std::byte{2}, std::byte{2}));
  EXPECT_EQ(version(3), std::pair(std::byte{3}, std::byte{3}));
  const auto again = decode_manifest(encode_manifest(store().manifest()), "m");
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, store().manifest());
}

TEST_F(Archive, MayBeCutOffByACrashAnywhere) {
  std::vector<testing::SimDisk> crashes;
  node().disk().observe([&](std::uint64_t number, const std::string&) {
    const std::vector<testing::CrashPattern> patterns = node().disk().patterns(number);
    crashes.push_back(node().disk().crashed(patterns[number % patterns.size()]));
    crashes.push_back(node().disk().crashed({.kind = testing::CrashPattern::Kind::none}));
    crashes.push_back(node().disk().killed());
  });
  ASSERT_TRUE(archive(node(), store()));
  node().disk().observe({});
  ASSERT_GT(crashes.size(), 60U);
  for (std::size_t i = 0; i < crashes.size(); ++i) {
    Node crashed(std::move(crashes[i]), small_options(4096 + (8 << 10)));
    auto opened = crashed.open();
    ASSERT_TRUE(opened) << i << ": " << opened.error().message;
    const auto again = archive(crashed, **opened);
    ASSERT_TRUE(again) << i << ": " << again.error().message;
    const auto report = verify(crashed.root(), parallel_, {.live = (*opened)->live_view()});
    EXPECT_THAT(report->findings, IsEmpty()) << i;
    EXPECT_EQ(report->head, store().head_hash());
  }
}

}  // namespace
}  // namespace netml::wal::test
