#include "engine/analysis/detail/risk_groups.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/analysis/network.hpp"
#include "engine/analysis/redundancy.hpp"
#include "engine/base/texts.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine::detail {

namespace {

using LinksByName = std::map<std::string, std::vector<Link>, std::less<>>;

void add(std::string_view names, Link link, LinksByName& found) {
  while (!names.empty()) {
    const std::string_view name = trimmed(take_until(names, ';'));
    if (name.empty()) continue;
    auto at = found.find(name);
    if (at == found.end()) at = found.emplace(name, std::vector<Link>()).first;
    std::vector<Link>& links = at->second;
    if (links.empty() || links.back() != link) links.push_back(link);
  }
}

LinksByName links_by_name(const Graph& graph, const Network& network) {
  LinksByName found;
  for (Link link = 0; link < network.links().size(); ++link)
    graph.attributes(network.links()[link]).for_each_property([&](const Property& property) {
      if (property.name == kRiskGroupProperty) add(property.value, link, found);
    });
  return found;
}

}  // namespace

RiskGroups::RiskGroups(const Graph& graph, const Network& network) {
  std::vector<std::pair<Link, Group>> pairs;
  links_at_.push_back(0);
  for (auto& [name, links] : links_by_name(graph, network)) {
    if (links.size() < 2) continue;
    for (const Link link : links) pairs.emplace_back(link, static_cast<Group>(names_.size()));
    names_.push_back(name);
    links_.insert(links_.end(), links.begin(), links.end());
    links_at_.push_back(static_cast<std::uint32_t>(links_.size()));
  }
  if (empty()) return;
  std::ranges::sort(pairs);
  std::size_t at = 0;
  for (Link link = 0; link <= network.links().size(); ++link) {
    groups_at_.push_back(static_cast<std::uint32_t>(groups_.size()));
    for (; at < pairs.size() && pairs[at].first == link; ++at) groups_.push_back(pairs[at].second);
  }
}

std::vector<Group> common_groups(const RiskGroups& groups, std::span<const FoundRoute> routes) {
  std::vector<Group> used;  // once for each route
  for (const FoundRoute& route : routes) {
    std::vector<Group> of_route;
    for (const Arc& arc : route.arcs) {
      const auto of_link = groups.of(arc.link());
      of_route.insert(of_route.end(), of_link.begin(), of_link.end());
    }
    sort_each_once(of_route);
    used.insert(used.end(), of_route.begin(), of_route.end());
  }
  std::ranges::sort(used);
  std::vector<std::pair<std::size_t, Group>> counted;
  for (std::size_t begin = 0, end = 0; begin < used.size(); begin = end) {
    while (end < used.size() && used[end] == used[begin]) ++end;
    if (end - begin > 1) counted.emplace_back(end - begin, used[begin]);
  }
  std::ranges::stable_sort(counted, std::greater(), &std::pair<std::size_t, Group>::first);
  std::vector<Group> common;
  common.reserve(counted.size());
  for (const auto& [count, group] : counted) common.push_back(group);
  return common;
}

void block_for_others(const Arc& arc, const RiskGroups& groups, RouteFinder& finder) {
  finder.block_link(arc.link());
  for (const Group group : groups.of(arc.link()))
    for (const Link link : groups.links(group)) finder.block_link(link);
  const bool end = finder.map().is_target(arc.to);
  if (end ? finder.rules().distinct_ends : finder.rules().split_vertices)
    finder.block_vertex(arc.to);
}

}  // namespace netml::engine::detail
