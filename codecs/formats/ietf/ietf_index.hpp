// The networks and nodes of a file by RFC 8345, by what the file calls them, before anything is
// made of them: links, parents and copies may name what comes later.
//
// Ownership: places in a JsonTree that outlives it. Thread: its owner.
// Errors: reported, what lacks its name or has that of another.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/document/json_tree.hpp"
#include "codecs/formats/draft/json_objects.hpp"

namespace netml::codecs {

struct IetfNetwork {
  JsonValue value;
  std::string_view id;
  std::uint32_t nodes_begin = 0;
  std::uint32_t nodes_end = 0;
};

struct IetfNode {
  JsonValue value;
  std::string_view id;           // in its network
  std::string_view key;          // in the file
  std::uint32_t stands_for = 0;  // itself, or the node that it is a copy of
};

class IetfIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // Both outlive this.
  IetfIndex(JsonValue root, JsonObjects& objects);

  const std::vector<IetfNetwork>& networks() const { return networks_; }
  const std::vector<IetfNode>& nodes() const { return nodes_; }
  // The network that is the map's own topology: the one that stands in no other, if it is the only
  // one; else kNone.
  std::uint32_t root() const { return root_; }
  // kNone where the network has no such node.
  std::uint32_t find_node(std::string_view network, std::string_view node) const;

 private:
  void list_networks(JsonValue root);
  void list_nodes();
  void resolve_copies();

  JsonObjects& objects_;
  std::vector<IetfNetwork> networks_;
  std::uint32_t root_ = kNone;
  std::vector<IetfNode> nodes_;
  std::deque<std::string> keys_;
  boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash> node_of_key_;
};

// Of a node or link in the file: that of its network and its own.
std::string ietf_key(std::string_view network, std::string_view id);

}  // namespace netml::codecs
