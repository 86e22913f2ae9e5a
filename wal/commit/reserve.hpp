// The reserve for a full disk (E3): a file of zeros, given up when a write
// finds no room, so that what must still be written can be. Thread: its owner.
#pragma once

#include <cstdint>
#include <string>

#include "wal/storage/storage.hpp"

namespace netml::wal {

class Reserve {
 public:
  // Of `bytes`, 0 for none; `free_bytes_min` is left to others. `root` must outlive it.
  Reserve(Storage& root, std::uint64_t bytes, std::uint64_t free_bytes_min)
      : root_(root), bytes_(bytes), free_bytes_min_(free_bytes_min) {}

  // For the reserve, too.
  Result<bool> has_room() const;
  // Nothing when it is there, or there is no room for it. Written and synced, so also a probe.
  Status make();
  void give_up();

 private:
  Result<bool> is_whole() const;
  Status fill(const std::string& name);

  Storage& root_;
  const std::uint64_t bytes_;
  const std::uint64_t free_bytes_min_;
};

}  // namespace netml::wal
