// Who owns a record, and what hangs on it.
#include "engine/graph/document.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

// What names no owner in its file belongs to the global institution.
bool is_owned(const Graph& graph, RecordId id) {
  for (const RecordId owner : graph.relations(id).owners())
    if (graph.attributes(owner).id() != kGlobalInstitutionId) return true;
  return false;
}

// Topologies have members and children, nodes links, institutions what they own.
bool has_referrer(const Graph& graph, RecordId id) {
  return !graph.referrers_after(id, {}).keys.empty();
}

}  // namespace

void check_associations(const Inspection& map, RecordId id, const Report& report) {
  const Graph& graph = map.graph;
  switch (graph.kind(id)) {
    case Kind::topology:
      if (!is_owned(graph, id)) report({Check::owner_missing, id});
      if (!has_referrer(graph, id)) report({Check::topology_empty, id});
      break;
    case Kind::institution:
      if (!has_referrer(graph, id) && graph.attributes(id).id() != kGlobalInstitutionId)
        report({Check::institution_dead, id});
      break;
    case Kind::node:
      if (!is_owned(graph, id)) report({Check::owner_missing, id});
      if (!has_referrer(graph, id)) report({Check::node_isolated, id});
      break;
    case Kind::link:
      if (!is_owned(graph, id)) report({Check::owner_missing, id});
      break;
  }
}

}  // namespace netml::engine
