// What is there more than once: identifiers, names, links. Compared by sorting hashes, and then by
// the texts themselves.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/lower_case.hpp"
#include "engine/base/texts.hpp"
#include "engine/graph/properties.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

struct Hashed {
  std::uint64_t group = 0;  // only within it records are compared
  std::uint64_t hash = 0;
  RecordId record;
  auto operator<=>(const Hashed&) const = default;
};

// `report(record, first)` for each that is equal to an earlier one, and for that one, too.
template <class Equal, class Find>
void find_repeats(std::vector<Hashed> records, Equal&& equal, Find&& find) {
  std::ranges::sort(records);
  for (std::size_t i = 1; i < records.size(); ++i) {
    const Hashed& first = records[i - 1];
    if (records[i].group != first.group || records[i].hash != first.hash) continue;
    if (!equal(first.record, records[i].record)) continue;
    const bool begins = i == 1 || records[i - 2].group != first.group ||
                        records[i - 2].hash != first.hash ||
                        !equal(records[i - 2].record, first.record);
    if (begins) find(first.record, records[i].record);
    find(records[i].record, first.record);
  }
}

std::string folded_name(const Graph& graph, RecordId id) {
  return lower_case(trimmed(graph.attributes(id).name()));
}

void check_names(const Graph& graph, Kind kind, const Report& report) {
  std::vector<Hashed> names;
  graph.for_each_of(kind, [&](RecordId id) {
    const std::string name = folded_name(graph, id);
    if (name.empty() || is_placeholder(name)) return;
    const std::uint64_t hash = std::hash<std::string>{}(name);
    if (kind != Kind::node) {
      names.push_back({0, hash, id});
      return;
    }
    for (const RecordId topology : graph.relations(id).topologies())
      names.push_back({topology.value, hash, id});
  });
  // Once, in however many topologies that is so.
  std::vector<bool> reported(graph.next_id().value);
  find_repeats(
      std::move(names),
      [&](RecordId a, RecordId b) { return folded_name(graph, a) == folded_name(graph, b); },
      [&](RecordId id, RecordId other) {
        if (reported[id.value]) return;
        reported[id.value] = true;
        report({.check = Check::name_repeated, .record = id, .other = other});
      });
}

// What tells a circuit from others of its operator.
constexpr std::array<std::string_view, 6> kCircuitNames{"circuit",   "circuit_id", "circuit id",
                                                        "circuitid", "cid",        "service_id"};

// Parallel links say much the same, and are none the worse: two are one if they are one circuit.
void check_links(const Graph& graph, const Report& report) {
  const auto circuit = [&](RecordId id) {
    return first_property(graph.attributes(id), kCircuitNames);
  };
  std::vector<Hashed> links;
  graph.for_each_of(Kind::link, [&](RecordId id) {
    if (circuit(id).empty()) return;
    const auto ends = graph.relations(id).ends();
    const auto [low, high] = std::minmax(ends[0], ends[1]);
    links.push_back({edge_key(low, high), std::hash<std::string_view>{}(circuit(id)), id});
  });
  find_repeats(
      std::move(links), [&](RecordId a, RecordId b) { return circuit(a) == circuit(b); },
      [&](RecordId id, RecordId other) {
        report({.check = Check::link_repeated, .record = id, .other = other});
      });
}

}  // namespace

void check_repeats(const Inspection& map, const Report& report) {
  const Graph& graph = map.graph;
  for (const Kind kind : kKinds)
    for (const std::vector<RecordId>& group : graph.duplicates(kind))
      for (const RecordId id : group)
        report({.check = Check::identifier_repeated,
                .record = id,
                .other = id == group[0] ? group[1] : group[0]});
  for (const Kind kind : {Kind::topology, Kind::institution, Kind::node})
    check_names(graph, kind, report);
  check_links(graph, report);
}

}  // namespace netml::engine
