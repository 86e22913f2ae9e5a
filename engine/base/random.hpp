// The random source port: production uses the system's generator, tests a seeded one.
#pragma once

#include <cstddef>
#include <span>

namespace netml {

// Thread: any.
class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<std::byte> bytes) = 0;
};

}  // namespace netml
