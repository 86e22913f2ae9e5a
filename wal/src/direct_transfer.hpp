// Large transfers between memory and a file, past the page cache where the file system can: a
// journal or a kept file is written once and hardly ever read, so copying it into pages costs
// processor time and takes the pages from data that are read again.
//
// Thread: its owner, which alone uses the descriptor.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace netml::wal {

// Offsets, lengths and addresses of direct transfers are multiples of this; no device in use asks
// for more.
inline constexpr std::size_t kDirectAlignment = 4096;

// The part of a transfer that may be direct: none when it is too small to be worth it.
struct DirectPart {
  std::size_t begin = 0;  // bytes before it
  std::size_t size = 0;
  static DirectPart of(std::uint64_t offset, std::size_t bytes);
};

class DirectTransfer {
 public:
  // Like pwrite of `bytes` at `offset`, both aligned. Fewer bytes than asked for, possibly none,
  // where the file system cannot; the caller writes the rest as usual.
  ssize_t write(int descriptor, std::uint64_t offset, std::span<const std::byte> bytes);

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::byte* buffer();

  bool possible_ = true;
  std::unique_ptr<std::byte, Free> buffer_;
};

}  // namespace netml::wal
