// Numbers of records from 0 on: those that it begins with ascend, later ones follow. A number is
// never given again.
//
// Owner: one check. Memory: 4 bytes for each. Thread: any as long as nothing is added or taken
// away.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/graph/record_sets.hpp"

namespace netml::engine::detail {

class RecordIndex {
 public:
  explicit RecordIndex(std::vector<RecordId> ascending)
      : records_(std::move(ascending)), ascending_(records_.size()) {}

  RecordId operator[](std::uint32_t number) const { return records_[number]; }

  std::optional<std::uint32_t> find(RecordId id) const {
    if (const auto later = later_.find(id); later != later_.end()) return later->second;
    const auto end = records_.begin() + static_cast<std::ptrdiff_t>(ascending_);
    const auto found = std::lower_bound(records_.begin(), end, id);
    if (found == end || *found != id) return std::nullopt;
    return static_cast<std::uint32_t>(found - records_.begin());
  }

  // From here on the record has another number than before, if it had one.
  void add(RecordId id) {
    later_[id] = static_cast<std::uint32_t>(records_.size());
    records_.push_back(id);
  }
  void remove(RecordId id) { later_[id] = std::nullopt; }

 private:
  std::vector<RecordId> records_;
  std::size_t ascending_;
  RecordMap<std::optional<std::uint32_t>> later_;  // none: gone
};

}  // namespace netml::engine::detail
