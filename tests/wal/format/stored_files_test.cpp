// Goal: a stored file is found under its hash, compressed or not, and goes by it.
#include "wal/format/stored_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/sha256.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/storage/packed_file.hpp"
#include "wal/upkeep/backup.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Sha256 hash_of(std::string_view text) {
  return Sha256Hasher().hash(std::as_bytes(std::span(text)));
}

class StoredFiles : public ::testing::Test {
 protected:
  StoredFiles() : store_(*node_.open()), data_(*open_data_directory(node_.root())) {}

  // As an import leaves it.
  void keep(std::string_view content, StoredAs how) {
    {
      const auto file = *data_.temporary->open("spool", OpenMode::create_new);
      const auto bytes = std::as_bytes(std::span(content));
      if (how == StoredAs::compressed) {
        PackedWriter writer(*file, kCompressionLevel);
        ASSERT_TRUE(writer.add(bytes.first(bytes.size() / 2)));
        ASSERT_TRUE(writer.add(bytes.subspan(bytes.size() / 2)));
        ASSERT_TRUE(writer.finish());
      } else {
        ASSERT_TRUE(file->write(0, bytes));
      }
    }
    ASSERT_TRUE(store_->keep_upload("spool", hash_of(content), how));
  }
  void import(std::string_view content, std::vector<std::string> changes_of = {}) {
    testing::TransactionBuilder builder(*store_->next());
    builder.import_record("a.xml", hash_of(content), std::move(changes_of));
    ASSERT_TRUE(commit(*store_, builder.finish()));
  }
  std::string content_of(const Sha256& hash) {
    const auto file = open_upload(data_, hash);
    if (!file) return file.error().message;
    std::string text(*(*file)->size(), '\0');
    const auto read = read_exactly(**file, 0, std::as_writable_bytes(std::span(text)));
    return read ? text : read.error().message;
  }
  std::vector<std::byte>& stored(std::string_view content) {
    return node_.disk().content("uploads/" + stored_name(hash_of(content), StoredAs::compressed));
  }
  std::vector<std::string> findings() {
    InlineParallel parallel;
    return verify(node_.root(), parallel)->findings;
  }
  Result<std::vector<std::byte>> back_up() {
    NETML_TRY(const auto backup, Backup::start(data_, store_->live_view(), {}));
    std::vector<std::byte> all;
    while (true) {
      NETML_TRY(const auto piece, backup->next());
      if (piece.empty()) return all;
      all.insert(all.end(), piece.begin(), piece.end());
    }
  }

  Node node_;
  std::unique_ptr<Store> store_;
  DataDirectory data_;
  const std::string one_ = std::string(3000, 'x') + "one";
  const std::string other_ = std::string(3000, 'x') + "other";
};

TEST_F(StoredFiles, AreReadHoweverTheyAreStored) {
  keep(one_, StoredAs::itself);
  keep(other_, StoredAs::compressed);
  EXPECT_EQ(content_of(hash_of(one_)), one_);
  EXPECT_EQ(content_of(hash_of(other_)), other_);
  EXPECT_LT(stored(other_).size(), 200U);
  EXPECT_TRUE(is_stored(*data_.uploads, hash_of(one_)));
  EXPECT_TRUE(is_stored(*data_.uploads, hash_of(other_)));
  EXPECT_FALSE(is_stored(*data_.uploads, hash_of("nothing")));
  EXPECT_EQ(open_upload(data_, hash_of("nothing")).error().code, Errc::not_found);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(StoredFiles, ThatAFileChangesAreNamedAsItIs) {
  keep(other_, StoredAs::itself);
  import(other_, {to_hex(hash_of(one_))});
  EXPECT_THAT(findings(), ElementsAre(HasSubstr(to_hex(hash_of(one_)))));
  keep(one_, StoredAs::itself);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(StoredFiles, StoredTwiceAreReadAndGoTogether) {
  keep(one_, StoredAs::itself);
  keep(one_, StoredAs::compressed);
  EXPECT_EQ(content_of(hash_of(one_)), one_);
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_EQ(
      remove_uploads(data_, [&](const std::string& hash) { return hash == to_hex(hash_of(one_)); })
          .value(),
      0U);
  EXPECT_EQ(remove_uploads(data_, [](const std::string&) { return false; }).value(), 2U);
  EXPECT_FALSE(is_stored(*data_.uploads, hash_of(one_)));
}

TEST_F(StoredFiles, CompressedAndChangedAreFoundByVerification) {
  keep(one_, StoredAs::compressed);
  import(one_);
  const std::vector<std::byte> whole = stored(one_);
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    stored(one_)[at] ^= std::byte{4};
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("is damaged"))) << at;
    stored(one_)[at] = whole[at];
  }
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(StoredFiles, CompressedUnderAnotherHashAreFound) {
  keep(one_, StoredAs::compressed);
  keep(other_, StoredAs::compressed);
  stored(one_) = stored(other_);
  EXPECT_THAT(findings(), ElementsAre(HasSubstr("not that whose hash is its name")));
  EXPECT_EQ(back_up().error().code, Errc::corruption);
}

TEST_F(StoredFiles, CompressedAreBackedUpAndRestored) {
  keep(one_, StoredAs::itself);
  keep(other_, StoredAs::compressed);
  import(one_);
  import(other_);
  const auto bytes = back_up();
  ASSERT_TRUE(bytes) << bytes.error().message;
  Node target;
  ASSERT_TRUE(target.root().make_directory("into"));
  {
    const auto file = *target.root().open("backup", OpenMode::create_new);
    ASSERT_TRUE(file->write(0, *bytes));
  }
  const auto backup = *target.root().open("backup", OpenMode::read);
  const auto into = *target.root().open_directory("into");
  InlineParallel parallel;
  const auto restored = restore(*backup, *into, parallel, {});
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->uploads, 2U);
  auto data = *open_data_directory(*into);
  EXPECT_TRUE(open_upload(data, hash_of(other_)));
}

TEST_F(StoredFiles, CompressedAndDamagedEndABackup) {
  keep(one_, StoredAs::compressed);
  import(one_);
  stored(one_)[3] ^= std::byte{1};
  const auto refused = back_up();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::corruption);
  EXPECT_THAT(refused.error().message, HasSubstr("the stored file is damaged"));
}

}  // namespace
}  // namespace netml::wal::test
