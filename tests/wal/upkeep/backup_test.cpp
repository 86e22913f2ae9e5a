// Goal: a backup is whole or is refused; what is restored is the data directory as it was.
// Method: a history over many segments on a simulated disk; the backup changed in every way a
// medium or a person may change it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/sha256.hpp"
#include "tests/wal/history/history.hpp"
#include "wal/storage/posix_storage.hpp"
#include "wal/storage/tar.hpp"
#include "wal/upkeep/backup.hpp"

namespace netml::wal::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::import_topology;

using Bytes = std::vector<std::byte>;

Result<Bytes> read_all(Backup& backup) {
  Bytes bytes;
  while (true) {
    NETML_TRY(const std::span<const std::byte> piece, backup.next());
    if (piece.empty()) return bytes;
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  }
}

Result<Bytes> back_up(Node& node, Store& store, const BackupOptions& options = {}) {
  NETML_TRY(DataDirectory data, open_data_directory(node.root()));
  NETML_TRY(const auto backup, Backup::start(data, store.live_view(), options));
  return read_all(*backup);
}

// A disk with nothing but the backup and an empty directory.
class Target {
 public:
  explicit Target(const Bytes& backup) {
    const auto above = node_.disk().root();
    EXPECT_TRUE(above->make_directory("restored"));
    file_ = *above->open("backup.tar", OpenMode::create_new);
    EXPECT_TRUE(file_->write(0, backup));
    into_ = *above->open_directory("restored");
  }
  Result<VerifyReport> restore(const RestoreOptions& options = {}) {
    InlineParallel parallel;
    return wal::restore(*file_, *into_, parallel, options);
  }
  Storage& into() { return *into_; }
  Result<std::unique_ptr<Store>> open() {
    return Store::open(*into_, node_.clock(), node_.random(), node_.options());
  }

 private:
  Node node_;
  std::unique_ptr<File> file_;
  std::unique_ptr<Storage> into_;
};

std::string refusal(const Bytes& backup, const RestoreOptions& options = {}) {
  const Result<VerifyReport> restored = Target(backup).restore(options);
  if (restored) return "restored";
  EXPECT_EQ(restored.error().code, Errc::invalid_input);
  return restored.error().message;
}

struct Part {
  TarMember member;
  std::size_t at = 0;    // of its header
  std::size_t next = 0;  // of the next one's
  std::size_t content() const { return at + kTarBlockBytes; }
};

std::vector<Part> parts_of(const Bytes& backup) {
  std::vector<Part> parts;
  for (std::size_t at = 0;;) {
    auto member = decode_tar_header(std::span(backup).subspan(at, kTarBlockBytes));
    EXPECT_TRUE(member);
    if (!member || !*member) return parts;
    const std::size_t next = at + kTarBlockBytes + (*member)->bytes + tar_padding((*member)->bytes);
    parts.push_back({**member, at, next});
    at = next;
  }
}

class BackedUp : public ::testing::Test {
 protected:
  BackedUp() { backup_ = *back_up(history_.node(), history_.store()); }

  Store& store() { return history_.store(); }

  WrittenHistory history_;
  Bytes backup_;
};

TEST_F(BackedUp, IsRestoredAsItWas_L4) {
  Target target(backup_);
  const Result<VerifyReport> restored = target.restore({.known = history_.heads()[7]});
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->head, store().head_hash());
  EXPECT_GT(restored->segments, 5U);
  EXPECT_GT(restored->checkpoints, 0U);

  const auto opened = target.open();
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ((*opened)->head_hash(), store().head_hash());
  EXPECT_EQ((*opened)->head()->digest(), store().head()->digest());
  EXPECT_TRUE((*opened)->recovery().warnings.empty());
  EXPECT_EQ((*opened)->recovery().quarantined_bytes, 0U);
}

TEST_F(BackedUp, GoesOnFromWhereItEnded) {
  Target target(backup_);
  ASSERT_TRUE(target.restore());
  {
    auto store = *target.open();
    for (const char* name : {"x", "y"})
      ASSERT_TRUE(commit(*store, import_topology(*store->next(), name, 40)));
    ASSERT_TRUE(store->close());
  }
  InlineParallel parallel;
  const auto report = verify(target.into(), parallel, {.known = store().head_hash()});
  ASSERT_TRUE(report);
  EXPECT_THAT(report->findings, ::testing::IsEmpty());
  EXPECT_EQ(report->head.lsn.value, store().head_hash().lsn.value + 2);
}

TEST_F(BackedUp, EqualDataGiveEqualBackups) {
  EXPECT_EQ(*back_up(history_.node(), store()), backup_);
  Target target(backup_);
  ASSERT_TRUE(target.restore());
  EXPECT_EQ(parts_of(backup_).front().member.name, "head");
}

TEST_F(BackedUp, OfWhatWasRestoredIsWholeToo) {
  Target target(backup_);
  ASSERT_TRUE(target.restore());
  auto store = *target.open();
  auto data = *open_data_directory(target.into());
  const auto again = *Backup::start(data, store->live_view());
  const auto bytes = read_all(*again);
  ASSERT_TRUE(bytes) << bytes.error().message;
  const Result<VerifyReport> restored = Target(*bytes).restore();
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->head, store->head_hash());
}

TEST_F(BackedUp, HoldsTheMomentItWasStartedAt_K5) {
  auto data = *open_data_directory(history_.node().root());
  const auto backup = *Backup::start(data, store().live_view());
  const Head head = store().head_hash();
  for (int i = 0; i < 6; ++i) {  // also deletes the checkpoints that the backup holds
    history_.add(import_topology(*store().next(), fmt::format("later {}", i), 30));
    ASSERT_TRUE(store().checkpoint());
  }
  const auto bytes = read_all(*backup);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes, backup_);
  EXPECT_EQ(backup->head(), head);
}

TEST(Backup, OfADirectoryWithoutATransactionIsWhole) {
  Node node;
  auto store = *node.open();
  const auto bytes = back_up(node, *store);
  ASSERT_TRUE(bytes) << bytes.error().message;
  const Result<VerifyReport> restored = Target(*bytes).restore();
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->head.lsn.value, 0U);
}

TEST_F(BackedUp, LeavesOutATransactionThatWasNotFinished) {
  ASSERT_TRUE(store().append(import_topology(*store().next(), "not synced", 200)));
  const auto bytes = back_up(history_.node(), store());
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(Target(*bytes).restore()->head, store().head_hash());
}

// ---- damage ----

TEST_F(BackedUp, IsRefusedWhenAnyByteDiffers) {
  for (std::size_t at = 0; at < backup_.size(); at += 499) {
    Bytes changed = backup_;
    changed[at] ^= std::byte{0x10};
    if (const auto restored = Target(changed).restore()) {
      // Bytes that say nothing: between the members, and behind the last.
      const auto parts = parts_of(backup_);
      const bool between = std::ranges::any_of(parts, [&](const Part& part) {
        return at >= part.content() + part.member.bytes && at < part.next;
      });
      EXPECT_TRUE(between || at >= parts.back().next + kTarBlockBytes) << at;
      EXPECT_EQ(restored->head, store().head_hash());
    }
  }
}

TEST_F(BackedUp, IsRefusedWhenItIsCut) {
  const std::size_t end = parts_of(backup_).back().next;
  for (std::size_t length = 0; length < end; length += 1000) {
    const Bytes cut(backup_.begin(), backup_.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(refusal(cut), "restored") << length;
  }
}

TEST_F(BackedUp, IsRefusedWhenAMemberIsMissingOrThereTwice) {
  for (const Part& part : parts_of(backup_)) {
    const auto begin = backup_.begin() + static_cast<std::ptrdiff_t>(part.at);
    const auto end = backup_.begin() + static_cast<std::ptrdiff_t>(part.next);
    Bytes without = backup_;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(part.at),
                  without.begin() + static_cast<std::ptrdiff_t>(part.next));
    EXPECT_NE(refusal(without), "restored") << part.member.name;
    Bytes twice = backup_;
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(part.next), begin, end);
    EXPECT_NE(refusal(twice), "restored") << part.member.name;
  }
}

TEST_F(BackedUp, IsRefusedWhenItDoesNotPassThroughAHeadNotedOutside_L4) {
  Head other = history_.heads()[7];
  other.chain[3] ^= std::byte{1};
  EXPECT_THAT(refusal(backup_, {.known = other}), HasSubstr("LSN 7"));
  const Head beyond{Lsn{store().head_hash().lsn.value + 1}, {}};
  EXPECT_THAT(refusal(backup_, {.known = beyond}), HasSubstr("beyond the end"));
}

TEST(Backup, WithANameThatLeadsElsewhereIsRefused) {
  for (const char* name : {"../evil", "journal/../../evil", "/evil", "journal/.hidden", "journal/",
                           "node.key", "tmp/x", "journal/a/b", "LOCK"}) {
    const TarBlock header = encode_tar_header({name, 0});
    Bytes backup(header.begin(), header.end());
    backup.resize(backup.size() + 2 * kTarBlockBytes);
    EXPECT_THAT(refusal(backup), HasSubstr("\"")) << name;
  }
}

TEST_F(BackedUp, IsNotRestoredOverSomething) {
  Target target(backup_);
  ASSERT_TRUE(target.restore());
  const auto again = target.restore();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Errc::conflict);
}

// ---- the data that are backed up ----

TEST_F(BackedUp, IsNotMadeOfDamagedData_P4) {
  const std::vector<std::string> files = history_.node().disk().files();
  for (const std::string& file : files) {
    const bool journal = file.find("journal/") != std::string::npos;
    if (!journal && file.find("checkpoints/") == std::string::npos) continue;
    Bytes& content = history_.node().disk().content(file);
    if (content.size() < 4200) continue;
    content[4150] ^= std::byte{1};
    const auto bytes = back_up(history_.node(), store());
    ASSERT_FALSE(bytes) << file;
    EXPECT_EQ(bytes.error().code, Errc::corruption);
    EXPECT_THAT(bytes.error().message, HasSubstr(file.substr(file.rfind('/') + 1)));
    content[4150] ^= std::byte{1};
  }
  EXPECT_TRUE(back_up(history_.node(), store()));
}

// ---- stored files that are missing ----

class BackupOfKeptFiles : public BackedUp {
 protected:
  BackupOfKeptFiles() {
    testing::TransactionBuilder builder(*store().next());
    builder.import_record("a.xml", hash_);
    history_.add(builder.finish());
  }
  Result<Bytes> back_up_with(const BackupOptions& options) {
    return back_up(history_.node(), store(), options);
  }

  const Sha256 hash_ = Sha256Hasher().hash(std::as_bytes(std::span("a stored file")));
};

TEST_F(BackupOfKeptFiles, IsNotMadeWhenOneIsMissing) {
  const auto refused = back_up_with({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::corruption);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("import 5"), HasSubstr(to_hex(hash_))));
}

TEST_F(BackupOfKeptFiles, WithoutThoseMissingSaysSoAndIsRestored) {
  const auto bytes = back_up_with({.without_missing_uploads = true});
  ASSERT_TRUE(bytes) << bytes.error().message;
  Target target(*bytes);
  const auto restored = target.restore();
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->uploads_left_out, 1U);
  EXPECT_EQ(restored->uploads_gone, 0U);

  const auto manifest = load_manifest(target.into());
  ASSERT_TRUE(manifest && *manifest);
  EXPECT_THAT((*manifest)->manifest.absent_files,
              ::testing::ElementsAre(AbsentFile{hash_, AbsentBecause::left_out}));
  auto store = *target.open();
  auto data = *open_data_directory(target.into());
  const auto again = Backup::start(data, store->live_view());
  ASSERT_TRUE(again) << "what is known to be absent stays so: " << again.error().message;
  EXPECT_THAT((*again)->left_out(), ::testing::IsEmpty());
  EXPECT_TRUE(Target(*read_all(**again)).restore());
}

TEST_F(BackupOfKeptFiles, NamesThoseThatItIsMadeWithout) {
  auto data = *open_data_directory(history_.node().root());
  const auto backup = *Backup::start(data, store().live_view(), {.without_missing_uploads = true});
  EXPECT_THAT(backup->left_out(),
              ::testing::ElementsAre(AllOf(HasSubstr("import 5"), HasSubstr(to_hex(hash_)))));
}

TEST_F(BackupOfKeptFiles, MissesAFileAgainThatCameBackAndWasLost) {
  Target target(*back_up_with({.without_missing_uploads = true}));
  ASSERT_TRUE(target.restore());
  auto store = *target.open();
  auto data = *open_data_directory(target.into());
  ASSERT_TRUE(replace_file(*data.temporary, "spool", std::as_bytes(std::span("a stored file"))));
  ASSERT_TRUE(store->keep_upload("spool", hash_));
  EXPECT_THAT((*load_manifest(target.into()))->manifest.absent_files, ::testing::IsEmpty());
  EXPECT_TRUE(Backup::start(data, store->live_view()));
  ASSERT_TRUE(data.uploads->unlink(to_hex(hash_)));

  const auto refused = Backup::start(data, store->live_view());
  ASSERT_FALSE(refused) << "it was there after the backup that was made without it";
  EXPECT_THAT(refused.error().message, HasSubstr("import 5"));
  ASSERT_TRUE(store->close());
  InlineParallel parallel;
  const auto verified = verify(target.into(), parallel, {});
  ASSERT_TRUE(verified);
  EXPECT_THAT(verified->findings, ::testing::ElementsAre(HasSubstr("the file of import 5")));
  EXPECT_EQ(verified->uploads_left_out, 0U);
}

// ---- the container ----

TEST(Tar, KeepsSizesThatHaveNoRoomInOctal) {
  for (const std::uint64_t bytes : {0ULL, 1ULL, (1ULL << 33) - 1, 1ULL << 33, (1ULL << 56) + 5}) {
    const auto read = decode_tar_header(encode_tar_header({"a", bytes}));
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->bytes, bytes);
    EXPECT_EQ((*read)->name, "a");
  }
}

TEST(Head, IsReadBackFromItsText) {
  const Head head{Lsn{1234}, Sha256Hasher().hash({})};
  EXPECT_EQ(parse_head(to_string(head)), head);
  for (const std::string& text :
       {std::string(), std::string("12"), to_string(head) + "0", ":" + to_string(head),
        to_string(head).substr(0, 60), "-" + to_string(head), to_string(head).replace(20, 1, "g")})
    EXPECT_FALSE(parse_head(text)) << text;
}

}  // namespace
}  // namespace netml::wal::test
