// The whole state of a node at one LSN, immutable. Readers hold a StatePtr for as long as they
// need one consistent version.
#pragma once

#include <memory>

#include "engine/base/digest.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine {

struct State {
  Lsn lsn;                  // of the last transaction applied; 0 for the empty state
  WallTime effective_time;  // of that transaction
  Graph graph;
  Catalog catalog;
  Digest catalog_digest;

  // The digest of all of it, except lsn and effective_time.
  Digest digest() const {
    Digest sum = graph.digest();
    return sum += catalog_digest;
  }
};

using StatePtr = std::shared_ptr<const State>;

}  // namespace netml::engine
