// A version of a map as it is exported, with its hash (export_hashes.hpp).
//
// Thread: any (immutable once it is made).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codecs/netml/delta/export_hashes.hpp"
#include "engine/base/parallel.hpp"
#include "engine/export/element_changes.hpp"
#include "engine/export/export_order.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

// What two versions may write differently; nothing when that is much.
struct MapChanges {
  engine::Digest before;  // of the graph of the earlier one
  std::optional<engine::ElementChanges> elements;
};
using MapChangesPtr = std::shared_ptr<const MapChanges>;

struct ExportedMap {
  engine::Graph graph;
  engine::ExportTree tree;
  std::vector<TopologyHashPtr> hashes;  // of each of its steps
  Sha256 hash{};
  MapChangesPtr changes;  // since the version that it was made from; null: from none
};

// `before`: an earlier version, of which is taken what is written alike; null: all is written. Two
// topologies are written at a time.
tl::expected<ExportedMap, engine::ExportFailure> exported_map(const engine::Graph& graph,
                                                              RecordId root,
                                                              const ExportedMap* before,
                                                              Parallel& parallel);

// From one version to the other: as they are known, or looked for.
MapChangesPtr changes_between(const ExportedMap& from, const ExportedMap& to);

// About what its hashes take that it does not share with `before`.
std::uint64_t hash_bytes(const ExportedMap& map, const ExportedMap* before);

}  // namespace netml::codecs
