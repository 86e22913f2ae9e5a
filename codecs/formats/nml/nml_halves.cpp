#include "codecs/formats/nml/nml_halves.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace netml::codecs {

NmlHalves::NmlHalves(const NmlNetwork& network)
    : network_(network), half_of_port_(network.objects().size(), kNone) {
  list_halves();
  list_links();
}

// A part belongs to the first port that it is named in.
void NmlHalves::list_halves() {
  const auto& objects = network_.objects();
  const auto add = [&](std::uint32_t port) {
    half_of_port_[port] = static_cast<std::uint32_t>(halves_.size());
    halves_.push_back({.port = port});
  };
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    if (objects[i].is != NmlIs::both_ways_port || objects[i].descriptions.empty()) continue;
    add(i);
    for (const std::uint32_t part : objects[i].parts)
      if (half_of_port_[part] == kNone) half_of_port_[part] = half_of_port_[i];
  }
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    const NmlObject& port = objects[i];
    const bool is_here = !port.descriptions.empty() || port.inbound || port.outbound;
    const bool is_port = port.is == NmlIs::port || port.is == NmlIs::both_ways_port;
    if (is_port && is_here && half_of_port_[i] == kNone) add(i);
  }
  for (NmlHalf& half : halves_) find_place(half);
}

// The node that has it; else the topology.
void NmlHalves::find_place(NmlHalf& half) {
  const NmlObject& port = network_[half.port];
  std::vector<std::uint32_t> nodes = port.nodes;
  std::vector<std::uint32_t> topologies = port.topologies;
  for (const std::uint32_t part : port.parts) {
    const NmlObject& one_way = network_[part];
    nodes.insert(nodes.end(), one_way.nodes.begin(), one_way.nodes.end());
    topologies.insert(topologies.end(), one_way.topologies.begin(), one_way.topologies.end());
  }
  std::vector<std::uint32_t>& places = nodes.empty() ? topologies : nodes;
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  if (places.size() == 1)
    half.place = places.front();
  else
    half.lost_because = places.empty() ? std::string_view("no node and no topology has the port")
                                       : "several nodes or topologies have the port";
  if (!has_long_identifier(port)) return;
  half.place = kNone;
  half.lost_because = "an identifier of the port is longer than a half link may be";
}

bool NmlHalves::has_long_identifier(const NmlObject& port) const {
  const auto is_long = [](std::string_view id) { return !engine::may_be_in_half_link(id); };
  const auto is_long_object = [&](std::uint32_t other) { return is_long(network_[other].id); };
  if (is_long(port.id) || std::ranges::any_of(port.aliases, is_long_object)) return true;
  return std::ranges::any_of(port.parts, [&](std::uint32_t part) {
    return is_long_object(part) || std::ranges::any_of(network_[part].aliases, is_long_object);
  });
}

std::uint32_t NmlHalves::half_of(const std::vector<std::uint32_t>& ports) const {
  return ports.size() == 1 ? half_of_port_[ports.front()] : kNone;
}

void NmlHalves::list_links() {
  const auto& objects = network_.objects();
  std::vector<std::uint32_t> alone;
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    if (objects[i].descriptions.empty()) continue;
    if (objects[i].is == NmlIs::link && objects[i].whole.empty()) alone.push_back(i);
    if (objects[i].is != NmlIs::both_ways_link) continue;
    NmlLink link{.whole = i};
    for (const std::uint32_t part : objects[i].parts)
      if (objects[part].whole.front() == i) link.parts.push_back(part);
    links_.push_back(std::move(link));
  }
  pair_one_way_links(alone);
  for (NmlLink& link : links_) find_ends(link);
}

// Two are a pair when they join the same two ports of both directions, one each way.
void NmlHalves::pair_one_way_links(const std::vector<std::uint32_t>& alone) {
  using Ends = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Ends, std::vector<std::uint32_t>> by_ends;
  const auto is_for_both_ways = [&](std::uint32_t half) {
    return half != kNone && network_[halves_[half].port].is == NmlIs::both_ways_port;
  };
  for (const std::uint32_t link : alone) {
    const Ends ends{half_of(network_[link].sources), half_of(network_[link].sinks)};
    if (is_for_both_ways(ends.first) && is_for_both_ways(ends.second) && ends.first != ends.second)
      by_ends[ends].push_back(link);
    else
      links_.push_back({.parts = {link}, .one_way = true});
  }
  for (const auto& [ends, links] : by_ends) {
    const auto back = by_ends.find({ends.second, ends.first});
    const bool is_pair = links.size() == 1 && back != by_ends.end() && back->second.size() == 1;
    if (!is_pair) {
      for (const std::uint32_t link : links) links_.push_back({.parts = {link}, .one_way = true});
    } else if (ends.first < ends.second) {
      std::vector<std::uint32_t> pair{links.front(), back->second.front()};
      // Which of them gives its name does not follow the order of the file.
      std::ranges::sort(pair, {}, [&](std::uint32_t link) { return network_[link].id; });
      links_.push_back({.parts = std::move(pair)});
    }
  }
}

void NmlHalves::find_ends(NmlLink& link) {
  const auto add = [&](std::uint32_t half) {
    if (half == kNone) return false;
    const std::uint32_t place = halves_[half].place;
    if (place == kNone) return false;
    std::size_t end = 0;
    while (end < 2 && link.places[end] != kNone && link.places[end] != place) ++end;
    if (end == 2) return false;
    link.places[end] = place;
    auto& halves = link.halves[end];
    if (std::ranges::find(halves, half) == halves.end()) halves.push_back(half);
    return true;
  };
  bool known = !link.parts.empty() && link.parts.size() <= 2;
  for (const std::uint32_t part : link.parts)
    known = known && add(half_of(network_[part].sources)) && add(half_of(network_[part].sinks));
  if (!known)
    link.lost_because = "it does not join ports of two nodes";
  else if (link.places[1] == kNone)
    link.lost_because = "a link joins two different nodes";
  else if (link.parts.size() == 1 && link.whole == kNone)
    link.one_way = true;
  if (!link.lost_because.empty()) return;
  for (const auto& halves : link.halves)
    for (const std::uint32_t half : halves) halves_[half].on_link = true;
}

}  // namespace netml::codecs
