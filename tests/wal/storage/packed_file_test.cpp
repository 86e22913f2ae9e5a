// Goal: what is compressed piece by piece is read as if it were not, and damage to any byte of it
// is reported (docs/format/stored-files.md).
#include "wal/storage/packed_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/sim_storage.hpp"

namespace netml::wal {
namespace {

using Bytes = std::vector<std::byte>;

class PackedFiles : public ::testing::Test {
 protected:
  std::unique_ptr<File> create() { return *root_->open("file", OpenMode::create_empty); }
  Bytes& stored() { return disk_.content("file"); }

  // Text that compresses about as a map does.
  Bytes text(std::size_t count) {
    Bytes bytes;
    while (bytes.size() < count) {
      const std::string line = "<node id=\"" + std::to_string(random_() % 5000) + "\"/>\n";
      for (const char c : line) bytes.push_back(static_cast<std::byte>(c));
    }
    bytes.resize(count);
    return bytes;
  }
  Bytes noise(std::size_t count) {
    Bytes bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return bytes;
  }

  // In pieces of these sizes; what it holds.
  Bytes write(const std::vector<std::size_t>& sizes) {
    const auto file = create();
    PackedWriter writer(*file, kCompressionLevel);
    Bytes all;
    for (const std::size_t size : sizes) {
      const Bytes piece = text(size);
      EXPECT_TRUE(writer.add(piece));
      all.insert(all.end(), piece.begin(), piece.end());
    }
    EXPECT_TRUE(writer.finish());
    return all;
  }
  Result<Bytes> read_whole() {
    NETML_TRY(const auto file, open_packed(*root_->open("file", OpenMode::read)));
    NETML_TRY(const std::uint64_t size, file->size());
    Bytes bytes(size);
    NETML_TRY_VOID(read_exactly(*file, 0, bytes));
    return bytes;
  }

  testing::SimDisk disk_;
  std::unique_ptr<Storage> root_ = disk_.root();
  std::mt19937_64 random_{20261123};
};

TEST_F(PackedFiles, HoldWhatWasWritten) {
  const std::vector<std::vector<std::size_t>> shapes{
      {1},
      {5000},
      {1 << 20},
      {1 << 20, 1 << 20, 17},
      {100, 1 << 20, 3, 70'000},
      {1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 12'345}};
  for (const auto& sizes : shapes) {
    const Bytes all = write(sizes);
    EXPECT_TRUE(read_whole().value() == all);
    if (all.size() >= 5000) {
      EXPECT_LT(stored().size(), all.size() / 2);
    }
  }
}

TEST_F(PackedFiles, OfBytesThatDoNotGetSmallerAreAlsoWhole) {
  const auto file = create();
  PackedWriter writer(*file, kCompressionLevel);
  const Bytes first = noise(1 << 20);
  EXPECT_FALSE(writer.add_if_smaller(first).value());
  Bytes all = text(10'000);
  EXPECT_TRUE(writer.add_if_smaller(all).value());
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(writer.add(first));
    all.insert(all.end(), first.begin(), first.end());
  }
  ASSERT_TRUE(writer.finish());
  EXPECT_TRUE(read_whole().value() == all);
}

TEST_F(PackedFiles, AreReadHereAndThere) {
  const Bytes all = write({1 << 20, 400'000, 1, 1 << 20, 999});
  const auto file = open_packed(*root_->open("file", OpenMode::read)).value();
  ASSERT_EQ(file->size().value(), all.size());
  for (int i = 0; i < 300; ++i) {
    const std::size_t offset = random_() % (all.size() + 10);
    Bytes part(random_() % (i % 10 == 0 ? 2 << 20 : 5000));
    const std::size_t there = std::min(part.size(), all.size() - std::min(offset, all.size()));
    ASSERT_EQ(file->read(offset, part).value(), there) << offset;
    ASSERT_TRUE(std::equal(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(there),
                           all.begin() + static_cast<std::ptrdiff_t>(std::min(offset, all.size()))))
        << offset;
  }
  EXPECT_EQ(file->write(0, all).error().code, Errc::denied);
  EXPECT_EQ(file->truncate(0).error().code, Errc::denied);
}

TEST_F(PackedFiles, AreReadWhileTheyGrow) {
  const auto file = create();
  PackedWriter writer(*file, kCompressionLevel);
  Bytes all;
  for (const std::size_t size : {100UL, 1UL << 20, 70'000UL, 1UL << 20, 5UL}) {
    const Bytes piece = text(size);
    ASSERT_TRUE(writer.add(piece));
    all.insert(all.end(), piece.begin(), piece.end());
    Bytes so_far(all.size() + 1);
    ASSERT_EQ(writer.read(0, so_far).value(), all.size());
    so_far.pop_back();
    EXPECT_TRUE(so_far == all);
  }
  ASSERT_TRUE(writer.finish());
  Bytes end(5);
  ASSERT_EQ(writer.read(all.size() - 5, end).value(), 5U);
  EXPECT_TRUE(read_whole().value() == all);
}

// Two digits a byte in the block marked ```hex; what is behind '|' explains.
Bytes example_of_page() {
  std::ifstream page(fmt::format("{}/docs/format/stored-files.md", NETML_SOURCE_DIR));
  Bytes bytes;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = line == "```hex";
      continue;
    }
    std::istringstream digits(inside ? line.substr(0, line.find('|')) : std::string());
    for (std::string pair; digits >> pair;)
      bytes.push_back(static_cast<std::byte>(std::stoul(pair, nullptr, 16)));
  }
  return bytes;
}

TEST_F(PackedFiles, HoldWhatTheExampleInThePageHolds) {
  create();
  stored() = example_of_page();
  const auto read = read_whole();
  ASSERT_TRUE(read) << read.error().message;
  std::string text;
  for (int i = 0; i < 8; ++i) text += "<map/>\n";
  text += "<end/>\n";
  EXPECT_TRUE(std::ranges::equal(*read, std::as_bytes(std::span(text))));
}

// Also when it would unpack to the same.
TEST_F(PackedFiles, AreDamagedWhenAnyByteIsChanged) {
  const Bytes all = write({3000, 900});
  const Bytes whole = stored();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const int flip : {0x01, 0x10, 0x80, 0xff}) {
      stored()[at] ^= static_cast<std::byte>(flip);
      const auto read = read_whole();
      ASSERT_FALSE(read) << at;
      ASSERT_EQ(read.error().code, Errc::corruption) << at;
      ASSERT_NE(read.error().message.find("file"), std::string::npos);
      stored()[at] = whole[at];
    }
}

TEST_F(PackedFiles, AreDamagedWhenTheyAreCutOrLonger) {
  write({3000, 900});
  const Bytes whole = stored();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    stored().resize(size);
    ASSERT_EQ(read_whole().error().code, Errc::corruption) << size;
    stored() = whole;
  }
  stored().push_back(std::byte{});
  EXPECT_EQ(read_whole().error().code, Errc::corruption);
}

// Many pieces, as it says, would need much memory; there is no room for so many entries.
TEST_F(PackedFiles, ThatClaimMoreThanTheyHoldAreRefused) {
  write({3000});
  const Bytes whole = stored();
  for (const std::size_t from_end : {13U, 14U, 15U, 16U}) {
    stored()[whole.size() - from_end] = std::byte{0xff};
    EXPECT_EQ(read_whole().error().code, Errc::corruption) << from_end;
    stored() = whole;
  }
}

}  // namespace
}  // namespace netml::wal
