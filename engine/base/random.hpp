// The random source port: production uses the system's generator, tests a seeded one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace netml {

// Thread: any.
class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<std::byte> bytes) = 0;
};

// One of 0 to `choices` - 1, of at most 2^32 - 1 choices; 0 when there are none. The shift keeps
// what bias there is below choices / 2^32.
inline std::uint64_t random_below(Random& random, std::uint64_t choices) {
  std::uint32_t drawn = 0;
  random.fill(std::as_writable_bytes(std::span(&drawn, 1)));
  return (std::uint64_t{drawn} * choices) >> 32U;
}

}  // namespace netml
