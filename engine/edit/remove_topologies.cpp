#include "engine/edit/remove_topologies.hpp"

#include <algorithm>
#include <iterator>

namespace netml::engine {

namespace {

// Ascending, each once.
std::vector<RecordId> with_all_below(Workspace& workspace, std::vector<RecordId> topologies) {
  boost::unordered_flat_set<RecordId, std::hash<RecordId>> known(topologies.begin(),
                                                                 topologies.end());
  for (std::size_t i = 0; i < topologies.size(); ++i)
    for (const RecordId child : workspace.members(topologies[i], Kind::topology))
      if (known.insert(child).second) topologies.push_back(child);
  std::ranges::sort(topologies);
  return topologies;
}

// Cuts the element's associations with `deleted`, which is sorted. False when none is left.
bool stays(Workspace& workspace, RecordId element, const std::vector<RecordId>& deleted) {
  const Record record = workspace.record(element);
  RelationFields fields = record.relations->fields();
  std::vector<RecordId> rest;
  std::ranges::set_difference(fields.topologies, deleted, std::back_inserter(rest));
  if (rest.empty()) return false;
  fields.topologies = rest;
  workspace.put_relations(element, fields);
  return true;
}

void remove_elements(Workspace& workspace, const std::vector<RecordId>& deleted, Kind kind) {
  for (const RecordId topology : deleted) {
    for (const RecordId element : workspace.members(topology, kind)) {
      if (!workspace.contains(element) || stays(workspace, element, deleted)) continue;
      if (kind == Kind::link) workspace.remove_link(element);
      if (kind == Kind::node) workspace.remove_node(element);
      if (kind == Kind::institution) workspace.remove_institution(element);
    }
  }
}

}  // namespace

void remove_topologies(Workspace& workspace, std::vector<RecordId> topologies) {
  const std::vector<RecordId> deleted = with_all_below(workspace, std::move(topologies));
  for (const Kind kind : {Kind::link, Kind::node, Kind::institution})
    remove_elements(workspace, deleted, kind);
  for (const RecordId topology : deleted) workspace.remove_topology(topology);
}

}  // namespace netml::engine
