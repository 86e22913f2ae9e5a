// Routes of one element that have no shared-risk group in common, between two bounds: routes that
// were found, and a cut by groups, links and vertices. Where they do not meet, all ways are tried,
// as long as the work lasts.
//
// Why a cut by groups is an upper bound: each route crosses it, so uses one of what fails there,
// and no two use the same. It need not be reached: the problem is NP-hard, and no cut proves every
// answer.
//
// Thread: one at a time, with its finder.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/analysis/detail/risk_groups.hpp"
#include "engine/analysis/detail/route_finder.hpp"
#include "engine/analysis/detail/route_search.hpp"

namespace netml::engine::detail {

struct GroupCut {
  FoundCut rest;  // what is in none of the groups
  std::vector<Group> groups;
  std::size_t size() const { return rest.size() + groups.size(); }
};

struct GroupRoutes {
  std::vector<FoundRoute> routes;
  std::size_t at_most = 0;
  std::optional<GroupCut> cut = {};  // of the size at_most
};

class GroupRouteFinder {
 public:
  // All must outlive it; `finder` has no blocks, and is left so. Trying all ways for one element
  // takes at most `steps_max` of the finder's steps.
  GroupRouteFinder(RouteFinder& finder, const RiskGroups& groups, std::uint64_t steps_max)
      : finder_(finder),
        map_(finder.map()),
        groups_(groups),
        steps_max_(steps_max),
        search_(finder, groups) {}

  // Up to `most` routes. `at_most`: how many there are without groups, `cut` what all of those go
  // through, if they are fewer than `most`.
  GroupRoutes find(std::span<const Vertex> own, std::size_t most, std::size_t at_most,
                   const std::optional<FoundCut>& cut);

 private:
  std::vector<FoundRoute> one_after_another(std::span<const Vertex> own, std::size_t most);
  void try_all(std::span<const Vertex> own, GroupRoutes& found);
  void tighten(std::span<const Vertex> own, std::size_t most, GroupRoutes& found);
  void offer(FoundCut cut, const std::vector<Group>& failed, GroupRoutes& found) const;
  std::optional<FoundCut> links_of(std::span<const Vertex> own) const;

  RouteFinder& finder_;
  const RouteMap& map_;
  const RiskGroups& groups_;
  const std::uint64_t steps_max_;
  RouteSearch search_;
};

}  // namespace netml::engine::detail
