// Numbers in little-endian byte order, at any address.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>

namespace netml::wal {

inline constexpr std::size_t kPieceBytes = 1 << 20;  // files are read and copied by so much

static_assert(std::endian::native == std::endian::little, "numbers on disk are copied as they are");

template <std::unsigned_integral T>
void store(std::span<std::byte> bytes, std::size_t offset, T value) {
  std::memcpy(bytes.subspan(offset, sizeof value).data(), &value, sizeof value);
}

template <std::unsigned_integral T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.subspan(offset, sizeof value).data(), sizeof value);
  return value;
}

inline bool all_zero(std::span<const std::byte> bytes) {
  return bytes.empty() || (bytes.front() == std::byte{} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace netml::wal
