#include "codecs/netml/delta/apply_delta.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace netml::codecs {

namespace {

// The own text of a topology after the delta. `old`: before it; empty: it is new.
Result<std::string> merged(std::string_view old, const TopologyDelta& delta) {
  std::string text(delta.head);
  ExportedText kept(old);
  if (!old.empty()) NETML_TRY_VOID(kept.take_head());
  auto next = delta.elements.begin();
  while (true) {
    NETML_TRY(const auto element, kept.take_element());
    while (next != delta.elements.end() && (!element || next->key < element->key))
      text += (next++)->text;
    if (!element) return text;
    if (next != delta.elements.end() && next->key == element->key)
      text += (next++)->text;
    else if (!std::ranges::binary_search(delta.deleted, element->key))
      text += element->text;
  }
}

}  // namespace

Result<Delta> combined(std::span<const Delta> deltas) {
  struct Topology {
    const TopologyDelta* last = nullptr;
    std::map<ElementKey, std::optional<std::string_view>> elements;  // none: deleted
  };
  std::map<std::string_view, Topology> topologies;
  Delta all;
  for (const Delta& delta : deltas) {
    const bool leads_on = &delta == deltas.data() || delta.label.before == all.label.after;
    if (!leads_on || !delta.deleted.empty())
      return fail(Errc::conflict, "these changes do not make one");
    if (&delta == deltas.data()) all.label = delta.label;
    all.label.to = delta.label.to;
    all.label.after = delta.label.after;
    for (const TopologyDelta& changed : delta.topologies) {
      Topology& topology = topologies[changed.id];
      topology.last = &changed;
      for (const ElementText& element : changed.elements)
        topology.elements[element.key] = element.text;
      for (const ElementKey& key : changed.deleted) topology.elements[key] = std::nullopt;
    }
  }
  for (const auto& [id, topology] : topologies) {
    TopologyDelta& changed = all.topologies.emplace_back();
    changed.id = id;
    changed.parent = topology.last->parent;
    changed.head = topology.last->head;
    for (const auto& [key, text] : topology.elements) {
      if (text)
        changed.elements.push_back({key, *text});
      else
        changed.deleted.push_back(key);
    }
  }
  return all;
}

Result<TakenExport> apply_delta(std::string_view document, const Delta& delta,
                                std::string_view from,
                                const std::function<Status(std::string_view)>& take) {
  NETML_TRY(const std::vector<ExportedTopology> split, split_export(document));
  NETML_TRY(const TakenExport before, TakenExport::of(split));
  TopologyHasher::Counts counts;
  NETML_TRY(TakenExport after, before.after(delta, from, counts));
  std::map<std::string_view, std::string_view> old;
  for (const ExportedTopology& topology : split) old[topology.id] = topology.own;
  std::map<std::string_view, const TopologyDelta*> changes;
  for (const TopologyDelta& topology : delta.topologies) changes[topology.id] = &topology;
  NETML_TRY_VOID(take(kXmlDeclaration));
  const auto& places = after.places();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto change = changes.find(places[i].id);
    if (change == changes.end()) {
      NETML_TRY_VOID(take(old[places[i].id]));
    } else {
      NETML_TRY(const std::string text, merged(old[places[i].id], *change->second));
      NETML_TRY_VOID(take(text));
    }
    const std::uint32_t next = i + 1 == places.size() ? 0 : places[i + 1].depth;
    for (std::uint32_t ends = next; ends <= places[i].depth; ++ends)
      NETML_TRY_VOID(take(kTopologyEnd));
  }
  return after;
}

}  // namespace netml::codecs
