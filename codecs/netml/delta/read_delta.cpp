#include "codecs/netml/delta/read_delta.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace netml::codecs {

namespace {

Result<TopologyDelta> read_topology(ExportedText& text) {
  TopologyDelta topology;
  topology.parent = text.take(" ") ? text.take_attribute("parent") : std::nullopt;
  if (!text.take(">")) return not_a_delta(text);
  NETML_TRY(ExportedText::Head head, text.take_head());
  topology.id = std::move(head.id);
  topology.head = head.text;
  while (true) {
    NETML_TRY(auto element, text.take_element());
    if (!element) break;
    topology.elements.push_back(*std::move(element));
  }
  const auto out_of_order = [](const ElementText& a, const ElementText& b) {
    return a.key >= b.key;
  };
  if (std::ranges::adjacent_find(topology.elements, out_of_order) != topology.elements.end() ||
      !text.take(kTopologyEnd))
    return not_a_delta(text);
  while (true) {
    NETML_TRY(auto deleted, take_deleted(text));
    if (!deleted) break;
    if (deleted->kind == Kind::topology) return not_a_delta(text);
    topology.deleted.push_back(element_key(deleted->kind, std::move(deleted->id)));
  }
  std::ranges::sort(topology.deleted);
  for (const ElementText& element : topology.elements)  // said and deleted is neither
    if (std::ranges::binary_search(topology.deleted, element.key)) return not_a_delta(text);
  if (!text.take(kDeltaTopologyEnd)) return not_a_delta(text);
  return topology;
}

}  // namespace

Result<Delta> read_delta(std::string_view whole) {
  ExportedText text(whole);
  Delta delta;
  NETML_TRY(delta.label, take_label(text));
  std::set<std::string> known;
  while (text.take(kDeltaTopology)) {
    NETML_TRY(TopologyDelta topology, read_topology(text));
    if (!known.insert(topology.id).second) return not_a_delta(text);
    delta.topologies.push_back(std::move(topology));
  }
  while (true) {
    NETML_TRY(auto deleted, take_deleted(text));
    if (!deleted) break;
    if (deleted->kind != Kind::topology) return not_a_delta(text);
    delta.deleted.push_back(std::move(deleted->id));
  }
  if (!text.take(kDeltaEnd) || !text.at_end()) return not_a_delta(text);
  return delta;
}

}  // namespace netml::codecs
