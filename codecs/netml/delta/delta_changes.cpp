// The delta is made a small export, with a stand-in for each element that is referred to and not
// said anything of, so that the reader of all files reads it.
#include "codecs/netml/delta/delta_changes.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "codecs/document/xml_text.hpp"
#include "codecs/netml/netml_reader.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kStandIn = "stand-in";
constexpr std::string_view kNoPlace =
    "<grenml:Location><grenml:long>0</grenml:long><grenml:lat>0</grenml:lat></grenml:Location>";

void put_text(TextBuffer& out, std::string_view name, std::string_view value) {
  out.append("<grenml:");
  out.append(name);
  out.append(">");
  out.wrote(put_escaped(out.room(kEscapedBytesMax * value.size()), value));
  out.append("</grenml:");
  out.append(name);
  out.append(">");
}

void put_stand_in(TextBuffer& out, Kind kind, std::string_view id) {
  const std::string_view tag = kind == Kind::node ? "Node" : "Institution";
  out.append("<grenml:");
  out.append(tag);
  put_attribute(out, "id", id);
  out.append(">");
  put_text(out, "name", kStandIn);
  if (kind == Kind::node) out.append(kNoPlace);
  out.append("</grenml:");
  out.append(tag);
  out.append(">");
}

// Around those of the delta, where the root is none of them.
void put_root(TextBuffer& out) {
  out.append("<grenml:Topology");
  put_attribute(out, "id", "urn:netml:delta");
  put_attribute(out, "xmlns:grenml", kNetmlNamespace);
  put_attribute(out, "xmlns:nml", kNmlNamespace);
  out.append(">");
  put_text(out, "name", kStandIn);
  put_text(out, "owner", engine::kGlobalInstitutionId);
}

// What a topology of the delta names and says nothing of, each once.
struct Named {
  std::set<std::string> institutions;
  std::set<std::string> nodes;
};
std::optional<Named> named_by(const TopologyDelta& topology) {
  Named named;
  const auto note = [&](std::string_view text) {
    auto references = references_in(text);
    if (!references) return false;
    named.institutions.insert(std::make_move_iterator(references->owners.begin()),
                              std::make_move_iterator(references->owners.end()));
    named.nodes.insert(std::make_move_iterator(references->ends.begin()),
                       std::make_move_iterator(references->ends.end()));
    return true;
  };
  if (!note(topology.head)) return std::nullopt;
  for (const ElementText& element : topology.elements)
    if (!note(element.text)) return std::nullopt;
  // What is said needs no stand-in.
  for (const ElementText& element : topology.elements) {
    const Kind kind = kind_of(element.key);
    if (kind == Kind::institution) named.institutions.erase(element.key.id);
    if (kind == Kind::node) named.nodes.erase(element.key.id);
  }
  named.institutions.erase(std::string(engine::kGlobalInstitutionId));  // the reader adds it
  return named;
}

bool is_said(const TopologyDelta& topology, const ElementKey& key) {
  const auto said = [](const ElementText& element) -> const ElementKey& { return element.key; };
  return std::ranges::binary_search(topology.elements, key, {}, said);
}

bool put_topology(TextBuffer& out, const TopologyDelta& topology) {
  const auto named = named_by(topology);
  if (!named) return false;
  out.append(topology.head);
  for (const std::string& id : named->institutions) put_stand_in(out, Kind::institution, id);
  bool nodes_begun = false;
  const auto begin_nodes = [&] {
    if (std::exchange(nodes_begun, true)) return;
    for (const std::string& id : named->nodes) put_stand_in(out, Kind::node, id);
  };
  for (const ElementText& element : topology.elements) {
    if (kind_of(element.key) == Kind::node) begin_nodes();
    out.append(element.text);
  }
  begin_nodes();
  return true;
}

// Most of it is that of the delta.
std::size_t expected_bytes(const Delta& delta) {
  constexpr std::size_t kTimesOfDelta = 4;
  std::size_t bytes = 0;
  for (const TopologyDelta& topology : delta.topologies) {
    bytes += topology.head.size();
    for (const ElementText& element : topology.elements) bytes += element.text.size();
  }
  return kTimesOfDelta * bytes;
}

std::optional<TextBuffer> written(const Delta& delta) {
  TextBuffer out;
  out.reserve(expected_bytes(delta));
  out.append(kXmlDeclaration);
  const bool has_root = !delta.topologies.empty() && !delta.topologies.front().parent;
  if (!has_root) put_root(out);
  for (const TopologyDelta& topology : delta.topologies) {
    if (!put_topology(out, topology)) return std::nullopt;
    if (&topology != &delta.topologies.front() || !has_root) out.append(kTopologyEnd);
  }
  out.append(kTopologyEnd);
  return out;
}

// What it says of each of the topologies of the delta, which the document lists in their order.
// False where it names what the file does not list.
bool note_said(engine::FileChanges& changes, const Delta& delta, const TakenExport& after) {
  changes.only_named.assign(changes.document.elements.size(), true);
  for (std::size_t i = 0; i < delta.topologies.size(); ++i) {
    const TopologyDelta& topology = delta.topologies[i];
    const engine::DocumentTopology& listed = changes.document.topologies[i];
    for (engine::DocumentIndex at = listed.institutions_begin; at < listed.links_end; ++at) {
      const engine::Attributes& element = *changes.document.elements[at].attributes;
      const ElementKey key = element_key(element.kind(), std::string(element.id()));
      if (!after.lists(topology.id, key)) return false;
      changes.only_named[at] = !is_said(topology, key);
    }
    changes.parents.push_back(topology.parent.value_or(std::string()));
    for (const ElementKey& key : topology.deleted)
      changes.gone.push_back({static_cast<engine::DocumentIndex>(i), kind_of(key), key.id});
  }
  return true;
}

}  // namespace

std::optional<engine::Document> document_of(const Delta& delta, const ReadLimits& limits) {
  if (!delta.deleted.empty()) return std::nullopt;
  const auto text = written(delta);
  if (!text) return std::nullopt;
  const auto bytes = std::as_bytes(std::span(text->view()));
  NetmlReader reader(limits, {.replay = [bytes](const ByteSink& sink) {
                       sink(bytes);
                       return Status();
                     }});
  reader.feed(bytes);
  auto document = reader.finish();
  if (!document || !document->notes.empty()) return std::nullopt;
  auto& topologies = document->topologies;
  if (topologies.size() == delta.topologies.size() + 1) topologies.erase(topologies.begin());
  if (topologies.size() != delta.topologies.size()) return std::nullopt;
  return *std::move(document);
}

std::optional<engine::FileChanges> changes_of(const Delta& delta, engine::Document document,
                                              const TakenExport& after,
                                              const TopologyHasher::Counts& counts) {
  engine::FileChanges changes;
  changes.document = std::move(document);
  if (!note_said(changes, delta, after)) return std::nullopt;
  for (std::uint8_t rank = 0; rank < kElementRanks; ++rank) {
    const auto kind = static_cast<std::size_t>(kind_of({rank, false, {}}));
    changes.added[kind] = counts.added[rank];
    changes.removed[kind] = counts.removed[rank];
  }
  return changes;
}

}  // namespace netml::codecs
