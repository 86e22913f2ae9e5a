// Goal: a receipt is read as it was written, and what is cut or damaged takes no other with it
// (docs/receipts.md, "The files"). Method: files in a directory of their own, damaged between two
// openings.
#include "admin/receipts/receipt_files.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/support/file_content.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBytesMax = 1 << 20;

Receipt receipt_for(const std::string& client) {
  return {.time = Instant{1704067200},
          .client = client,
          .token = 3,
          .head = "7:" + std::string(64, 'a'),
          .view = "Partner",
          .view_sha256 = std::string(64, 'b'),
          .pseudonym_key = "0123456789abcdef",
          .bytes = 1234,
          .sha256 = std::string(64, 'c'),
          .version = "1.0"};
}

class ReceiptFilesTest : public ::testing::Test {
 protected:
  ReceiptFilesTest() { fs::create_directory(data()); }

  std::string data() const { return directory_.file("data").string(); }
  fs::path folder() const { return fs::path(data()) / "receipts"; }
  fs::path file(std::uint64_t first = 1) const {
    return folder() / fmt::format("{:012}.jsonl", first);
  }
  void write(const fs::path& path, const std::string& text) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }
  void append(const std::vector<std::string>& clients, std::uint64_t bytes_max = kBytesMax) const {
    ReceiptFiles files(data(), bytes_max);
    for (const std::string& client : clients)
      ASSERT_TRUE(files.append(receipt_for(client)).has_value());
  }
  // "1 a, 3 c": those that can be read.
  std::string readable() const {
    ReceiptFiles files(data(), kBytesMax);
    auto reader = files.read();
    if (!reader) return reader.error().text();
    std::string found;
    for (std::uint64_t number = 1; number <= reader->last(); ++number)
      if (const auto receipt = reader->find(number))
        found += fmt::format("{}{} {}", found.empty() ? "" : ", ", number, receipt->client);
    return found;
  }
  std::size_t findings() const { return ReceiptFiles(data(), kBytesMax).findings().size(); }

  test::TemporaryDirectory directory_;
};

TEST_F(ReceiptFilesTest, GiveBackWhatWasWritten) {
  append({"a", "b"});
  append({"c"});
  ReceiptFiles files(data(), kBytesMax);
  auto reader = files.read();
  ASSERT_TRUE(reader.has_value());
  EXPECT_EQ(reader->last(), 3U);
  EXPECT_EQ(reader->count(), 3U);
  Receipt wanted = receipt_for("b");
  wanted.number = 2;
  EXPECT_EQ(reader->find(2), wanted);
  EXPECT_EQ(reader->find(0), std::nullopt);
  EXPECT_EQ(reader->find(4), std::nullopt);
  EXPECT_EQ(findings(), 0U);
}

TEST_F(ReceiptFilesTest, AreNotMadeBeforeThereIsAReceipt) {
  EXPECT_EQ(readable(), "");
  EXPECT_EQ(findings(), 0U);
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(ReceiptFilesTest, LoseOnlyTheLineThatWasCut) {
  append({"a", "b"});
  const std::string whole = test::file_content(file());
  const std::size_t second = whole.find('\n') + 1;
  for (std::size_t length = second + 1; length + 1 < whole.size(); length += 7) {
    write(file(), whole.substr(0, length));
    EXPECT_EQ(readable(), "1 a") << length;
    append({"c"});
    EXPECT_EQ(readable(), "1 a, 3 c") << length;
    EXPECT_EQ(findings(), 1U);
  }
}

TEST_F(ReceiptFilesTest, LoseOnlyTheLineWithAFlippedByte) {
  append({"a", "b", "c"});
  const std::string whole = test::file_content(file());
  const std::size_t second = whole.find('\n') + 1;
  const std::size_t third = whole.find('\n', second) + 1;
  for (std::size_t at = second; at + 1 < third; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write(file(), damaged);
    ASSERT_EQ(readable(), "1 a, 3 c") << at;
    ASSERT_EQ(findings(), 1U) << at;
  }
}

TEST_F(ReceiptFilesTest, GiveNoNumberTwiceBehindADamagedEnd) {
  append({"a", "b"});
  std::string damaged = test::file_content(file());
  damaged[damaged.size() - 5] ^= 1;
  write(file(), damaged);
  append({"c"});
  EXPECT_EQ(readable(), "1 a, 3 c");
}

TEST_F(ReceiptFilesTest, LetTheOldestGoBeyondWhatTheyMayTake) {
  const std::uint64_t line = receipt_line(receipt_for("a")).size();
  const std::uint64_t bytes_max = 64 * 3 * (line + 2);  // three in each of 64 files
  append(std::vector<std::string>(240, "a"), bytes_max);
  std::uint64_t bytes = 0;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder())) {
    bytes += entry.file_size();
    ++files;
  }
  EXPECT_LE(bytes, bytes_max);
  EXPECT_EQ(files, 64U);
  ReceiptFiles opened(data(), bytes_max);
  auto reader = opened.read();
  ASSERT_TRUE(reader.has_value());
  EXPECT_EQ(reader->last(), 240U);
  EXPECT_EQ(reader->count(), 192U);
  EXPECT_EQ(reader->find(48), std::nullopt);
  EXPECT_TRUE(reader->find(49).has_value());
  EXPECT_TRUE(reader->find(240).has_value());
}

TEST_F(ReceiptFilesTest, WriteOnAfterOneWentThatCouldNotBeWritten) {
  append({"a"});
  ReceiptFiles files(data(), kBytesMax);
  const fs::path aside = directory_.file("aside");
  fs::rename(folder(), aside);
  write(folder(), "no directory");
  EXPECT_FALSE(files.append(receipt_for("b")).has_value());
  fs::remove(folder());
  fs::rename(aside, folder());
  EXPECT_TRUE(files.append(receipt_for("c")).has_value());
  EXPECT_EQ(readable(), "1 a, 2 c");
}

}  // namespace
}  // namespace netml::admin
