#include "wal/storage/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace netml::wal {

namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82f63b78U : 0U);
    table[byte] = value;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kTable = make_table();

#if defined(__x86_64__)
// The instruction set is chosen for this function alone, so the program still runs without it.
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::span<const std::byte> bytes,
                                                               std::uint32_t previous) {
  std::uint64_t value = ~previous;
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    value = _mm_crc32_u64(value, word);
    bytes = bytes.subspan(sizeof word);
  }
  auto rest = static_cast<std::uint32_t>(value);
  for (const std::byte byte : bytes) rest = _mm_crc32_u8(rest, static_cast<std::uint8_t>(byte));
  return ~rest;
}

bool has_instruction() {
  static const bool available = __builtin_cpu_supports("sse4.2") != 0;
  return available;
}
#endif

}  // namespace

std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t previous) {
  std::uint32_t value = ~previous;
  for (const std::byte byte : bytes)
    value = kTable[(value ^ static_cast<std::uint8_t>(byte)) & 0xff] ^ (value >> 8);
  return ~value;
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t previous) {
#if defined(__x86_64__)
  if (has_instruction()) return by_instruction(bytes, previous);
#endif
  return crc32c_by_table(bytes, previous);
}

}  // namespace netml::wal
