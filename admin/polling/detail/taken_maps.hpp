// What is known of the maps that were imported last from peers that offer deltas, one for each
// source: in memory, a cache of the budget. Without it a delta takes the whole file to be of use.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "admin/base/cache.hpp"
#include "codecs/netml/delta/taken_export.hpp"

namespace netml::admin {

class TakenMaps {
 public:
  using TakenPtr = std::shared_ptr<const codecs::TakenExport>;

  explicit TakenMaps(MemoryBudget& memory)
      : maps_(memory, {.values_max = kSourcesMax, .bytes_max = kBytesMax},
              [](const Taken& taken) { return taken.map->bytes(); }) {}

  // Of the source's file that is kept under that hash. Null: it is not known.
  TakenPtr find(std::uint64_t source, const std::optional<Sha256>& file_hash) {
    const auto taken = maps_.find(source);
    return taken != nullptr && file_hash == taken->file_hash ? taken->map : nullptr;
  }
  // Instead of what was known of another one.
  void note(std::uint64_t source, const Sha256& file_hash, TakenPtr map) {
    maps_.store(source, std::make_shared<const Taken>(Taken{file_hash, std::move(map)}));
  }
  void forget(std::uint64_t source) { maps_.erase(source); }

 private:
  static constexpr std::size_t kSourcesMax = 64;
  static constexpr std::uint64_t kBytesMax = 256 << 20;
  struct Taken {
    Sha256 file_hash{};
    TakenPtr map;
  };

  Cache<std::uint64_t, Taken> maps_;
};

}  // namespace netml::admin
