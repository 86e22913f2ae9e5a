// What a connection keeps of what it has received.
#include "net/connection/receive_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace netml::net {
namespace {

constexpr std::size_t kHeadMax = 32 << 10;
constexpr std::size_t kPieceMax = 512 << 10;

// Receives so many bytes; returns the room there was for them.
std::size_t receive(ReceiveBuffer& buffer, std::uint64_t left, std::size_t count) {
  const std::span<char> room = buffer.prepare_body(left, kPieceMax);
  EXPECT_FALSE(room.empty());
  const std::size_t taken = std::min(count, room.size());
  std::ranges::fill(room.first(taken), 'x');
  buffer.commit(taken);
  buffer.consume(taken);
  return room.size();
}

TEST(ReceiveBuffer, GrowsWithABodyThatFillsItAndWithNoOther) {
  ReceiveBuffer slow(kHeadMax);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(receive(slow, 1 << 30, 1'000), kHeadMax);
  ReceiveBuffer fast(kHeadMax);
  std::size_t room = 0;
  for (int i = 0; i < 5; ++i) room = receive(fast, 1 << 30, kPieceMax);
  EXPECT_EQ(room, kPieceMax);
  EXPECT_EQ(receive(fast, 1 << 30, kPieceMax), kPieceMax) << "and no further";
  fast.shrink();
  EXPECT_EQ(receive(fast, 1 << 30, 1), kHeadMax);
}

TEST(ReceiveBuffer, KeepsWhatWasReceivedWhileItGrows) {
  ReceiveBuffer buffer(kHeadMax);
  std::string received;
  for (int i = 0; i < 20'000; ++i) {
    const char next = static_cast<char>('a' + i % 26);
    buffer.prepare().front() = next;
    buffer.commit(1);
    received += next;
    if (i % 3 == 2) {
      buffer.consume(1);
      received.erase(0, 1);
    }
    ASSERT_EQ(buffer.view(), received);
  }
}

}  // namespace
}  // namespace netml::net
