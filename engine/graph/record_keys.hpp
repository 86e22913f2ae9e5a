// The keys that a record has in the ordered sets of a graph (Graph::edge_keys() and the others).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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

// Tells whether two of some records, the identifiers of which have one hash, share the identifier.
// Looks at none where there is one record. `AttributesOf`: const Attributes&(RecordId), valid while
// it is asked. Thread: its owner.
template <class AttributesOf>
class SharedIdentifier {
 public:
  explicit SharedIdentifier(AttributesOf attributes_of)
      : attributes_of_(std::move(attributes_of)) {}

  void add(RecordId id) {
    if (shared_) return;
    ids_.push_back(id);
    shared_ = ids_.size() > 1 && name_of(ids_.front()) == name_of(id);
  }
  bool known() const { return shared_; }
  // Of those added since the last call.
  bool take() {
    if (!shared_ && ids_.size() > 2) {
      const auto name = [this](RecordId id) { return name_of(id); };
      std::ranges::sort(ids_, {}, name);
      shared_ = std::ranges::adjacent_find(ids_, {}, name) != ids_.end();
    }
    ids_.clear();
    return std::exchange(shared_, false);
  }

 private:
  std::pair<Kind, std::string_view> name_of(RecordId id) const {
    const Attributes& attributes = attributes_of_(id);
    return {attributes.kind(), attributes.id()};
  }

  AttributesOf attributes_of_;
  std::vector<RecordId> ids_;
  bool shared_ = false;
};

}  // namespace netml::engine
