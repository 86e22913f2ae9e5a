// Two identifiers of nodes that have one hash in the index by identifier: such meet by chance where
// there are some ten thousands of records.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>

#include "engine/graph/graph.hpp"

namespace netml::test {

inline std::pair<std::string, std::string> identifiers_of_one_hash() {
  std::unordered_map<std::uint32_t, std::string> known;
  for (std::uint64_t i = 0;; ++i) {
    std::string id = "urn:node:" + std::to_string(i);
    const auto [other, fresh] = known.emplace(engine::id_hash(Kind::node, id), id);
    if (!fresh) return {other->second, id};
  }
}

}  // namespace netml::test
