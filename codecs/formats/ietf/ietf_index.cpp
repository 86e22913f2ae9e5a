#include "codecs/formats/ietf/ietf_index.hpp"

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_set.hpp>

#include "codecs/formats/ietf/ietf_fields.hpp"

namespace netml::codecs {

// The length tells where one ends and the other begins.
std::string ietf_key(std::string_view network, std::string_view id) {
  return fmt::format("{} {}/{}", network.size(), network, id);
}

IetfIndex::IetfIndex(JsonValue root, JsonObjects& objects) : objects_(objects) {
  list_networks(root);
  list_nodes();
  resolve_copies();
}

void IetfIndex::list_networks(JsonValue root) {
  const JsonValue networks = root[ietf::kNetworks];
  objects_.refuse_repeated(root);
  objects_.refuse_repeated(networks);
  boost::unordered_flat_set<IdKey, IdKeyHash> ids;
  std::uint32_t roots = 0;
  for (const JsonValue network : networks[ietf::kNetwork].items()) {
    const std::string_view id = objects_.id_of(network, "a network", "network-id");
    if (!id.empty() && !ids.insert(IdKey(id)).second)
      objects_.report("duplicate-id", fmt::format("two networks are {}", excerpt(id)), network);
    if (network[ietf::kParent].is_absent() && ++roots == 1)
      root_ = static_cast<std::uint32_t>(networks_.size());
    networks_.push_back({network, id});
  }
  if (roots > 1) root_ = kNone;
  if (networks_.empty())
    objects_.report("missing-member",
                    fmt::format("the file has no network: it lacks {}, or the list {} in it",
                                ietf::kNetworks, ietf::kNetwork),
                    root);
}

void IetfIndex::list_nodes() {
  for (IetfNetwork& network : networks_) {
    network.nodes_begin = static_cast<std::uint32_t>(nodes_.size());
    for (const JsonValue value : network.value[ietf::kNode].items()) {
      const std::string_view id = objects_.id_of(value, "a node", "node-id");
      const std::string_view key = keys_.emplace_back(ietf_key(network.id, id));
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({value, id, key, number});
      if (!node_of_key_.try_emplace(IdKey(key), number).second && !id.empty())
        objects_.report("duplicate-id", fmt::format("two nodes of one network are {}", excerpt(id)),
                        value);
    }
    network.nodes_end = static_cast<std::uint32_t>(nodes_.size());
  }
}

// A node of ours that stands in a network for a node of another one, where links need it.
void IetfIndex::resolve_copies() {
  for (IetfNode& node : nodes_) {
    const JsonValue supporting = node.value["supporting-node"];
    if (node.value[ietf::kCopy].text() != "true" || !supporting.is_array()) continue;
    if (supporting.size() != 1) continue;
    const JsonValue reference = *supporting.items().begin();
    const std::uint32_t original =
        find_node(text_member(reference, "network-ref"), text_member(reference, "node-ref"));
    if (original == kNone || reference.size() != 2) continue;
    if (nodes_[original].value[ietf::kCopy].is_absent()) node.stands_for = original;
  }
}

std::uint32_t IetfIndex::find_node(std::string_view network, std::string_view node) const {
  const std::string key = ietf_key(network, node);
  const auto found = node_of_key_.find(IdKey(key));
  return node.empty() || found == node_of_key_.end() ? kNone : found->second;
}

}  // namespace netml::codecs
