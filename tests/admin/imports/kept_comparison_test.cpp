// A file that arrives beside one that is kept: it is the same when all of it is, and never else.
#include "admin/imports/detail/kept_comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "tests/support/temporary_directory.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {
namespace {

constexpr std::size_t kBlock = 1 << 20;  // as it is read

std::string bytes_of(std::size_t size) {
  std::mt19937_64 random(size);
  std::string bytes(size, '\0');
  std::ranges::generate(bytes, [&] { return static_cast<char>(random() & 0xff); });
  return bytes;
}

class Kept : public ::testing::Test {
 protected:
  static SpooledFile accepted(const std::string& bytes) {
    return {{}, Sha256Hasher().hash(std::as_bytes(std::span(bytes))), bytes.size()};
  }
  Result<std::unique_ptr<KeptComparison>> try_begin(const std::string& kept,
                                                    const SpooledFile& accepted) {
    std::ofstream(directory_.file("kept"), std::ios::binary | std::ios::trunc) << kept;
    const auto storage = wal::PosixStorage::open_path(directory_.path().string());
    EXPECT_TRUE(storage.has_value());
    auto file = (*storage)->open("kept", wal::OpenMode::read);
    EXPECT_TRUE(file.has_value());
    return KeptComparison::begin(std::move(*file), accepted, memory_);
  }
  std::unique_ptr<KeptComparison> begin(const std::string& kept) {
    auto begun = try_begin(kept, accepted(kept));
    EXPECT_TRUE(begun.has_value());
    return begun ? std::move(*begun) : nullptr;
  }
  // In pieces of that size, until one is not taken.
  static bool take(KeptComparison& comparison, std::string_view bytes, std::size_t piece) {
    while (!bytes.empty()) {
      if (!comparison.take(bytes.substr(0, piece))) return false;
      bytes.remove_prefix(std::min(piece, bytes.size()));
    }
    return true;
  }
  static std::string read(wal::File& file) {
    std::string bytes(file.size().value(), '\0');
    EXPECT_EQ(file.read(0, std::as_writable_bytes(std::span(bytes))).value(), bytes.size());
    return bytes;
  }

  test::TemporaryDirectory directory_;
  MemoryBudget memory_;
};

TEST_F(Kept, IsTheSameInPiecesOfAnySize) {
  const std::string file = bytes_of(6 * kBlock + 12'345);
  for (const std::size_t piece :
       {std::size_t{4'097}, kBlock - 1, kBlock, 3 * kBlock + 1, file.size()}) {
    const auto comparison = begin(file);
    EXPECT_TRUE(take(*comparison, file, piece)) << piece;
    EXPECT_TRUE(comparison->is_whole()) << piece;
    EXPECT_EQ(comparison->taken(), file.size());
    EXPECT_EQ(read(*comparison->release()), file);
  }
}

TEST_F(Kept, IsTheSameAtAnyLength) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{4'096}, kBlock - 1, kBlock, kBlock + 1,
                                 4 * kBlock, 5 * kBlock}) {
    const std::string file = bytes_of(size);
    const auto comparison = begin(file);
    EXPECT_TRUE(take(*comparison, file, 100'000)) << size;
    EXPECT_TRUE(comparison->is_whole()) << size;
  }
}

TEST_F(Kept, IsAnotherFromTheFirstByteThatDiffers) {
  const std::string file = bytes_of(5 * kBlock + 10);
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{1}, kBlock - 1, kBlock, 4 * kBlock + 5, file.size() - 1}) {
    std::string other = file;
    other[at] = static_cast<char>(other[at] ^ 1);
    const auto comparison = begin(file);
    EXPECT_FALSE(take(*comparison, other, 1'000)) << at;
    EXPECT_EQ(comparison->taken(), at / 1'000 * 1'000) << "the pieces before the one that differs";
    EXPECT_FALSE(comparison->take(file.substr(0, 1))) << "nothing is taken after it";
    EXPECT_FALSE(comparison->is_whole());
    EXPECT_EQ(read(*comparison->release()), file);
  }
}

TEST_F(Kept, IsAnotherWhenMoreOrLessComes) {
  const std::string file = bytes_of(2 * kBlock);
  const auto shorter = begin(file);
  EXPECT_TRUE(take(*shorter, file.substr(0, file.size() - 1), 5'000));
  EXPECT_FALSE(shorter->is_whole());
  const auto longer = begin(file);
  EXPECT_TRUE(take(*longer, file, 5'000));
  EXPECT_FALSE(longer->take("x"));
  EXPECT_FALSE(longer->is_whole());
}

// Somebody else has written to it, and sends the same.
TEST_F(Kept, IsAnotherWhenItIsNotWhatWasAccepted) {
  const std::string file = bytes_of(3 * kBlock);
  std::string changed = file;
  changed[7] = static_cast<char>(changed[7] ^ 1);
  auto begun = try_begin(changed, accepted(file));
  ASSERT_TRUE(begun.has_value());
  EXPECT_TRUE(take(**begun, changed, kBlock));
  EXPECT_FALSE((*begun)->is_whole());
  EXPECT_FALSE(try_begin(file + "x", accepted(file)).has_value()) << "of another length";
  EXPECT_FALSE(try_begin({}, accepted({})).has_value()) << "of none";
}

TEST_F(Kept, IsAnotherWhenItCannotBeReadToItsEnd) {
  const std::string file = bytes_of(12 * kBlock);
  const auto comparison = begin(file);
  std::filesystem::resize_file(directory_.file("kept"), kBlock / 2);
  EXPECT_FALSE(take(*comparison, file, kBlock));
  EXPECT_FALSE(comparison->is_whole());
}

TEST_F(Kept, MayBeGivenUpAtAnyTime) {
  const std::string file = bytes_of(9 * kBlock);
  for (const std::size_t part : {std::size_t{0}, std::size_t{5}, kBlock, 6 * kBlock + 3}) {
    const auto comparison = begin(file);
    EXPECT_TRUE(take(*comparison, file.substr(0, part), kBlock));
  }
  EXPECT_EQ(memory_.report().used, 0U);
}

}  // namespace
}  // namespace netml::admin
