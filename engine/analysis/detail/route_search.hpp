// Tries all ways to lay a number of routes without a common link, vertex or shared-risk group, link
// by link, nearest to a target first. Where a route takes a group from the others, a flow tells
// whether there can still be enough of them. What is on the way is held in vectors: no recursion.
//
// Memory: 4 bytes for each node, 1 for each link, 8 for each group. Thread: one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/analysis/detail/risk_groups.hpp"
#include "engine/analysis/detail/route_finder.hpp"

namespace netml::engine::detail {

class RouteSearch {
 public:
  // All must outlive it; `finder` has no blocks, and is left so.
  RouteSearch(RouteFinder& finder, const RiskGroups& groups)
      : finder_(finder), map_(finder.map()), rules_(finder.rules()), groups_(groups) {}

  // `own` ascends. `no`: there are none, which is certain; `stopped`: nobody knows. Takes its steps
  // from the finder, until that has `stop_at` left.
  Added run(std::span<const Vertex> own, std::size_t wanted, std::uint64_t stop_at);
  // What the last run() found that was answered `yes`.
  std::vector<FoundRoute> take_routes() { return std::move(routes_); }

 private:
  struct First {
    Vertex from = 0;
    Arc arc;
  };
  // Where the search chooses what comes next: behind a vertex, or how a route begins.
  struct Choice {
    Vertex vertex = 0;
    std::uint32_t next = 0;
    std::uint32_t route = 0;
    bool begins = false;
  };
  // How it came to the choice of the same place in choices_, but the first.
  struct Laid {
    Vertex from = 0;
    Arc arc;
    std::uint32_t route = 0;
  };

  Added lay_all(std::size_t wanted, std::uint64_t stop_at);
  void begin_next(std::uint32_t route);
  void gather_firsts();
  void gather_routes();
  bool next_of(Choice& choice, Laid& next) const;
  bool may_lay(const Laid& next) const;
  void lay(const Laid& next, bool undo);
  void undo_last();
  bool leaves_room(const Laid& last, std::size_t wanted);
  bool is_own(Vertex vertex) const;

  RouteFinder& finder_;
  const RouteMap& map_;
  const RouteFinder::Rules& rules_;
  const RiskGroups& groups_;

  std::span<const Vertex> own_;
  std::vector<First> firsts_;
  std::vector<Choice> choices_;
  std::vector<Laid> laid_;
  std::vector<FoundRoute> routes_;
  std::vector<std::uint32_t> passed_;       // by vertex: a bit for each route
  std::vector<std::uint8_t> used_;          // by link
  std::vector<std::uint32_t> group_uses_;   // by group: links of routes
  std::vector<std::uint32_t> group_route_;  // by group: whose they are
};

}  // namespace netml::engine::detail
