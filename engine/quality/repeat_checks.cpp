// What is there more than once: identifiers, names, links. Compared by sorting hashes, and then by
// the texts themselves.
#include <algorithm>
#include <array>
#include <boost/container_hash/hash.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/lower_case.hpp"
#include "engine/base/placeholder.hpp"
#include "engine/base/texts.hpp"
#include "engine/graph/properties.hpp"
#include "engine/graph/record_sets.hpp"
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

// `visit(group, hash)` for each group of records that its name is compared in: nodes are compared
// within each of their topologies.
template <class Visit>
void for_each_name(const Graph& graph, RecordId id, Visit&& visit) {
  const Kind kind = graph.kind(id);
  if (kind == Kind::link) return;
  const std::string name = folded_name(graph, id);
  if (name.empty() || is_placeholder(name)) return;
  const std::uint64_t hash = std::hash<std::string>{}(name);
  const std::uint64_t of_kind = static_cast<std::uint64_t>(kind) << 32;
  if (kind != Kind::node) return visit(of_kind, hash);
  for (const RecordId topology : graph.relations(id).topologies())
    visit(of_kind | topology.value, hash);
}

// What tells a circuit from others of its operator.
constexpr std::array<std::string_view, 6> kCircuitNames{"circuit",   "circuit_id", "circuit id",
                                                        "circuitid", "cid",        "service_id"};

std::string_view circuit_of(const Graph& graph, RecordId id) {
  if (graph.kind(id) != Kind::link) return {};
  return first_property(graph.attributes(id), kCircuitNames);
}

// `visit(group, hash)`, the group being the nodes at its ends.
template <class Visit>
void for_each_circuit(const Graph& graph, RecordId id, Visit&& visit) {
  const std::string_view circuit = circuit_of(graph, id);
  if (circuit.empty()) return;
  const auto ends = graph.relations(id).ends();
  const auto [low, high] = std::minmax(ends[0], ends[1]);
  visit(edge_key(low, high), std::hash<std::string_view>{}(circuit));
}

std::uint32_t key_of(std::uint64_t group, std::uint64_t hash) {
  std::size_t seed = group;
  boost::hash_combine(seed, hash);
  return static_cast<std::uint32_t>(seed);
}

}  // namespace

void check_names(const Graph& graph, Records records, const Report& report) {
  std::vector<Hashed> names;
  for (const RecordId id : records)
    for_each_name(graph, id, [&](std::uint64_t group, std::uint64_t hash) {
      names.push_back({group, hash, id});
    });
  // Once, in however many topologies that is so.
  RecordSet reported;
  find_repeats(
      std::move(names),
      [&](RecordId a, RecordId b) { return folded_name(graph, a) == folded_name(graph, b); },
      [&](RecordId id, RecordId other) {
        if (reported.insert(id).second)
          report({.check = Check::name_repeated, .record = id, .other = other});
      });
}

// Parallel links say much the same, and are none the worse: two are one if they are one circuit.
void check_circuits(const Graph& graph, Records records, const Report& report) {
  std::vector<Hashed> links;
  for (const RecordId id : records)
    for_each_circuit(graph, id, [&](std::uint64_t group, std::uint64_t hash) {
      links.push_back({group, hash, id});
    });
  find_repeats(
      std::move(links),
      [&](RecordId a, RecordId b) { return circuit_of(graph, a) == circuit_of(graph, b); },
      [&](RecordId id, RecordId other) {
        report({.check = Check::link_repeated, .record = id, .other = other});
      });
}

void add_name_keys(const Graph& graph, RecordId id, Keys& keys) {
  for_each_name(graph, id, [&](std::uint64_t group, std::uint64_t hash) {
    keys.push_back(key_of(group, hash));
  });
}

void add_circuit_keys(const Graph& graph, RecordId id, Keys& keys) {
  for_each_circuit(graph, id, [&](std::uint64_t group, std::uint64_t hash) {
    keys.push_back(key_of(group, hash));
  });
}

}  // namespace netml::engine
