// A network as flat lists, made once for all that is asked of it about routes to a set of targets:
// the links at each vertex, and how far each vertex is from the nearest target.
//
// Owner: one check; the network may go. Memory: 6 bytes for each node and 24 for each link; while
// it is made 8 and 16 more. Thread: any (immutable).
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
  // Those that lead nearer to a target come first.
  std::span<const Arc> arcs(Vertex vertex) const {
    return std::span(arcs_).subspan(begins_[vertex], begins_[vertex + 1] - begins_[vertex]);
  }
  const std::array<Vertex, 2>& ends(Link link) const { return ends_[link]; }
  bool is_target(Vertex vertex) const { return distances_[vertex] == 0; }
  // In links, to the nearest target.
  std::uint16_t distance(Vertex vertex) const { return distances_[vertex]; }

 private:
  std::vector<Vertex> order_by_distance(const std::vector<bool>& targets);
  void sort_arcs(const std::vector<Vertex>& order);

  std::vector<std::array<Vertex, 2>> ends_;
  std::vector<std::uint32_t> begins_;  // by vertex, into arcs_; one more at the end
  std::vector<Arc> arcs_;
  std::vector<std::uint16_t> distances_;
};

}  // namespace netml::engine::detail
