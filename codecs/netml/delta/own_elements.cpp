#include "codecs/netml/delta/own_elements.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/document.hpp"

namespace netml::codecs {

namespace {

using engine::ElementChange;
using engine::ExportedElement;
using engine::Graph;
using engine::TopologyContents;

TopologyContents contents_of(const Graph& graph, RecordId topology,
                             std::span<const ElementChange> some, bool ElementChange::* listed) {
  TopologyContents contents;
  contents.owner = graph.relations(topology).owner();
  for (const ElementChange& change : some) {
    if (!(change.*listed)) continue;
    const auto topologies = graph.relations(change.element).topologies();
    const ExportedElement element{change.element,
                                  !std::ranges::binary_search(topologies, topology)};
    const Kind kind = graph.kind(change.element);
    (kind == Kind::institution ? contents.institutions
     : kind == Kind::link      ? contents.links
                               : contents.nodes)
        .push_back(element);
  }
  for (auto* list : {&contents.institutions, &contents.links, &contents.nodes})
    std::ranges::sort(*list, {}, [&](const ExportedElement& element) {
      return graph.attributes(element.record).id();
    });
  return contents;
}

}  // namespace

ElementKey element_key(const Graph& graph, RecordId element) {
  return element_key(graph.kind(element), std::string(graph.attributes(element).id()));
}

std::string_view OwnElements::begin(RecordId topology, bool is_root) {
  return begin(topology, is_root, engine::topology_contents(graph_, topology));
}

std::string_view OwnElements::begin(RecordId topology, bool is_root,
                                    std::span<const ElementChange> some,
                                    bool ElementChange::* listed) {
  return begin(topology, is_root, contents_of(graph_, topology, some, listed));
}

std::string_view OwnElements::begin(RecordId topology, bool is_root, TopologyContents contents) {
  contents_ = std::make_shared<const TopologyContents>(std::move(contents));
  next_ = 0;
  count_ = element_count(*contents_);
  writer_.begin({.topology = topology, .root = is_root, .ends = 0}, contents_, {0, count_});
  std::string_view head = part();
  if (is_root) head.remove_prefix(kXmlDeclaration.size());
  return head;
}

std::optional<ElementText> OwnElements::next() {
  if (next_ == count_) return std::nullopt;
  ElementKey key = next_key();
  ++next_;
  return ElementText{std::move(key), part()};
}

// The writer ends a part with the head, or with an element, once it has anything.
std::string_view OwnElements::part() {
  part_.clear();
  writer_.write(part_, 1);
  return part_.view();
}

ElementKey OwnElements::next_key() const {
  std::size_t place = next_;
  for (const auto* list : {&contents_->institutions, &contents_->links, &contents_->nodes}) {
    if (place >= list->size()) {
      place -= list->size();
      continue;
    }
    const RecordId record = (*list)[place].record;
    if (record) return element_key(graph_, record);
    break;  // written as it is defined
  }
  return element_key(Kind::institution, std::string(engine::kGlobalInstitutionId));
}

}  // namespace netml::codecs
