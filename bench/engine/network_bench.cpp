// What an outage would do, on the view of a version (engine/analysis/network.hpp) and on a copy of
// it in a boost::adjacency_list, as it was done before. Both find the parts, the bridges and the
// articulation points of a network that looks like one (drawn_network.hpp).
//
// BM_network_view and BM_network_copy by the number of links. "held_bytes" is what the view, or the
// copy, keeps allocated.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/connected_components.hpp>
#include <map>

#include "bench/engine/drawn_network.hpp"
#include "engine/analysis/connections.hpp"
#include "engine/analysis/network.hpp"

namespace netml::bench {
namespace {

const engine::Graph& network_of(std::int64_t links) {
  static std::map<std::int64_t, engine::Graph> made;
  const auto found = made.find(links);
  if (found != made.end()) return found->second;
  engine::test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  const RecordId owner = builder.institution("urn:i", {topology});
  draw_network(builder, topology, links, [&](std::size_t) { return owner; });
  return made.emplace(links, builder.build()).first->second;
}

std::size_t allocated() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Found {
  std::size_t parts = 0;
  std::size_t bridges = 0;
  std::size_t cuts = 0;
  bool operator==(const Found&) const = default;
};

// ---- the view ----

Found ask(const engine::Network& network) {
  const engine::SinglePath path = engine::single_path(network);
  return {engine::components(network).count, path.links.size(), path.nodes.size()};
}
engine::Network view_of(const engine::Graph& graph) {
  return engine::Network(graph);
}

// ---- a copy ----

// Parallel links are one edge; it counts them.
class Copy {
 public:
  using Property = boost::property<boost::edge_index_t, std::size_t>;
  using Adjacency = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                          boost::no_property, Property>;
  struct Connection {
    std::size_t a = 0;
    std::size_t b = 0;
    std::vector<RecordId> links;
  };

  explicit Copy(const engine::Graph& graph) : vertex_of_(graph.next_id().value) {
    graph.for_each_record([&](RecordId id) {
      if (graph.kind(id) != Kind::node) return;
      vertex_of_[id.value] = nodes_.size();
      nodes_.push_back(id);
    });
    graph.for_each_record([&](RecordId id) {
      if (graph.kind(id) != Kind::link) return;
      const auto ends = graph.relations(id).ends();
      const auto [a, b] = std::minmax(vertex_of_[ends[0].value], vertex_of_[ends[1].value]);
      if (a != b) connections_.push_back({a, b, {id}});
    });
    merge_parallel();
    adjacency_ = Adjacency(nodes_.size());
    for (std::size_t i = 0; i < connections_.size(); ++i)
      boost::add_edge(connections_[i].a, connections_[i].b, Property(i), adjacency_);
  }

  Found ask() const {
    Found found;
    std::vector<std::size_t> part_of(nodes_.size());
    found.parts = static_cast<std::size_t>(boost::connected_components(adjacency_, part_of.data()));
    std::vector<std::size_t> component(connections_.size());
    std::vector<std::size_t> cuts;
    const auto result = boost::biconnected_components(
        adjacency_,
        boost::make_iterator_property_map(component.begin(),
                                          boost::get(boost::edge_index, adjacency_)),
        std::back_inserter(cuts));
    std::vector<std::size_t> edges(result.first);
    for (const std::size_t each : component) ++edges[each];
    for (std::size_t i = 0; i < connections_.size(); ++i)
      if (edges[component[i]] == 1 && connections_[i].links.size() == 1) ++found.bridges;
    found.cuts = cuts.size();
    return found;
  }

 private:
  void merge_parallel() {
    std::ranges::stable_sort(connections_, [](const Connection& x, const Connection& y) {
      return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    std::vector<Connection> merged;
    for (Connection& next : connections_) {
      if (!merged.empty() && merged.back().a == next.a && merged.back().b == next.b)
        merged.back().links.push_back(next.links.front());
      else
        merged.push_back(std::move(next));
    }
    connections_ = std::move(merged);
  }

  std::vector<RecordId> nodes_;
  std::vector<std::size_t> vertex_of_;
  std::vector<Connection> connections_;
  Adjacency adjacency_;
};
Found ask(const Copy& copy) {
  return copy.ask();
}
Copy copy_of(const engine::Graph& graph) {
  return Copy(graph);
}

template <class Make>
void run(benchmark::State& state, Make&& make) {
  const engine::Graph& graph = network_of(state.range(0));
  const Found expected = ask(view_of(graph));
  const std::size_t before = allocated();
  {
    const auto network = make(graph);
    state.counters["held_bytes"] = static_cast<double>(allocated() - before);
    if (!(ask(network) == expected)) state.SkipWithError("the two do not agree");
  }
  for (auto _ : state) {
    const auto network = make(graph);
    benchmark::DoNotOptimize(ask(network));
  }
  state.counters["links"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
void BM_network_view(benchmark::State& state) {
  run(state, view_of);
}
void BM_network_copy(benchmark::State& state) {
  run(state, copy_of);
}

void sizes(benchmark::internal::Benchmark* each) {
  each->Arg(10)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(
      benchmark::kMillisecond);
}
BENCHMARK(BM_network_view)->Apply(sizes);
BENCHMARK(BM_network_copy)->Apply(sizes);

}  // namespace
}  // namespace netml::bench
