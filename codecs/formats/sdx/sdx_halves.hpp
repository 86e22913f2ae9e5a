// Ports of an AtlanticWave-SDX topology, and what they say of links to other networks.
//
// Thread: its owner; the JSON outlives it.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/document/json_tree.hpp"
#include "engine/half_links/half_link.hpp"

namespace netml::codecs {

enum class SdxLinkIs : std::uint8_t { link, half_link, lost };

struct SdxLink {
  SdxLinkIs is = SdxLinkIs::lost;
  JsonValue link;
  std::uint32_t nodes[2] = {0, 0};  // of a half link the first one is its node
  std::string_view lost_because = {};
};

class SdxHalves {
 public:
  // Nodes are numbered as in the list.
  SdxHalves(JsonValue nodes, JsonValue links);

  const std::vector<SdxLink>& links() const { return links_; }
  // Half links of a node, one for each port.
  const std::vector<engine::HalfLink>& halves(std::uint32_t node) const { return halves_[node]; }
  // Links of the list that these are made of.
  const std::vector<std::uint32_t>& half_links(std::uint32_t node) const {
    return half_links_[node];
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Port {
    std::uint32_t node = kNone;
    JsonValue port;  // as the node has it
  };

  void list_ports(JsonValue nodes);
  void add_link(JsonValue link);
  void add_half(JsonValue link, JsonValue own, JsonValue other);
  void add_neighbours(JsonValue nodes, JsonValue links);
  void add_labels(engine::HalfLink& half, JsonValue port) const;
  Port port_at(JsonValue port) const;
  void keep(std::uint32_t node, engine::HalfLink half);

  boost::unordered_flat_map<IdKey, Port, IdKeyHash> ports_;           // by identifier
  boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash> nodes_;  // by identifier
  std::vector<SdxLink> links_;
  std::vector<std::vector<engine::HalfLink>> halves_;
  std::vector<std::vector<std::uint32_t>> half_links_;
};

}  // namespace netml::codecs
