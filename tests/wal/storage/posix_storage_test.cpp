// Goal: what is written to a real file is what is read, whatever way past or through the page
// cache the pieces take.
#include "wal/storage/posix_storage.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <random>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/base/sha256.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::wal {
namespace {

using Bytes = std::vector<std::byte>;

class PosixFile : public ::testing::Test {
 protected:
  std::unique_ptr<File> open(OpenMode mode) {
    auto storage = PosixStorage::open_path(directory_.path().string());
    EXPECT_TRUE(storage);
    auto file = (*storage)->open("file", mode);
    EXPECT_TRUE(file);
    return *std::move(file);
  }

  Bytes random_bytes(std::size_t count) {
    Bytes bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return bytes;
  }

  static Bytes content(File& file) {
    Bytes bytes(*file.size());
    EXPECT_TRUE(read_exactly(file, 0, bytes));
    return bytes;
  }

  std::mt19937_64 random_{20260412};
  netml::test::TemporaryDirectory directory_;
};

TEST_F(PosixFile, IsFilledWithZerosToTheLastByte) {
  for (const std::size_t bytes : {0UL, 1UL, 5'000UL, (2UL << 20) + 7}) {
    const auto file = open(OpenMode::create_empty);
    EXPECT_TRUE(fill_with_zeros(*file, bytes));
    EXPECT_EQ(content(*file), Bytes(bytes));
  }
}

TEST_F(PosixFile, ReservesRoomThatReadsAsZeros_E3) {
  const auto file = open(OpenMode::create_empty);
  const Bytes begin = random_bytes(100);
  EXPECT_TRUE(file->write(0, begin));
  EXPECT_TRUE(file->reserve(1 << 20));
  Bytes expected(1 << 20);
  std::ranges::copy(begin, expected.begin());
  EXPECT_EQ(content(*file), expected);
  struct stat status{};
  ASSERT_EQ(::stat(file->path().c_str(), &status), 0);
  EXPECT_GE(status.st_blocks * 512, 1 << 20);
}

TEST_F(PosixFile, IsHashedTheSameByOneThreadAndByTwo) {
  HelperThreads threads;
  for (const std::size_t size : {0UL, 1UL, 4UL << 20, (9UL << 20) + 5}) {
    const auto file = open(OpenMode::create_empty);
    const Bytes bytes = random_bytes(size);
    ASSERT_TRUE(file->write(0, bytes));
    Sha256Hasher expected;
    expected.add(bytes);
    const Sha256 hash = expected.finish();
    const auto by_one = hash_file(*file, size);
    const auto by_two = hash_file(*file, size, threads);
    ASSERT_TRUE(by_one && by_two);
    EXPECT_EQ(*by_one, hash);
    EXPECT_EQ(*by_two, hash);
    EXPECT_FALSE(hash_file(*file, size + 1, threads));
  }
}

TEST_F(PosixFile, KeepsPiecesOfAnySizeAtAnyPlace) {
  const auto file = open(OpenMode::create_new);
  Bytes expected;
  for (int round = 0; round < 60; ++round) {
    // Now and then at a page's edge, as appended pieces of whole pages are.
    const std::size_t size = round % 3 == 0 ? (1 + random_() % 4) << 18 : random_() % (3 << 18);
    std::size_t offset = random_() % (8 << 20);
    if (round % 2 == 0) offset = offset / 4096 * 4096;
    const Bytes bytes = random_bytes(size);
    ASSERT_TRUE(file->write(offset, bytes));
    expected.resize(std::max(expected.size(), offset + size));
    std::ranges::copy(bytes, expected.begin() + static_cast<std::ptrdiff_t>(offset));
    if (round % 7 == 0) {
      ASSERT_TRUE(file->sync_data());
    }
  }
  EXPECT_EQ(content(*file), expected);
  ASSERT_TRUE(file->sync());
  EXPECT_EQ(content(*open(OpenMode::read)), expected);
}

TEST_F(PosixFile, AppendsLargePiecesThatDoNotEndWithAPage) {
  const auto file = open(OpenMode::create_new);
  Bytes expected;
  for (int round = 0; round < 12; ++round) {
    const Bytes bytes = random_bytes((1 << 20) + 7 * static_cast<std::size_t>(round));
    ASSERT_TRUE(file->write(expected.size(), bytes));
    expected.insert(expected.end(), bytes.begin(), bytes.end());
  }
  EXPECT_EQ(content(*file), expected);
}

TEST_F(PosixFile, SaysWhyALargeWriteFails) {
  open(OpenMode::create_new);
  const auto file = open(OpenMode::read);
  const Status written = file->write(0, random_bytes(1 << 20));
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("write"), std::string::npos) << written.error().message;
}

}  // namespace
}  // namespace netml::wal
