#include "engine/quality/score.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/graph/topology_tree.hpp"

namespace netml::engine {

namespace {

// From this share of records on a check takes all its points.
constexpr double kShareOfAllPoints = 0.1;

// The topologies that a record counts in.
template <class Visit>
void for_each_topology(const Graph& graph, RecordId id, Visit&& visit) {
  if (graph.kind(id) == Kind::topology) {
    visit(id);
    return;
  }
  for (const RecordId topology : graph.relations(id).topologies()) visit(topology);
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  for (std::size_t i = 0; i < records.size(); ++i) records[i] += other.records[i];
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i] += other.findings[i];
  return *this;
}

std::uint64_t Tally::looked_at(Check check) const {
  std::uint64_t count = 0;
  for (const Kind kind : kKinds)
    if ((description(check).kinds & set_of(kind)) != 0)
      count += records[static_cast<std::size_t>(kind)];
  return count;
}

double Tally::lost(Check check) const {
  const std::uint64_t found = findings[static_cast<std::size_t>(check)];
  if (found == 0) return 0;
  const double share = static_cast<double>(found) / static_cast<double>(looked_at(check));
  return description(check).points * std::min(1.0, share / kShareOfAllPoints);
}

double Tally::score() const {
  double lost_by_all = 0;
  for (const CheckDescription& each : kChecks) lost_by_all += lost(each.check);
  return std::max(0.0, 100 - lost_by_all);
}

const Tally& Tallies::of(RecordId topology) const {
  return std::ranges::lower_bound(topologies, topology, {}, &TopologyTally::topology)->tally;
}

Tally Tallies::below(const Graph& graph, RecordId topology) const {
  Tally sum;
  const TopologyTree tree(graph, topology);
  for (const RecordId each : tree.topologies()) sum += of(each);
  return sum;
}

Tallies tally(const Inspection& map) {
  const Graph& graph = map.graph;
  Tallies tallies;
  boost::unordered_flat_map<std::uint32_t, std::size_t> places;
  graph.for_each_of(Kind::topology, [&](RecordId id) {
    places.emplace(id.value, tallies.topologies.size());
    tallies.topologies.push_back({id, {}});
  });
  const auto count = [&](RecordId id, auto member, std::size_t place) {
    ++(tallies.whole.*member)[place];
    for_each_topology(graph, id, [&](RecordId topology) {
      ++(tallies.topologies[places.at(topology.value)].tally.*member)[place];
    });
  };
  graph.for_each_record(
      [&](RecordId id) { count(id, &Tally::records, static_cast<std::size_t>(graph.kind(id))); });
  inspect(map, [&](const Finding& finding) {
    count(finding.record, &Tally::findings, static_cast<std::size_t>(finding.check));
  });
  return tallies;
}

}  // namespace netml::engine
