// Numbers by chance.
#pragma once

#include <cstdint>
#include <span>

#include "engine/base/random.hpp"

namespace netml::admin {

// One of 0 to `choices` - 1, of at most 2^32 - 1 choices; 0 when there are none. The shift keeps
// what bias there is below choices / 2^32.
inline std::uint64_t random_below(Random& random, std::uint64_t choices) {
  std::uint32_t drawn = 0;
  random.fill(std::as_writable_bytes(std::span(&drawn, 1)));
  return (std::uint64_t{drawn} * choices) >> 32U;
}

}  // namespace netml::admin
