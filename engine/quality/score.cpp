#include "engine/quality/score.hpp"

#include <algorithm>
#include <bit>

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

void Tally::count(Kind kind, CheckSet found, int times) {
  const auto more = static_cast<std::uint64_t>(times);  // less where it wraps
  records[static_cast<std::size_t>(kind)] += more;
  for (; found != 0; found &= found - 1)
    findings[static_cast<std::size_t>(std::countr_zero(found))] += more;
}

void Tallies::count(const Graph& graph, RecordId id, CheckSet found, int times) {
  const Kind kind = graph.kind(id);
  whole.count(kind, found, times);
  for_each_topology(graph, id, [&](RecordId topology) {
    std::ranges::lower_bound(topologies, topology, {}, &TopologyTally::topology)
        ->tally.count(kind, found, times);
  });
}

void Tallies::add_topology(RecordId topology) {
  const auto place = std::ranges::lower_bound(topologies, topology, {}, &TopologyTally::topology);
  if (place == topologies.end() || place->topology != topology)
    topologies.insert(place, {topology, {}});
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

}  // namespace netml::engine
