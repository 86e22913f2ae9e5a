// What a planned transaction does to the records, in terms that stay the same while unrelated
// things happen: by kind and identifier, without numbers and identities; of an update the fields
// that change, and the memberships, owners and ends that come and go, not those that stay. Two
// plans with equal effects do the same; where they differ, it is shown which elements are
// concerned.
//
// The global institution is in no effect: it is defined, belongs to every topology that names it,
// and says nothing of a plan.
//
// Thread: any (pure functions).
#pragma once

#include <vector>

#include "engine/base/digest.hpp"
#include "engine/graph/graph.hpp"
#include "engine/transaction/element_name.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// A sum of one hash for each record that changes. `before` is the graph that it was planned on.
Digest planned_effects(const Graph& before, const Transaction& transaction);

struct Plan {
  const Graph& before;
  const Transaction& transaction;
};
// Elements to which the plans do different things, by kind and identifier.
std::vector<ElementName> differing_effects(const Plan& a, const Plan& b);

}  // namespace netml::engine
