// A file that is read here and there: what formats with a directory at their end need. Declared
// here, given by whoever has the file.
//
// Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/result.hpp"

namespace netml::codecs {

class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;
  virtual std::uint64_t size() const = 0;
  // Fills `out` with the bytes from `offset` on; all of them lie within the size.
  virtual Status read_at(std::uint64_t offset, std::span<std::byte> out) = 0;
};

}  // namespace netml::codecs
