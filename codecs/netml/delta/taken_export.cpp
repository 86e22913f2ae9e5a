// The topologies that there are after a delta are those before and those of the delta, less those
// that it deletes. Their order follows from their identifiers, as in every export, so a delta names
// parents and no places.
#include "codecs/netml/delta/taken_export.hpp"

#include <utility>

#include "codecs/netml/delta/exported_text.hpp"

namespace netml::codecs {

namespace {

Result<TopologyHashPtr> hash_of(std::string_view own, TopologyHasher& hasher) {
  ExportedText text(own);
  NETML_TRY(const ExportedText::Head head, text.take_head());
  hasher.head(head.text);
  while (true) {
    NETML_TRY(const auto element, text.take_element());
    if (!element) return hasher.finish(nullptr);
    hasher.put(element->key, element->text);
  }
}

}  // namespace

Result<TakenExport> TakenExport::of(std::string_view document) {
  NETML_TRY(const std::vector<ExportedTopology> split, split_export(document));
  return of(split);
}

Result<TakenExport> TakenExport::of(std::span<const ExportedTopology> split) {
  Topologies topologies;
  TopologyHasher hasher;
  for (const ExportedTopology& each : split) {
    NETML_TRY(TopologyHashPtr hash, hash_of(each.own, hasher));
    topologies[each.id] = {each.parent ? std::optional(split[*each.parent].id) : std::nullopt,
                           std::move(hash)};
  }
  TakenExport taken(std::move(topologies));
  NETML_TRY_VOID(taken.complete());
  return taken;
}

Result<TakenExport> TakenExport::after(const Delta& delta, std::string_view from,
                                       TopologyHasher::Counts& counts) const {
  if (delta.label.from != from) return fail(Errc::conflict, "the delta leads from another state");
  if (delta.label.before != hash_) return fail(Errc::conflict, "the delta leads from another map");
  Topologies topologies = topologies_;
  TopologyHasher hasher;
  for (const TopologyDelta& changed : delta.topologies) {
    Topology& topology = topologies[changed.id];
    hasher.head(changed.head);
    for (const ElementText& element : changed.elements) hasher.put(element.key, element.text);
    for (const ElementKey& key : changed.deleted) hasher.erase(key);
    topology = {changed.parent, hasher.finish(topology.hash.get(), &counts)};
  }
  for (const std::string& id : delta.deleted) topologies.erase(id);
  TakenExport next(std::move(topologies));
  NETML_TRY_VOID(next.complete());
  if (next.hash_ != delta.label.after)
    return fail(Errc::conflict, "the delta does not lead where it says");
  return next;
}

Status TakenExport::complete() {
  // By identifier below each parent, as the map of all is.
  std::map<std::string_view, std::vector<std::string_view>> children;
  std::vector<std::string_view> roots;
  for (const auto& [id, topology] : topologies_)
    (topology.parent ? children[*topology.parent] : roots).push_back(id);
  if (roots.size() != 1) return fail(Errc::conflict, "the delta does not leave one root");
  std::vector<Place> open{{0, roots.front()}};
  ExportHasher whole;
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    places_.push_back(place);
    whole.add(place.depth, topologies_.find(place.id)->second.hash->whole);
    const auto below = children.find(place.id);
    if (below == children.end()) continue;
    for (auto child = below->second.rbegin(); child != below->second.rend(); ++child)
      open.push_back({place.depth + 1, *child});
  }
  if (places_.size() != topologies_.size())
    return fail(Errc::conflict, "the delta leaves topologies without a place");
  hash_ = whole.finish();
  return {};
}

bool TakenExport::lists(std::string_view topology, const ElementKey& key) const {
  const auto found = topologies_.find(topology);
  return found != topologies_.end() && codecs::lists(*found->second.hash, key);
}

std::uint64_t TakenExport::bytes() const {
  std::uint64_t bytes = sizeof *this + places_.capacity() * sizeof(Place);
  for (const auto& [id, topology] : topologies_)
    bytes += sizeof(Topology) + 2 * id.capacity() + bytes_of(*topology.hash);
  return bytes;
}

}  // namespace netml::codecs
