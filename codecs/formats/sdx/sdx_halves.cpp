#include "codecs/formats/sdx/sdx_halves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "codecs/formats/sdx/sdx_fields.hpp"
#include "codecs/formats/sdx/sdx_private.hpp"

namespace netml::codecs {

namespace {

namespace half_link = engine::half_link;
using engine::HalfLink;

// A member that its object does not keep private.
JsonValue visible(JsonValue object, std::string_view name) {
  return private_names(object).contains(name) ? JsonValue() : object[name];
}

// A port of a link is an object, or its identifier alone.
std::string_view id_of(JsonValue port) {
  return port.is_string() ? port.text() : visible(port, "id").text();
}

bool names_a_port(std::string_view text) {
  return text.starts_with("urn:sdx:port:");
}

// "100-200" of a text, or of a list of two numbers.
std::string range_of(JsonValue value) {
  if (!value.is_array()) return std::string(value.text());
  std::string range;
  for (const JsonValue bound : value.items()) {
    if (!range.empty()) range += '-';
    range += bound.text();
  }
  return range;
}

std::string ranges_of(JsonValue list) {
  std::string all;
  for (const JsonValue item : list.items()) {
    if (!all.empty()) all += ',';
    all += range_of(item);
  }
  return all;
}

}  // namespace

SdxHalves::SdxHalves(JsonValue nodes, JsonValue links) {
  list_ports(nodes);
  for (const JsonValue link : links.items()) add_link(link);
  add_neighbours(nodes, links);
  for (auto& halves : halves_) {
    std::ranges::stable_sort(halves, {}, &HalfLink::port);
    std::vector<HalfLink> merged;
    for (HalfLink& half : halves) {
      if (merged.empty() || merged.back().port() != half.port())
        merged.push_back(std::move(half));
      else
        merged.back().add(half);
    }
    for (HalfLink& half : merged) half.sort();
    halves = std::move(merged);
  }
}

// A port belongs to the node that lists it, whatever its own member `node` says.
void SdxHalves::list_ports(JsonValue nodes) {
  std::uint32_t number = 0;
  for (const JsonValue node : nodes.items()) {
    const std::string_view id = visible(node, "id").text();
    if (!id.empty()) nodes_.try_emplace(IdKey(id), number);
    for (const JsonValue port : visible(node, "ports").items())
      if (const std::string_view name = id_of(port); !name.empty() && !id.empty())
        ports_.try_emplace(IdKey(name), Port{number, port});
    ++number;
  }
  halves_.resize(number);
  half_links_.resize(number);
}

// By its identifier; else by the node that it names, if that is one of the file.
SdxHalves::Port SdxHalves::port_at(JsonValue port) const {
  if (const auto known = ports_.find(IdKey(id_of(port))); known != ports_.end())
    return known->second;
  if (!port.is_object()) return {};
  const auto node = nodes_.find(IdKey(visible(port, "node").text()));
  return node != nodes_.end() ? Port{node->second, port} : Port{};
}

void SdxHalves::add_link(JsonValue link) {
  SdxLink& added = links_.emplace_back(SdxLink{.link = link});
  std::vector<JsonValue> ports;
  for (const JsonValue port : visible(link, "ports").items())
    if (ports.size() < 3) ports.push_back(port);
  if (ports.size() != 2) {
    added.lost_because = "it does not join two ports";
    return;
  }
  const Port ends[] = {port_at(ports[0]), port_at(ports[1])};
  const bool known[] = {ends[0].node != kNone, ends[1].node != kNone};
  if (!known[0] && !known[1]) {
    added.lost_because = "none of its ports is of a node of the file";
  } else if (known[0] && known[1]) {
    added.is = SdxLinkIs::link;
    std::tie(added.nodes[0], added.nodes[1]) = std::pair(ends[0].node, ends[1].node);
    if (ends[0].node != ends[1].node) return;
    added.is = SdxLinkIs::lost;
    added.lost_because = "a link joins two different nodes";
  } else {
    const std::size_t own = known[0] ? 0 : 1;
    if (!engine::may_be_in_half_link(id_of(ports[own])) || id_of(ports[own]).empty()) {
      added.lost_because = "a half link has no room for its port";
      return;
    }
    added.is = SdxLinkIs::half_link;
    added.nodes[0] = ends[own].node;
    half_links_[added.nodes[0]].push_back(static_cast<std::uint32_t>(links_.size() - 1));
    add_half(link, ports[own], ports[1 - own]);
  }
}

void SdxHalves::add_half(JsonValue link, JsonValue own, JsonValue other) {
  const Port port = port_at(own);
  HalfLink half{std::string(id_of(own))};
  const auto add = [&](std::string_view name, std::string_view value) {
    if (half.has_room(name, value)) half.add(name, value);
  };
  add(half_link::kPeer, id_of(other));
  add(half_link::kLink, visible(link, "id").text());
  add(half_link::kName, visible(port.port, "name").text());
  add_labels(half, port.port);
  keep(port.node, std::move(half));
}

void SdxHalves::keep(std::uint32_t node, HalfLink half) {
  half.sort();
  halves_[node].push_back(std::move(half));
}

// Model 1 has label ranges, model 2 those of its services.
void SdxHalves::add_labels(HalfLink& half, JsonValue port) const {
  const auto add = [&](JsonValue list) {
    const std::string labels = ranges_of(list);
    if (half.has_room(half_link::kLabels, labels)) half.add(half_link::kLabels, labels);
  };
  add(visible(port, "label_range"));
  for (const JsonMember& service : visible(port, "services").members())
    add(visible(service.value, "vlan_range"));
}

// Model 2: a port that names a port of another network.
void SdxHalves::add_neighbours(JsonValue nodes, JsonValue links) {
  boost::unordered_flat_map<IdKey, bool, IdKeyHash> known;
  for (const JsonValue link : links.items()) known.try_emplace(IdKey(link["id"].text()), true);
  std::uint32_t number = 0;
  for (const JsonValue node : nodes.items()) {
    for (const JsonValue port : visible(node, "ports").items()) {
      const std::string_view peer = visible(port, "nni").text();
      const std::string_view id = id_of(port);
      if (!names_a_port(peer) || known.contains(IdKey(peer)) || peer == id) continue;
      if (id.empty() || !engine::may_be_in_half_link(id) || !engine::may_be_in_half_link(peer))
        continue;
      HalfLink half{std::string(id)};
      half.add(half_link::kPeer, peer);
      if (half.has_room(half_link::kName, visible(port, "name").text()))
        half.add(half_link::kName, visible(port, "name").text());
      add_labels(half, port);
      keep(number, std::move(half));
    }
    ++number;
  }
}

}  // namespace netml::codecs
