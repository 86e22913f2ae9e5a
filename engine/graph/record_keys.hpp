// The keys that a record has in the ordered sets of a graph (Graph::edge_keys() and the others).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/graph/graph.hpp"

namespace netml::engine {

inline std::uint64_t id_key(RecordId id, const Record& record) {
  return std::uint64_t{id_hash(record.kind(), record.id())} << 32 | id.value;
}

// What a record leads to, by the type of association. A topology without parent is listed as
// leading to "none".
inline std::span<const RecordId> topologies_of(const Record& record) {
  static constexpr std::array<RecordId, 1> kNone{};
  if (!record) return {};
  const std::span<const RecordId> topologies = record.relations->topologies();
  return record.kind() == Kind::topology && topologies.empty() ? kNone : topologies;
}
inline std::span<const RecordId> owners_of(const Record& record) {
  return record ? record.relations->owners() : std::span<const RecordId>();
}
inline std::span<const RecordId> ends_of(const Record& record) {
  return record ? record.relations->ends() : std::span<const RecordId>();
}

}  // namespace netml::engine
