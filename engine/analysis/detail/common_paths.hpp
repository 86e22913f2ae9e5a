// Routes of one element that may have links in common, as short ones as possible: each link costs
// its length for every route beyond the first. A flow of least cost with convex costs, found by
// shortest paths on the residual network one after another (Dijkstra with potentials), which is
// exact.
//
// A search goes on where it is cheapest, and of equal ones where it is nearest to a target. Memory:
// about 80 bytes for each vertex that a search reaches. Thread: one at a time.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/analysis/detail/route_finder.hpp"

namespace netml::engine::detail {

using Metres = std::int64_t;

struct CommonRoutes {
  std::vector<FoundRoute> routes;
  Metres common = 0;
  // What they would have in common with one route more; none where there is no further one.
  std::optional<Metres> next = {};
  bool stopped = false;  // the steps did not suffice
};

class CommonPaths {
 public:
  // Of a link; one whose length is not known is never common.
  using LengthOf = std::function<std::optional<Metres>(Link)>;
  // The map must outlive it.
  CommonPaths(const RouteMap& map, LengthOf length_of, bool distinct_ends)
      : map_(map), length_of_(std::move(length_of)), distinct_ends_(distinct_ends) {}

  // Up to `most` routes that have at most `limit` in common. Takes the steps that it made off
  // `steps_left`.
  CommonRoutes find(std::span<const Vertex> own, std::size_t most, Metres limit,
                    std::uint64_t& steps_left);

 private:
  struct Waiting {
    Metres cost = 0;  // reduced by potentials
    std::uint16_t distance = 0;
    Vertex vertex = 0;
  };
  struct Reached {
    Metres cost = 0;
    Vertex from = 0;
    Arc arc;
    bool done = false;
  };

  std::optional<Metres> cost(const Arc& arc) const;
  int flow(const Arc& arc) const;
  Added search(std::span<const Vertex> own, std::uint64_t& steps_left);
  void expand(Vertex vertex, std::span<const Vertex> own);
  void reach(Vertex vertex, const Reached& how);
  Metres path_cost(std::span<const Vertex> own) const;
  void lay(std::span<const Vertex> own);
  std::vector<FoundRoute> routes(std::span<const Vertex> own) const;

  const RouteMap& map_;
  const LengthOf length_of_;
  const bool distinct_ends_;

  boost::unordered_flat_map<Link, int> flow_;  // of routes along the link
  boost::unordered_flat_map<Vertex, Metres> potentials_;
  boost::unordered_flat_map<Vertex, Reached> reached_;
  std::vector<Vertex> ends_;      // of routes
  std::vector<Waiting> waiting_;  // a heap
  Vertex end_ = 0;
};

}  // namespace netml::engine::detail
