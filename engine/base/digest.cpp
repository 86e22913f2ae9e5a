#include "engine/base/digest.hpp"

#include <xxhash.h>

namespace netml::engine {

Digest digest_of(DigestRole role, std::uint64_t key, std::span<const std::byte> bytes) {
  const std::uint64_t seed = key << 8 | static_cast<std::uint64_t>(role);
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return Digest{hash.low64, hash.high64};
}

namespace {
// The finalizer of splitmix64: every input bit changes half of the output bits.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}
}  // namespace

Digest digest_of_number(std::uint64_t record, std::uint64_t number) {
  const std::uint64_t low = mix(number + 0x9e3779b97f4a7c15 * (record + 1));
  return Digest{low, mix(low ^ static_cast<std::uint64_t>(DigestRole::number))};
}

}  // namespace netml::engine
