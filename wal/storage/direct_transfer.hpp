// Large transfers between memory and a file, past the page cache where the file system can: a
// journal or a stored file is written once and hardly ever read, so copying it into pages costs
// processor time and takes the pages from data that are read again.
//
// Thread: its owner, which alone uses the descriptor.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "wal/storage/aligned_memory.hpp"

namespace netml::wal {

// The part of a transfer that may be direct: none when it is too small to be worth it.
struct DirectPart {
  std::size_t begin = 0;  // bytes before it
  std::size_t size = 0;
  static DirectPart of(std::uint64_t offset, std::size_t bytes);
};

class DirectTransfer {
 public:
  // Like pread and pwrite of `bytes` at `offset`, both aligned. Fewer bytes than asked for,
  // possibly none, where the file system cannot or the file ends; the caller does the rest as
  // usual.
  ssize_t read(int descriptor, std::uint64_t offset, std::span<std::byte> bytes);
  ssize_t write(int descriptor, std::uint64_t offset, std::span<const std::byte> bytes);

 private:
  template <class Byte, class Transfer>
  ssize_t run(int descriptor, std::span<Byte> bytes, Transfer&& transfer);
  std::span<std::byte> buffer(std::size_t size);

  bool possible_ = true;
  AlignedMemory buffer_;  // for memory that is not aligned
};

}  // namespace netml::wal
