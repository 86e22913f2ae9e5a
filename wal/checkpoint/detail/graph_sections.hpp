// What writer and readers of a graph's body agree on (docs/format/checkpoint.md). Each section
// begins at a multiple of 8; a record's place in it follows from its identity.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/graph/graph.hpp"
#include "wal/format/footer_codec.hpp"

namespace netml::wal {

enum class GraphSection : std::uint8_t {
  records,         // attributes and relations of each, as engine::Attributes::store() gives them
  record_offsets,  // u64: where in `records` each leaf of them begins, and their end
  kinds,           // u8 for each identity: 0, or the kind from 1
  numbers,         // u64 for each identity
  edge_keys,       // u64, ascending, as the three that follow
  id_keys,
  crowded_ids,
  copy_keys,
  edge_firsts,  // u64: every 256th of the keys, from the first one
  id_firsts,
  crowded_firsts,
  copy_firsts,
};
inline constexpr std::size_t kGraphSections = 12;
inline constexpr std::size_t kKeySections = 4;

inline constexpr std::size_t kRecordsOfLeaf = std::tuple_size_v<engine::Graph::Records::Items>;

constexpr std::size_t leaves_of(std::size_t items, std::size_t items_of_leaf) {
  return (items + items_of_leaf - 1) / items_of_leaf;
}

// The section with the first keys of the leaves of another.
constexpr GraphSection firsts_of(GraphSection keys) {
  return static_cast<GraphSection>(static_cast<std::size_t>(keys) + kKeySections);
}

inline const engine::OrderedSet& keys_of(const engine::Graph& graph, GraphSection section) {
  switch (section) {
    case GraphSection::edge_keys:
      return graph.edge_keys();
    case GraphSection::id_keys:
      return graph.id_keys();
    case GraphSection::crowded_ids:
      return graph.crowded_ids();
    default:
      return graph.copy_keys();
  }
}

}  // namespace netml::wal
