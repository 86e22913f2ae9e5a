// A redundancy policy checked for 1,000 institutions, beside its floor: the network of the version
// and one breadth-first search through all of it. Each institution owns two nodes somewhere; routes
// lead to ten nodes of the core. BM_redundancy by the number of links (545,000: a million elements)
// and of routes, with no link in common, or no node, or with risk groups of five links each.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <boost/graph/breadth_first_search.hpp>
#include <map>
#include <vector>

#include "bench/engine/drawn_network.hpp"
#include "engine/analysis/network.hpp"
#include "engine/analysis/redundancy.hpp"
#include "engine/analysis/redundancy_monitor.hpp"
#include "engine/graph/graph_changes.hpp"

namespace netml::bench {
namespace {

constexpr std::size_t kInstitutions = 1'000;
constexpr std::size_t kTargets = 10;

struct Map {
  engine::Graph graph;
  RecordId target;
};

const Map& map_of(std::int64_t links, bool groups) {
  static std::map<std::pair<std::int64_t, bool>, Map> made;
  const auto found = made.find({links, groups});
  if (found != made.end()) return found->second;
  engine::test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  std::vector<RecordId> owners;
  for (std::size_t i = 0; i <= kInstitutions; ++i)
    owners.push_back(builder.institution("urn:i", {topology}));
  for (std::size_t i = 1; i <= kInstitutions; ++i)
    builder.add_property(owners[i], "tag", "checked");
  const std::size_t apart = static_cast<std::size_t>(links) * 5 / 6 / (2 * kInstitutions) + 1;
  const auto [nodes, drawn_links] = draw_network(builder, topology, links, [&](std::size_t i) {
    return i % apart == apart - 1 ? owners[1 + i / apart % kInstitutions] : owners[0];
  });
  for (std::size_t i = 0; i < kTargets && i < nodes.size(); ++i)
    builder.add_property(nodes[i], "tag", "core");
  for (std::size_t i = 0; groups && i < drawn_links.size(); ++i)
    builder.add_property(drawn_links[i], "srlg", fmt::format("duct {}", i / 5));
  return made.emplace(std::pair(links, groups), Map{builder.build(), nodes.front()}).first->second;
}

engine::RedundancyPolicy policy_of(const benchmark::State& state, engine::Disjoint disjoint,
                                   bool groups) {
  return {.who = {.kind = Kind::institution, .tag = "checked"},
          .to = {.kind = Kind::node, .tag = "core"},
          .routes = static_cast<std::size_t>(state.range(1)),
          .disjoint = disjoint,
          .shared_risk_groups = groups};
}

void check(benchmark::State& state, engine::Disjoint disjoint, bool groups) {
  const Map& map = map_of(state.range(0), groups);
  const engine::RedundancyPolicy policy = policy_of(state, disjoint, groups);
  engine::RedundancySummary summary;
  for (auto _ : state)
    summary = check_redundancy(map.graph, policy,
                               [](const auto& found) { benchmark::DoNotOptimize(&found); });
  state.counters["met"] = static_cast<double>(summary.met);
  state.counters["below"] = static_cast<double>(summary.below);
  state.counters["undecided"] = static_cast<double>(summary.undecided);
}
void BM_redundancy_links(benchmark::State& state) {
  check(state, engine::Disjoint::links, false);
}
void BM_redundancy_nodes(benchmark::State& state) {
  check(state, engine::Disjoint::nodes, false);
}
void BM_redundancy_groups(benchmark::State& state) {
  check(state, engine::Disjoint::links, true);
}

// One link after another with which a route of an institution begins.
void BM_redundancy_after_one_link(benchmark::State& state) {
  engine::Graph graph = map_of(state.range(0), false).graph;
  const engine::RedundancyPolicy policy = policy_of(state, engine::Disjoint::links, false);
  std::vector<RecordId> used;
  check_redundancy(graph, policy, [&](const engine::ElementRoutes& found) {
    if (!found.routes.empty()) used.push_back(found.routes.front().links.front());
  });
  engine::RedundancyMonitor monitor(policy);
  monitor.take(graph);
  std::size_t changed = 0;
  engine::Record gone;
  for (auto _ : state) {
    state.PauseTiming();
    const RecordId link = used[changed / 2 % used.size()];
    engine::GraphChanges changes(graph);
    if (changed++ % 2 == 0) {
      gone = graph.record(link);
      changes.put(link, {});
    } else {
      changes.put(link, gone);
    }
    graph = std::move(changes).finish();
    state.ResumeTiming();
    if (monitor.take(graph)) state.SkipWithError("all were checked again");
  }
  state.counters["checked"] = static_cast<double>(monitor.standings().size());
}

void BM_redundancy_floor(benchmark::State& state) {
  const Map& map = map_of(state.range(0), false);
  for (auto _ : state) {
    const engine::Network network(map.graph);
    std::vector<std::uint32_t> distance(network.nodes().size());
    boost::breadth_first_search(network, network.vertex(map.target),
                                boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                    distance.data(), boost::on_tree_edge()))));
    benchmark::DoNotOptimize(distance.data());
  }
}

void sizes(benchmark::internal::Benchmark* each) {
  each->Args({10, 3})->Args({54'500, 3})->Args({545'000, 3})->Unit(benchmark::kMillisecond);
}
BENCHMARK(BM_redundancy_floor)->Apply(sizes);
BENCHMARK(BM_redundancy_links)->Apply(sizes);
BENCHMARK(BM_redundancy_nodes)->Apply(sizes);
BENCHMARK(BM_redundancy_groups)->Apply(sizes);
BENCHMARK(BM_redundancy_after_one_link)
    ->Args({54'500, 3})
    ->Args({545'000, 3})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace netml::bench
