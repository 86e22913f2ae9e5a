// How good a map is: looked at as a whole, and after a change (docs/quality.md). The map has 200
// sources of a topology each, half nodes, half links; a tenth of its nodes has something wrong.
// BM_quality by the number of elements; after a change by that of the changed ones of one source,
// too: of ten, four nodes get another name and place, a link comes or goes, and five links get
// another name. `one_owner`: all nodes are of one institution, some of them far from all others.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "engine/graph/graph_changes.hpp"
#include "engine/quality/countries.hpp"
#include "engine/quality/quality_monitor.hpp"

namespace netml::bench {
namespace {

using engine::Coordinates;
using engine::Graph;
using engine::GraphChanges;

constexpr std::size_t kSources = 200;
constexpr Instant kToday{1'800'000'000 / 86'400 * 86'400};

class Map {
 public:
  Map(std::int64_t elements, bool one_owner) : one_owner_(one_owner) {
    const auto nodes = static_cast<std::size_t>(elements) / kSources / 2 + 2;
    GraphChanges changes{Graph{}};
    for (std::size_t source = 0; source < kSources; ++source) add_source(changes, nodes);
    finish(std::move(changes));
  }

  const Graph& graph() const { return graph_; }

  // So many of one source, another one each time.
  void change(std::size_t elements) {
    GraphChanges changes(std::move(graph_));
    Source& source = sources_[++round_ % kSources];
    for (std::size_t i = 0; i < elements; ++i) {
      const std::size_t place = i % source.nodes.size();
      switch (i % 10) {
        case 0:
        case 1:
        case 2:
        case 3:
          put_node(changes, source, source.nodes[place]);
          break;
        case 4:
          if (changes.graph().contains(source.links[place]))
            changes.put(source.links[place], {});
          else
            put_link(changes, source, place);
          break;
        default:
          put_link(changes, source, place);
      }
    }
    finish(std::move(changes));
  }

 private:
  struct Source {
    RecordId topology;
    RecordId owner;
    std::vector<RecordId> nodes;
    std::vector<RecordId> links;
  };

  void finish(GraphChanges changes) {
    changes.set_next(next_, RecordNumber{next_.value});
    graph_ = std::move(changes).finish();
  }

  RecordId fresh() { return RecordId{next_.value++}; }

  void add_source(GraphChanges& changes, std::size_t nodes) {
    Source source{.topology = fresh(), .owner = {}, .nodes = {}, .links = {}};
    source.owner = one_owner_ && !sources_.empty() ? sources_.front().owner : fresh();
    put(changes, source.topology, Kind::topology, {}, {}, {.owners = {&source.owner, 1}});
    if (!one_owner_ || sources_.empty())
      put(changes, source.owner, Kind::institution, degrees(50.5, 9.5), {},
          {.topologies = {&source.topology, 1}});
    home_ = static_cast<double>(sources_.size());
    for (std::size_t i = 0; i < nodes; ++i) {
      source.nodes.push_back(fresh());
      put_node(changes, source, source.nodes.back());
    }
    for (std::size_t i = 0; i < nodes; ++i) {
      source.links.push_back(fresh());
      put_link(changes, source, i);
    }
    sources_.push_back(std::move(source));
  }

  static Coordinates degrees(double latitude, double longitude) {
    return {{std::llround(latitude * 1e6)}, {std::llround(longitude * 1e6)}};
  }

  void put_node(GraphChanges& changes, const Source& source, RecordId id) {
    const double spread = static_cast<double>(random_() % 10'000) / 1'000;
    Coordinates place = degrees(40 + std::fmod(home_, 20) + spread, spread);
    if (id.value % 100'000 == 50) place = degrees(-40.5, 100.5 + spread);
    if (id.value % 20 == 0) place = {};
    const std::array<engine::Property, 2> properties{
        engine::Property{"role", id.value % 20 == 1 ? "" : "router"},
        engine::Property{"country", "Somewhere"}};
    put(changes, id, Kind::node, place, properties,
        {.topologies = {&source.topology, 1}, .owners = {&source.owner, 1}});
  }

  void put_link(GraphChanges& changes, const Source& source, std::size_t i) {
    const std::array ends{source.nodes[i], source.nodes[i == 0 ? 1 : i / 2]};
    const std::array<engine::Property, 2> properties{engine::Property{"medium", "dark fibre"},
                                                     engine::Property{"length", "2000 km"}};
    put(changes, source.links[i], Kind::link, {}, properties,
        {.topologies = {&source.topology, 1}, .owners = {&source.owner, 1}, .ends = ends});
  }

  void put(GraphChanges& changes, RecordId id, Kind kind, std::optional<Coordinates> place,
           std::span<const engine::Property> properties, const engine::RelationFields& relations) {
    engine::AttributeFields fields;
    fields.kind = kind;
    const std::string identifier = fmt::format("urn:example:{}", id.value);
    const std::string name = fmt::format("Place {} {}", id.value, round_);
    fields.id = identifier;
    fields.name = name;
    fields.coordinates = place;
    fields.version = kToday;
    fields.properties = properties;
    changes.put(id, {engine::Attributes::make(fields), engine::Relations::make(relations)});
    changes.set_number(id, RecordNumber{id.value});
  }

  const bool one_owner_;
  std::mt19937 random_{1};
  Graph graph_;
  RecordId next_{1};
  std::size_t round_ = 0;
  double home_ = 0;  // where nodes are put
  std::vector<Source> sources_;
};

Map& map_of(std::int64_t elements, bool one_owner) {
  static std::map<std::pair<std::int64_t, bool>, Map> made;
  return made.try_emplace({elements, one_owner}, elements, one_owner).first->second;
}

const engine::Countries kNoOutlines;

void BM_quality_inspect(benchmark::State& state) {
  const Map& map = map_of(state.range(0), false);
  std::size_t findings = 0;
  for (auto _ : state)
    engine::inspect({map.graph(), kNoOutlines, kToday}, [&](const auto&) { ++findings; });
  state.counters["findings"] =
      static_cast<double>(findings) / static_cast<double>(state.iterations());
}

void first(benchmark::State& state, bool one_owner) {
  const Map& map = map_of(state.range(0), one_owner);
  for (auto _ : state) {
    engine::QualityMonitor monitor(kNoOutlines);
    monitor.take(map.graph(), kToday);
    state.counters["bytes/record"] =
        static_cast<double>(monitor.memory_bytes()) / static_cast<double>(map.graph().size());
  }
}
void BM_quality_first(benchmark::State& state) {
  first(state, false);
}
void BM_quality_first_one_owner(benchmark::State& state) {
  first(state, true);
}

void BM_quality_next_day(benchmark::State& state) {
  const Map& map = map_of(state.range(0), false);
  engine::QualityMonitor monitor(kNoOutlines);
  Instant today = kToday;
  monitor.take(map.graph(), today);
  for (auto _ : state) {
    today.seconds += 86'400;
    monitor.take(map.graph(), today);
  }
}

void after(benchmark::State& state, bool one_owner) {
  Map& map = map_of(state.range(0), one_owner);
  engine::QualityMonitor monitor(kNoOutlines);
  monitor.take(map.graph(), kToday);
  for (auto _ : state) {
    state.PauseTiming();
    map.change(static_cast<std::size_t>(state.range(1)));
    state.ResumeTiming();
    monitor.take(map.graph(), kToday);
  }
}
void BM_quality_after(benchmark::State& state) {
  after(state, false);
}
void BM_quality_after_one_owner(benchmark::State& state) {
  after(state, true);
}

void maps(benchmark::internal::Benchmark* each) {
  each->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
}
void changes(benchmark::internal::Benchmark* each) {
  each->Args({1'000'000, 100})->Args({1'000'000, 5'000})->Unit(benchmark::kMillisecond);
}
BENCHMARK(BM_quality_inspect)->Apply(maps);
BENCHMARK(BM_quality_first)->Apply(maps);
BENCHMARK(BM_quality_first_one_owner)->Apply(maps);
BENCHMARK(BM_quality_next_day)->Apply(maps);
BENCHMARK(BM_quality_after)->Args({10, 10})->Apply(changes);
BENCHMARK(BM_quality_after_one_owner)->Apply(changes);

}  // namespace
}  // namespace netml::bench
