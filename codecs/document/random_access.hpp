// A file that is read here and there: what formats with a directory at their end need. Declared
// here, given by whoever has the file.
//
// Thread: one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.hpp"

namespace netml::codecs {

class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;
  virtual std::uint64_t size() const = 0;
  // Fills `out` with the bytes from `offset` on; all of them lie within the size.
  virtual Status read_at(std::uint64_t offset, std::span<std::byte> out) = 0;
};

// Gives a file to `take`, piece by piece from its beginning, until that answers false.
template <class Take>
Status read_in_pieces(RandomAccessFile& file, Take&& take) {
  constexpr std::uint64_t kPieceBytes = 256 << 10;
  const std::uint64_t size = file.size();
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(kPieceBytes, size)));
  for (std::uint64_t done = 0; done < size;) {
    const auto piece =
        std::span(buffer).first(static_cast<std::size_t>(std::min(kPieceBytes, size - done)));
    NETML_TRY_VOID(file.read_at(done, piece));
    done += piece.size();
    if (!take(std::span<const std::byte>(piece))) break;
  }
  return {};
}

}  // namespace netml::codecs
