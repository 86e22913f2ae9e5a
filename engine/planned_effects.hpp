// What a planned transaction does to the records, in terms that stay the same while unrelated
// things happen: by kind and identifier, without numbers and identities. Two plans with equal
// effects do the same; where they differ, it is told which elements are concerned.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <vector>

#include "engine/digest.hpp"
#include "engine/graph.hpp"
#include "engine/transaction.hpp"

namespace netml::engine {

// A sum of one hash for each record that changes: of its values before and after, associations by
// identifier. `before` is the graph that it was planned on.
Digest planned_effects(const Graph& before, const Transaction& transaction);

struct ElementName {
  Kind kind = Kind::topology;
  std::string identifier;
  bool operator==(const ElementName&) const = default;
};

struct Plan {
  const Graph& before;
  const Transaction& transaction;
};
// Elements to which the plans do different things, by kind and identifier.
std::vector<ElementName> differing_effects(const Plan& a, const Plan& b);

}  // namespace netml::engine
