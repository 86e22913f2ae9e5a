// Routes from a set of own vertices to the targets of a map that have no link, or no vertex, in
// common: a flow of one unit for each, found by augmenting paths, as many as are asked for.
//
// For routes without common vertices each vertex is thought of as two, `in` and `out`, with room
// for one route between them; nothing is copied for it. A search goes on where it is nearest to a
// target, so that it looks at little more than the routes; one that fails has seen all that lies
// before the smallest cut that is nearest to the own vertices.
//
// Owner: one check; the map must outlive it. What a search notes is used again for the next one,
// and undone where it was touched. Memory: 21 bytes for each node, 20 more where nodes are split,
// 2 for each link. Thread: one at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/analysis/detail/route_map.hpp"

namespace netml::engine::detail {

struct FoundRoute {
  Vertex from = 0;
  std::vector<Arc> arcs;
};

struct FoundCut {
  std::vector<Link> links;
  std::vector<Vertex> vertices;
  std::size_t size() const { return links.size() + vertices.size(); }
};

enum class Added : std::uint8_t { yes, no, stopped };

class RouteFinder {
 public:
  struct Rules {
    bool split_vertices = false;  // routes have no vertex in common
    bool distinct_ends = false;   // no two end at the same target
  };
  // Looks at `steps_max` arcs in all; then every search is `stopped`.
  RouteFinder(const RouteMap& map, Rules rules, std::uint64_t steps_max);

  // From here on, without any route. None of `own` is a target. Blocks stay.
  void begin(std::span<const Vertex> own);
  // Finds one more route, for which those found before may be laid anew.
  Added add();
  // Until there are `most` of them, or no more.
  Added add_up_to(std::size_t most);
  std::vector<FoundRoute> routes();
  // After add() was answered `no`: what all routes go through, as many as there are.
  FoundCut cut() const;
  // Whether the search that failed last reached the vertex, and could have gone on from it.
  bool is_before_cut(Vertex vertex) const { return is_reached(out_of(vertex)); }
  std::size_t reached() const { return reached_count_; }
  // The vertices that the search that failed last came to, beginning with the own ones. None: more
  // than `most`, or an own one has no way to any target, so that nothing was searched.
  std::optional<std::vector<Vertex>> before_cut(std::size_t most) const;

  // No route uses these until unblock().
  void block_link(Link link);
  void block_vertex(Vertex vertex);
  void unblock();

  // Of those that it may still make; others that work for it take theirs off, too.
  std::uint64_t steps_left() const { return steps_left_; }
  void spend(std::uint64_t steps) { steps_left_ -= std::min(steps, steps_left_); }

  // Takes note that vertices and links came to the map or went, with so many steps from here on.
  void follow_map(std::uint64_t steps_max);

  const RouteMap& map() const { return map_; }
  const Rules& rules() const { return rules_; }

 private:
  // A vertex, or one of the two that it is split into.
  using Place = std::uint32_t;
  struct Step {
    Place from = 0;
    Arc arc;
    bool along = false;  // an arc; else from `in` to `out` of one vertex or back
  };
  struct VertexState {
    bool own : 1 = false;
    bool passed : 1 = false;  // by a route, from `in` to `out`
    bool ended : 1 = false;   // a route ends there
    bool blocked : 1 = false;
  };

  Place in_of(Vertex vertex) const { return vertex; }
  Place out_of(Vertex vertex) const {
    return rules_.split_vertices ? vertex + static_cast<Place>(map_.vertices()) : vertex;
  }
  bool is_out(Place place) const { return place >= map_.vertices(); }
  Vertex vertex_of(Place place) const {
    return is_out(place) ? place - static_cast<Vertex>(map_.vertices()) : place;
  }
  bool is_reached(Place place) const { return reached_in_[place] == search_; }
  // Of a route along the arc 1, of one against it -1.
  int flow(const Arc& arc) const { return arc.reversed() ? -flow_[arc.link()] : flow_[arc.link()]; }

  void begin_search();
  void reach(Place place, const Step& step);
  bool take_nearest(Place& place);
  // True where a target was reached that may end one more route; it is in end_.
  bool expand(Place place);
  void cross_vertex(Place place, Vertex vertex);
  void lay_route();
  FoundRoute trace(Vertex from, const Arc& first);

  const RouteMap& map_;
  const Rules rules_;
  std::uint64_t steps_left_;

  std::vector<Vertex> own_;
  std::vector<std::int8_t> flow_;  // by link
  std::vector<VertexState> states_;
  std::vector<std::uint8_t> blocked_;  // by link
  std::vector<Link> used_links_;       // where flow_ was changed; may repeat
  std::vector<Vertex> used_vertices_;
  std::vector<Link> blocked_links_;
  std::vector<Vertex> blocked_vertices_;
  std::size_t count_ = 0;

  std::uint32_t search_ = 0;                 // counts them
  std::vector<std::uint32_t> reached_in_;    // by place: the search that reached it last
  std::vector<Step> steps_;                  // by place: how it was reached
  std::vector<std::vector<Place>> waiting_;  // by distance from a target
  std::size_t nearest_ = 0;                  // nothing waits below
  std::size_t farthest_ = 0;                 // nor beyond
  std::size_t reached_count_ = 0;
  Place end_ = 0;
};

}  // namespace netml::engine::detail
