// A network as flat lists, made once for all that is asked of it about routes to a set of targets:
// the links at each vertex, and how far each vertex is from the nearest target. Links may come and
// go later.
//
// Owner: one check; the network may go. Memory: 10 bytes for each node and 24 for each link; while
// it is made 8 and 16 more. Thread: any as long as nothing comes or goes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace netml::engine {
class Network;  // engine/analysis/network.hpp
}

namespace netml::engine::detail {

using Vertex = std::uint32_t;
using Link = std::uint32_t;  // the index of an edge

// A link as it leads away from one of its ends.
struct Arc {
  Vertex to = 0;
  std::uint32_t key = 0;  // twice the link, and one where it is reversed

  Link link() const { return key >> 1; }
  // Against the order in which the link has its ends.
  bool reversed() const { return (key & 1) != 0; }
};

class RouteMap {
 public:
  static constexpr std::uint16_t kUnreachable = 0xffff;
  static constexpr std::uint16_t kDistanceMax = 0xfffe;  // stands for all beyond it, too

  // `targets` by vertex.
  RouteMap(const Network& network, const std::vector<bool>& targets);

  std::size_t vertices() const { return distances_.size(); }
  std::size_t links() const { return ends_.size(); }
  // Those that lead nearer to a target come first; behind them those that came later.
  std::span<const Arc> arcs(Vertex vertex) const {
    const Range& range = ranges_[vertex];
    return std::span(arcs_).subspan(range.begin, range.end - range.begin);
  }
  const std::array<Vertex, 2>& ends(Link link) const { return ends_[link]; }
  bool is_target(Vertex vertex) const { return distances_[vertex] == 0; }
  // In links, to the nearest target. Once links are gone it may be farther.
  std::uint16_t distance(Vertex vertex) const { return distances_[vertex]; }

  // ---- what comes and goes ----
  Vertex add_vertex();  // the next one, which is no target
  // The next one, unless its ends are one vertex: that is a number without a link.
  void add_link(Vertex a, Vertex b);
  void remove_link(Link link);
  // So much came that the lists of links have become several times as long as they need be.
  bool is_worn() const { return arcs_.size() > 6 * ends_.size() + kArcsWithoutWear; }

 private:
  static constexpr std::size_t kArcsWithoutWear = 100'000;
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  void add_arc(Vertex from, Arc arc);
  void remove_arc(Vertex from, Link link);
  void shorten_distances(Vertex a, Vertex b);
  std::vector<Vertex> order_by_distance(const std::vector<bool>& targets);
  void sort_arcs(const std::vector<Vertex>& order);

  std::vector<std::array<Vertex, 2>> ends_;
  std::vector<Range> ranges_;  // by vertex, of arcs_
  std::vector<Arc> arcs_;
  std::vector<std::uint16_t> distances_;
};

}  // namespace netml::engine::detail
