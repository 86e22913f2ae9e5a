// Which records of a map say the same for one of the checks that compare records (themes.hpp), from
// one version of the map to the next.
//
// Cost: the logarithm of the map for each record that changed, and what has a key in common with
// these. Memory: 8 to 16 bytes for each key. Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/graph/ordered_set.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

class KeyIndex {
 public:
  using AddKeys = void (*)(const Graph&, RecordId, Keys&);  // of one record
  // Whether what is found of records rests on their keys alone; else on more of those that share
  // them.
  enum class RestsOn : std::uint8_t { keys, records };

  KeyIndex(AddKeys add_keys, RestsOn rests_on) : add_keys_(add_keys), rests_on_(rests_on) {}

  // Both ascending: of whom the check may find something else than before, and all that has a key
  // in common with one of these, themselves among them.
  struct Affected {
    std::vector<RecordId> records;
    std::vector<RecordId> compared;
  };
  // `changed`: ascending, those that differ between the version taken last, which is `before`, and
  // `after`.
  Affected take(Records changed, const Graph& before, const Graph& after);

  std::size_t memory_bytes() const { return keys_.memory_bytes(); }

 private:
  // What may have another answer for itself, and which keys for all that share them.
  struct Changes {
    std::vector<RecordId> records;
    Keys keys;
  };
  Changes update(Records changed, const Graph& before, const Graph& after);
  Keys keys_of(const Graph& graph, RecordId id) const;
  std::vector<RecordId> records_with(const Keys& keys) const;

  AddKeys add_keys_;
  RestsOn rests_on_;
  OrderedSet keys_;  // a key in the upper half, the record in the lower one
};

}  // namespace netml::engine
