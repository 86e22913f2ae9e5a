// The shared-risk groups of a network's links, as their properties `srlg` name them: a property may
// be repeated, and ';' parts names in one. Groups of a single link say nothing, and are none.
//
// Owner: one check. Memory: 12 bytes for each link of a group, 4 for each link. Thread: any
// (immutable).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/analysis/detail/route_finder.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine::detail {

using Group = std::uint32_t;

class RiskGroups {
 public:
  RiskGroups() = default;  // none
  RiskGroups(const Graph& graph, const Network& network);

  bool empty() const { return names_.empty(); }
  const std::string& name(Group group) const { return names_[group]; }
  std::span<const Link> links(Group group) const {
    return std::span(links_).subspan(links_at_[group], links_at_[group + 1] - links_at_[group]);
  }
  std::span<const Group> of(Link link) const {
    if (empty() || link + 1 >= groups_at_.size()) return {};  // it came later, without any
    return std::span(groups_).subspan(groups_at_[link], groups_at_[link + 1] - groups_at_[link]);
  }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;  // ascending
  std::vector<std::uint32_t> links_at_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> groups_at_;
  std::vector<Group> groups_;
};

// Groups that several of the routes use, those of most routes first.
std::vector<Group> common_groups(const RiskGroups& groups, std::span<const FoundRoute> routes);

// No other route may use what a route along the arc uses: the link, its groups, the vertex there
// where routes must not have it in common. Until the finder's unblock().
void block_for_others(const Arc& arc, const RiskGroups& groups, RouteFinder& finder);

}  // namespace netml::engine::detail
