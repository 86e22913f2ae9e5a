// Goal: a compressed payload unpacks to what it was, and one that was made up takes no more memory
// than a payload may have (docs/format/journal.md).
#include "wal/format/packed_payload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "wal/format/format.hpp"
#include "wal/storage/bytes.hpp"

namespace netml::wal {
namespace {

FrameHeader effects(std::uint8_t flags = format::kCompressed) {
  FrameHeader header;
  header.kind = static_cast<std::uint8_t>(format::FrameKind::effects);
  header.flags = flags;
  header.version = format::kVersion4;
  return header;
}

class PackedPayload : public ::testing::Test {
 protected:
  // Half of it zeros, as messages have them.
  OwnedPayload payload(std::size_t words) {
    OwnedPayload made(words);
    for (std::size_t i = 0; i < words; i += 2) made[i] = random_() % 1000;
    return made;
  }
  // In memory of its own.
  OwnedPayload compressed(const OwnedPayload& content) {
    const auto made = packer_.pack(bytes_of(content)).value();
    EXPECT_TRUE(made.has_value());
    EXPECT_EQ(made->size() % format::kPayloadAlignment, 0U);
    OwnedPayload own(made->size() / sizeof(std::uint64_t));
    std::ranges::copy(*made, std::as_writable_bytes(std::span(own)).begin());
    return own;
  }
  static std::span<std::byte> writable(OwnedPayload& payload) {
    return std::as_writable_bytes(std::span(payload));
  }
  void expect_refused(const OwnedPayload& payload, const FrameHeader& header = effects()) {
    const auto content = unpacker_.content(header, bytes_of(payload));
    ASSERT_FALSE(content);
    EXPECT_EQ(content.error().code, Errc::corruption);
  }

  std::mt19937_64 random_{20261123};
  PayloadPacker packer_{kCompressionLevel};
  PayloadUnpacker unpacker_;
};

TEST_F(PackedPayload, UnpacksToWhatItWas) {
  for (const std::size_t words : {50UL, 4096UL, 32UL << 10, format::kPayloadBytesMax / 8}) {
    const OwnedPayload content = payload(words);
    const OwnedPayload small = compressed(content);
    EXPECT_LE(small.size() * 5, content.size() * 4);
    EXPECT_EQ(content_bytes(effects(), bytes_of(small)), words * 8);
    const auto again = unpacker_.content(effects(), bytes_of(small));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(std::ranges::equal(*again, bytes_of(content)));
    EXPECT_TRUE(unpacker_.unpack(effects(), bytes_of(small)).value() == content);
  }
}

TEST_F(PackedPayload, IsNotMadeWhereItWouldHardlyBeSmaller) {
  OwnedPayload noise(5000);
  for (std::uint64_t& word : noise) word = random_();
  EXPECT_FALSE(packer_.pack(bytes_of(noise)).value().has_value());
  EXPECT_FALSE(packer_.pack(bytes_of(OwnedPayload(1))).value().has_value());
  EXPECT_FALSE(packer_.pack({}).value().has_value());
}

TEST_F(PackedPayload, OfAFrameThatIsNotCompressedIsItself) {
  const OwnedPayload content = payload(50);
  EXPECT_EQ(unpacker_.content(effects(0), bytes_of(content)).value().data(),
            bytes_of(content).data());
  EXPECT_EQ(content_bytes(effects(0), bytes_of(content)), 400U);
}

TEST_F(PackedPayload, IsRefusedWhereNoneCanBe) {
  const OwnedPayload small = compressed(payload(500));
  FrameHeader older = effects();
  older.version = format::kVersion3;
  expect_refused(small, older);
  FrameHeader commit = effects();
  commit.kind = static_cast<std::uint8_t>(format::FrameKind::commit);
  expect_refused(small, commit);
}

TEST_F(PackedPayload, ThatClaimsAnotherSizeIsRefused) {
  const OwnedPayload good = compressed(payload(500));
  const auto limit = static_cast<std::uint32_t>(format::kPayloadBytesMax);
  for (const std::uint32_t bytes : {0U, 8U, 3999U, 4008U, limit, limit + 8, ~7U, ~0U}) {
    OwnedPayload other = good;
    store(writable(other), 0, bytes);
    expect_refused(other);
    EXPECT_LE(content_bytes(effects(), bytes_of(other)), format::kPayloadBytesMax);
  }
  for (const std::uint32_t bytes : {0U, 1U, 8U, limit, ~0U}) {
    OwnedPayload other = good;
    store(writable(other), 4, bytes);
    expect_refused(other);
  }
  expect_refused(OwnedPayload());
  expect_refused(OwnedPayload(1));
  OwnedPayload longer = good;
  longer.push_back(0);
  expect_refused(longer);
}

TEST_F(PackedPayload, WithAnyByteChangedIsNeverLongerThanItSays) {
  const OwnedPayload good = compressed(payload(200));
  for (std::size_t at = 0; at < good.size() * 8; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      OwnedPayload other = good;
      writable(other)[at] ^= std::byte{1} << bit;
      const auto content = unpacker_.content(effects(), bytes_of(other));
      // What holds other bytes is found by the checksum of its frame.
      if (content) {
        ASSERT_EQ(content->size(), 1600U);
      } else {
        ASSERT_EQ(content.error().code, Errc::corruption);
      }
    }
}

}  // namespace
}  // namespace netml::wal
