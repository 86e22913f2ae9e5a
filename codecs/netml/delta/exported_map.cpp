#include "codecs/netml/delta/exported_map.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "codecs/netml/delta/own_elements.hpp"

namespace netml::codecs {

namespace {

using engine::ElementChange;
using engine::ExportStep;
using engine::Graph;

MapChangesPtr looked_for(const Graph& before, const Graph& after) {
  return std::make_shared<const MapChanges>(
      MapChanges{before.digest(), engine::elements_written_differently(before, after)});
}

// Where the topologies of a version are among its steps.
using StepPlaces = std::unordered_map<RecordId, std::size_t>;
StepPlaces places_of(const ExportedMap& map) {
  StepPlaces places;
  for (std::size_t i = 0; i < map.hashes.size(); ++i) places.emplace(map.tree.steps[i].topology, i);
  return places;
}

// The hashes of topologies of a version, with what an earlier one knows of them. Thread: its owner.
class Hashes {
 public:
  // Of an earlier version that nothing is known of, or that differs much, `changes` is null.
  Hashes(const ExportedMap* before, const engine::ElementChanges* changes, const StepPlaces& places,
         const Graph& now)
      : before_(before), changes_(changes), places_(places), text_(now) {}

  TopologyHashPtr of(const ExportStep& step) {
    const TopologyHashPtr known = known_of(step);
    if (known == nullptr) return written(step);
    const auto found =
        std::ranges::equal_range(changes_->elements, step.topology, {}, &ElementChange::topology);
    return found.empty() ? known : changed(step, *known, std::span(found));
  }

 private:
  // Null: it must be written.
  TopologyHashPtr known_of(const ExportStep& step) const {
    const auto found = places_.find(step.topology);
    if (changes_ == nullptr || found == places_.end() ||
        std::ranges::binary_search(changes_->topologies, step.topology))
      return nullptr;
    // The root is written with the namespaces.
    const bool was_root = before_->tree.steps[found->second].depth == 0;
    return was_root == (step.depth == 0) ? before_->hashes[found->second] : nullptr;
  }

  TopologyHashPtr written(const ExportStep& step) {
    hasher_.head(text_.begin(step.topology, step.depth == 0));
    put_elements();
    return hasher_.finish(nullptr);
  }

  TopologyHashPtr changed(const ExportStep& step, const TopologyHash& known,
                          std::span<const ElementChange> changes) {
    for (const ElementChange& change : changes)
      if (change.before) hasher_.erase(element_key(before_->graph, change.element));
    hasher_.head(text_.begin(step.topology, step.depth == 0, changes, &ElementChange::after));
    put_elements();
    return hasher_.finish(&known);
  }

  void put_elements() {
    while (const auto element = text_.next()) hasher_.put(element->key, element->text);
  }

  const ExportedMap* before_;
  const engine::ElementChanges* changes_;
  const StepPlaces& places_;
  OwnElements text_;
  TopologyHasher hasher_;
};

}  // namespace

tl::expected<ExportedMap, engine::ExportFailure> exported_map(const Graph& graph, RecordId root,
                                                              const ExportedMap* before,
                                                              Parallel& parallel) {
  ExportedMap map;
  map.graph = graph;
  NETML_TRY(map.tree, engine::export_tree(graph, root));
  StepPlaces places;
  if (before != nullptr) {
    map.changes = looked_for(before->graph, graph);
    places = places_of(*before);
  }
  const auto* const changes =
      map.changes != nullptr && map.changes->elements ? &*map.changes->elements : nullptr;
  const auto& steps = map.tree.steps;
  map.hashes.resize(steps.size());
  const auto hash_every_second = [&](std::size_t first) {
    Hashes hashes(before, changes, places, graph);
    for (std::size_t i = first; i < steps.size(); i += 2) map.hashes[i] = hashes.of(steps[i]);
  };
  parallel.run_both([&] { hash_every_second(0); }, [&] { hash_every_second(1); });
  ExportHasher whole;
  for (std::size_t i = 0; i < steps.size(); ++i) whole.add(steps[i].depth, map.hashes[i]->whole);
  map.hash = whole.finish();
  return map;
}

MapChangesPtr changes_between(const ExportedMap& from, const ExportedMap& to) {
  if (to.changes != nullptr && to.changes->before == from.graph.digest()) return to.changes;
  return looked_for(from.graph, to.graph);
}

std::uint64_t hash_bytes(const ExportedMap& map, const ExportedMap* before) {
  std::unordered_set<const TopologyHash*> shared;
  if (before != nullptr)
    for (const TopologyHashPtr& hash : before->hashes) shared.insert(hash.get());
  std::uint64_t bytes = 0;
  for (const TopologyHashPtr& hash : map.hashes)
    if (!shared.contains(hash.get())) bytes += bytes_of(*hash);
  if (map.changes != nullptr && map.changes->elements)
    bytes += map.changes->elements->elements.capacity() * sizeof(ElementChange);
  return bytes;
}

}  // namespace netml::codecs
