#include "admin/analysis/quality_answer.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "admin/analysis/delivery_json.hpp"
#include "admin/analysis/map_records.hpp"
#include "admin/analysis/member_text.hpp"
#include "admin/analysis/quality_fixes.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/json_text.hpp"
#include "admin/answers/record_text.hpp"
#include "engine/graph/topology_tree.hpp"
#include "engine/quality/inspect.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Check;
using engine::CheckDescription;
using engine::Finding;
using engine::Graph;
using engine::kChecks;
using engine::Tally;

namespace {

// What a source loses for each poll in a row that failed, and at most; all of that, too, until one
// succeeds.
constexpr double kPointsOfFailure = 10;
constexpr double kPointsOfFailuresMax = 30;

// With one decimal.
double rounded(double score) {
  return std::round(score * 10) / 10;
}

json::array checks_json() {
  json::array checks;
  for (const CheckDescription& each : kChecks) {
    json::array kinds;
    for (const Kind kind : kKinds)
      if ((each.kinds & engine::set_of(kind)) != 0) kinds.emplace_back(collection_name(kind));
    checks.push_back(json::object{{"name", each.name},
                                  {"text", each.text},
                                  {"points", each.points},
                                  {"kinds", std::move(kinds)}});
  }
  return checks;
}

void add_score(json::object& object, const Tally& tally, double lost_besides = 0) {
  object["score"] = rounded(std::max(0.0, tally.score() - lost_besides));
  object["records"] =
      each_kind_json([&](Kind kind) { return tally.records[static_cast<std::size_t>(kind)]; });
}

void add_tally(json::object& object, const Tally& tally, double lost_besides = 0) {
  add_score(object, tally, lost_besides);
  json::array findings;
  for (const CheckDescription& each : kChecks) {
    const std::uint64_t count = tally.findings[static_cast<std::size_t>(each.check)];
    if (count == 0) continue;
    findings.push_back(json::object{{"check", each.name},
                                    {"count", count},
                                    {"looked_at", tally.looked_at(each.check)},
                                    {"lost", rounded(tally.lost(each.check))}});
  }
  object["findings"] = std::move(findings);
}

std::string source_text(const Graph& graph, const engine::Tallies& tallies, std::uint64_t number,
                        const engine::PollingSource& source, const engine::PeerState* peer,
                        const engine::Deliveries& deliveries) {
  const bool has_map = peer != nullptr && peer->root && graph.contains(peer->root);
  const bool never = peer == nullptr || !peer->succeeded_at;
  const double lost = never ? kPointsOfFailuresMax
                            : std::min(kPointsOfFailuresMax,
                                       kPointsOfFailure * static_cast<double>(peer->failures));
  json::object object{
      {"source", {{"number", number}, {"name", source.name}}},
      {"topology", has_map ? json::value(reference_json(graph, peer->root)) : json::value()},
      {"succeeded_at", time_or_null(never ? std::nullopt : peer->succeeded_at)},
      {"failures", peer == nullptr ? 0 : peer->failures},
      {"lost_by_failures", lost}};
  add_tally(object, has_map ? tallies.below(graph, peer->root) : Tally(),
            lost + lost_by_delivery(deliveries));
  return with_member(object, "delivery", delivery_text(deliveries));
}

json::object finding_json(const Graph& graph, const Finding& finding,
                          const engine::Proposal& proposal) {
  return {
      {"check", description(finding.check).name},
      {"kind", collection_name(graph.kind(finding.record))},
      {"record", reference_json(graph, finding.record)},
      {"text", text_of(graph, finding)},
      {"other", finding.other ? json::value(reference_json(graph, finding.other)) : json::value()},
      {"fix", fix_json(graph, proposal)}};
}

}  // namespace

Instant begin_of_day(WallTime now) {
  constexpr std::int64_t kDay = 24 * 60 * 60;
  const std::int64_t seconds = now.instant().seconds;
  return Instant{seconds - seconds % kDay};
}

std::string quality_answer(const engine::State& state, const engine::Tallies& tallies,
                           const engine::Countries& countries, Instant now,
                           const DeliveriesBySource& deliveries) {
  const Graph& graph = state.graph;
  json::array topologies;
  for (const auto& [topology, tally] : tallies.topologies) {
    const RecordId parent = graph.relations(topology).parent();
    json::object object{
        {"topology", reference_json(graph, topology)},
        {"parent", parent ? json::value(graph.number(parent).value) : json::value()}};
    add_tally(object, tally);
    topologies.push_back(std::move(object));
  }
  std::string sources;  // as it grows it would be copied again and again
  sources.reserve(kQualityMemoryOfSource / 2 * state.catalog.sources.count());
  state.catalog.sources.for_each([&](std::uint64_t number, const engine::PollingSource& source) {
    const auto peer = state.catalog.peer_states.find(number);
    sources += sources.empty() ? '[' : ',';
    sources +=
        source_text(graph, tallies, number, source, peer ? &*peer : nullptr, deliveries.at(number));
  });
  sources += sources.empty() ? "[]" : "]";
  json::object answer{{"time", time_text(now)},
                      {"countries", !countries.empty()},
                      {"checks", checks_json()},
                      {"topologies", std::move(topologies)}};
  add_tally(answer, tallies.whole);
  return with_member(answer, "sources", sources);
}

json::object score_json(const Graph& graph, const engine::Tallies& tallies,
                        std::string_view topology) {
  json::object object{{"score", nullptr}, {"records", nullptr}};
  if (topology.empty())
    add_score(object, tallies.whole);
  else if (const RecordId found = graph.find_newest(Kind::topology, topology))
    add_score(object, tallies.below(graph, found));
  return object;
}

json::object findings_answer(const engine::State& state, const engine::Countries& countries,
                             Instant now, const WantedFindings& wanted) {
  const Graph& graph = state.graph;
  std::optional<engine::TopologyTree> tree;
  if (wanted.topology) tree.emplace(graph, wanted.topology);
  std::array<std::size_t, engine::kCheckCount> counts{};
  std::vector<Finding> listed;
  std::size_t omitted = 0;
  const engine::Inspection map{graph, countries, now};
  engine::Proposals proposals(map);
  engine::inspect(map, [&](const Finding& finding) {
    if (wanted.check.value_or(finding.check) != finding.check) return;
    proposals.take(finding);
    if (tree && !tree->holds(finding.record)) return;
    if (++counts[static_cast<std::size_t>(finding.check)] > kFindingsMax)
      ++omitted;
    else
      listed.push_back(finding);
  });
  json::array items;
  for (const Finding& finding : listed)
    items.push_back(finding_json(graph, finding, proposals.propose(finding)));
  return {{"items", std::move(items)}, {"omitted", omitted}};
}

}  // namespace netml::admin::web
