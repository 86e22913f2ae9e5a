#include "engine/quality/inspect.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <map>
#include <vector>

#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

// By RecordId: whose place was reported.
std::vector<bool> check_places(const Inspection& map, const Report& report) {
  const Graph& graph = map.graph;
  std::vector<bool> doubtful(graph.next_id().value);
  std::map<RecordId, Neighbourhood> by_owner;
  graph.for_each_record([&](RecordId id) {
    const Kind kind = graph.kind(id);
    if (kind != Kind::node && kind != Kind::institution) return;
    doubtful[id.value] = !check_place(map, id, report);
    if (doubtful[id.value] || kind != Kind::node) return;
    const RecordId owner = graph.relations(id).owner();
    if (!owner) return;
    by_owner[owner].nodes.push_back(id);
    by_owner[owner].directions.push_back(direction(*graph.attributes(id).coordinates()));
  });
  for (const auto& [owner, neighbourhood] : by_owner)
    check_neighbourhood(graph, neighbourhood, [&](const Finding& finding) {
      doubtful[finding.record.value] = true;
      report(finding);
    });
  return doubtful;
}

std::vector<RecordId> all_of(const Graph& graph, std::initializer_list<Kind> kinds) {
  std::vector<RecordId> all;
  for (const Kind kind : kinds) graph.for_each_of(kind, [&](RecordId id) { all.push_back(id); });
  return all;
}

void check_identifiers(const Graph& graph, const Report& report) {
  for (const Kind kind : kKinds)
    for (const std::vector<RecordId>& group : graph.duplicates(kind))
      for (const RecordId id : group)
        report({.check = Check::identifier_repeated,
                .record = id,
                .other = id == group[0] ? group[1] : group[0]});
}

}  // namespace

void check_values(const Inspection& map, RecordId id, const Report& report) {
  check_texts(map, id, report);
  check_properties(map, id, report);
  check_lifetime(map, id, report);
}

void inspect(const Inspection& map, const Report& report) {
  const Graph& graph = map.graph;
  const std::vector<bool> doubtful = check_places(map, report);
  const auto is_doubtful = [&](RecordId node) { return doubtful[node.value]; };
  graph.for_each_record([&](RecordId id) {
    check_values(map, id, report);
    check_associations(map, id, report);
    if (graph.kind(id) == Kind::link) check_link(map, id, is_doubtful, report);
  });
  check_half_links(graph, all_of(graph, {Kind::node}), report);
  check_identifiers(graph, report);
  check_names(graph, all_of(graph, {Kind::topology, Kind::institution, Kind::node}), report);
  check_circuits(graph, all_of(graph, {Kind::link}), report);
}

std::string text_of(const Graph& graph, const Finding& finding) {
  std::string text = description(finding.check).text;
  if (!finding.subject.empty()) text += fmt::format(": {}", finding.subject);
  if (finding.other) text += fmt::format(": {}", graph.attributes(finding.other).name());
  if (finding.kilometres >= 0) text += fmt::format(", {:.0f} km", finding.kilometres);
  return text;
}

}  // namespace netml::engine
