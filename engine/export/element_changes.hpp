// Which elements of an export two versions of a graph write differently, so that what is known of
// the others, such as their hashes, holds in both.
//
// Thread: any (pure).
#pragma once

#include <optional>
#include <vector>

#include "engine/graph/graph.hpp"

namespace netml::engine {

// One element of what a topology lists (TopologyContents).
struct ElementChange {
  RecordId topology;
  RecordId element;
  bool before = false;  // whether it is listed there
  bool after = false;
};

struct ElementChanges {
  std::vector<ElementChange> elements;  // by topology, then by element; each once
  // Of which all may differ, ascending; also those that only one version has.
  std::vector<RecordId> topologies;
};

// What may be written differently; of an export nothing else is, but for what comes of the place of
// a topology in the tree. Some may be named for nothing. Nothing when so much has changed that
// looking closer would cost more than writing all of it again. Costs what the two do not share, and
// what refers to institutions of that.
std::optional<ElementChanges> elements_written_differently(const Graph& before, const Graph& after);

}  // namespace netml::engine
