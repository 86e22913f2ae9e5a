#include "codecs/formats/draft/map_outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <string>
#include <utility>

namespace netml::codecs {

namespace {

// Puts what topologies list together. Elements are numbered in the order in which they come up:
// topology by topology, each by identifier.
class Outliner {
 public:
  Outliner(const engine::Graph& graph, MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  void list(const engine::ExportTree& tree) {
    for (const engine::ExportStep& step : tree.steps) {
      number_of_topology_.emplace(step.topology.value, outline_.topologies.size());
      outline_.topologies.push_back(step.topology);
    }
    const bool has_duplicates = graph_.has_duplicates();
    for (const engine::ExportStep& step : tree.steps) {
      const auto contents = engine::topology_contents(graph_, step.topology, has_duplicates);
      for (const auto& institution : contents.institutions)
        if (institution.record) add(outline_.institutions, institution);
      for (const auto& node : contents.nodes) add(outline_.nodes, node);
      for (const auto& link : contents.links) add_link(link);
      for (const RecordId link : contents.omitted_links) omit(link);
    }
  }

 private:
  // One that another topology of the map lists, too, comes up there or has come up.
  template <class Element>
  bool add(std::vector<Element>& elements, const engine::ExportedElement& exported) {
    if (number_of_.contains(exported.record.value)) return false;
    Element element;
    element.record = exported.record;
    element.topologies_begin = static_cast<std::uint32_t>(outline_.listed_in.size());
    for (const RecordId topology : graph_.relations(exported.record).topologies()) {
      const auto found = number_of_topology_.find(topology.value);
      if (found != number_of_topology_.end()) outline_.listed_in.push_back(found->second);
    }
    element.topologies_end = static_cast<std::uint32_t>(outline_.listed_in.size());
    element.copy = element.topologies_begin == element.topologies_end;
    number_of_.emplace(exported.record.value, static_cast<std::uint32_t>(elements.size()));
    elements.push_back(element);
    return true;
  }

  void add_link(const engine::ExportedElement& exported) {
    const auto ends = engine::exported_ends(graph_, exported.record);
    if (!add(outline_.links, exported)) return;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const auto end = number_of_.find(ends[i].value);
      // Another record of the same identifier stands for it.
      outline_.links.back().ends[i] = end != number_of_.end() ? end->second : same_as(ends[i]);
    }
  }

  std::uint32_t same_as(RecordId node) const {
    const auto same = std::ranges::find_if(outline_.nodes, [&](const OutlinedElement& other) {
      return graph_.attributes(other.record).id() == graph_.attributes(node).id();
    });
    NETML_ASSERT(same != outline_.nodes.end());  // a topology lists the ends of its links
    return static_cast<std::uint32_t>(same - outline_.nodes.begin());
  }

  void omit(RecordId link) {
    losses_.lose({.field = "link",
                  .reason = "its ends carry the same identifier",
                  .pointer = fmt::format("link {}", graph_.attributes(link).id())});
  }

  const engine::Graph& graph_;
  MapOutline& outline_;
  engine::LossList& losses_;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> number_of_topology_;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> number_of_;
};

}  // namespace

Result<MapOutline> outline_of(const engine::Graph& graph, RecordId root, engine::LossList& losses) {
  const auto tree = engine::export_tree(graph, root);
  if (!tree) return fail(Errc::conflict, "a topology below it has no owner");
  MapOutline outline;
  Outliner(graph, outline, losses).list(*tree);
  return outline;
}

}  // namespace netml::codecs
