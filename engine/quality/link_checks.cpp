// Links: their ends, how long they are, how fast, and their other halves.
#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/base/lower_case.hpp"
#include "engine/graph/properties.hpp"
#include "engine/half_links/join_half_links.hpp"
#include "engine/quality/geography.hpp"
#include "engine/quality/quantities.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

constexpr std::array<std::string_view, 6> kLengthNames{
    "length", "length_km", "distance", "distance_km", "fibre_length", "fiber_length"};
constexpr std::array<std::string_view, 3> kMediumNames{"medium", "media", "technology"};
constexpr std::string_view kThroughput = "throughput";

// How far a medium reaches without anything between: more than anybody has built.
struct Reach {
  std::string_view word;  // lower case; somewhere in the value
  double km;
};
constexpr auto kReaches = std::to_array<Reach>({{"copper", 10},
                                                {"twisted pair", 1},
                                                {"utp", 1},
                                                {"coax", 20},
                                                {"multimode", 5},
                                                {"multi-mode", 5},
                                                {"free space", 30},
                                                {"wi-fi", 350},
                                                {"wifi", 350},
                                                {"microwave", 350},
                                                {"radio", 350}});
// Stated lengths are rounded, and places stand for buildings.
constexpr double kLengthSlack = 0.9;
constexpr double kLengthSlackKm = 5;

std::optional<double> reach_km(const Attributes& link) {
  const std::string_view medium = first_property(link, kMediumNames);
  if (medium.empty()) return std::nullopt;
  for (const Reach& reach : kReaches)
    if (holds(medium, reach.word)) return reach.km;
  return std::nullopt;
}

void check_distance(const Attributes& link, RecordId id, double apart, const Report& report) {
  const auto find = [&](Check check) {
    report({.check = check, .record = id, .kilometres = apart});
  };
  if (const auto reach = reach_km(link); reach && apart > *reach) find(Check::link_too_long);
  const auto length = length_km(first_property(link, kLengthNames));
  if (length && *length >= 0 && *length < apart * kLengthSlack - kLengthSlackKm)
    find(Check::link_length_short);
}

void check_ends(const Graph& graph, RecordId id, const std::function<bool(RecordId)>& is_doubtful,
                const Report& report) {
  const auto ends = graph.relations(id).ends();
  if (ends[0] == ends[1]) {
    report({.check = Check::link_loop, .record = id, .other = ends[0]});
    return;
  }
  const Attributes& link = graph.attributes(id);
  const auto a = graph.attributes(ends[0]).coordinates();
  const auto b = graph.attributes(ends[1]).coordinates();
  if (a && b && !is_doubtful(ends[0]) && !is_doubtful(ends[1])) {
    if (*a == *b)
      report({Check::link_one_place, id});
    else
      check_distance(link, id, kilometres(*a, *b), report);
  }
  for (const RecordId end : ends) {
    const auto node_ends = graph.attributes(end).end();
    if (node_ends && (!link.end() || *link.end() > *node_ends)) {
      report({.check = Check::link_outlives_node, .record = id, .other = end});
      break;
    }
  }
}

}  // namespace

void check_link(const Inspection& map, RecordId id,
                const std::function<bool(RecordId)>& is_doubtful, const Report& report) {
  check_ends(map.graph, id, is_doubtful, report);
  const std::string_view throughput = first_property(map.graph.attributes(id), kThroughput);
  if (!throughput.empty() && !bits_per_second(throughput)) report({Check::link_capacity_odd, id});
}

// Halves whose other half is in no map that the node has lead out of it, and are no fault.
void check_half_links(const Graph& graph, Records nodes, const Report& report) {
  std::vector<HalfLinkAt> halves;
  for (const RecordId id : nodes) add_half_links(id, graph.attributes(id), halves);
  RecordId last;  // a node has the finding once
  for (const UnjoinedHalf& half : join_half_links(halves).unjoined) {
    const RecordId node = halves[half.half].node;
    if (half.why == Unjoined::dangling || node == last) continue;
    report({Check::link_one_sided, node});
    last = node;
  }
}

// Its own ports and those that it names: whether halves are joined is a matter of which have a
// port, and of what these say.
void add_port_keys(const Graph& graph, RecordId id, Keys& keys) {
  if (graph.kind(id) != Kind::node) return;
  std::vector<HalfLinkAt> halves;
  add_half_links(id, graph.attributes(id), halves);
  const auto add = [&](std::string_view port) {
    keys.push_back(static_cast<std::uint32_t>(std::hash<std::string_view>{}(port)));
  };
  for (const auto& [node, half] : halves) {
    add(half.port());
    for (const std::string_view name : {half_link::kIn, half_link::kOut, half_link::kPeer,
                                        half_link::kPeerIn, half_link::kPeerOut})
      for (const HalfLinkMember& member : half.values(name)) add(member.value);
  }
}

}  // namespace netml::engine
