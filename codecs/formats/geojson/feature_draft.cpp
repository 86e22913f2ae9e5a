#include "codecs/formats/geojson/feature_draft.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <tuple>

#include "codecs/document/numbers.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

// Of a node: "59.91, 10.75"; empty where its place is not known.
std::string place_text(const std::optional<Place>& place) {
  std::string text;
  if (!place) return text;
  append_shortest(text, place->latitude);
  text += ", ";
  append_shortest(text, place->longitude);
  return text;
}

std::optional<Place> place_of_point(JsonValue geometry) {
  const JsonValue coordinates = geometry["coordinates"];
  if (geometry["type"].text() != "Point" || !is_position(coordinates)) return std::nullopt;
  return place_of(coordinates);
}

}  // namespace

std::optional<Kind> kind_called(std::string_view word) {
  if (word == "node") return Kind::node;
  if (word == "link" || word == "span") return Kind::link;
  if (word == "institution") return Kind::institution;
  if (word == "topology") return Kind::topology;
  return std::nullopt;
}

bool is_name(JsonValue value) {
  return (value.is_string() || value.is_number()) && !value.text().empty();
}

FeatureDraft::FeatureDraft(const JsonTree& tree, std::span<const FieldRule> table) : rules_(table) {
  draft_.lend_values();  // they are in the tree
  draft_.name_places([&tree](TextPosition at) { return tree.pointer(at); });
  const auto end = std::ranges::find(table, Target::link_end, &FieldRule::target);
  first_end_ = static_cast<std::uint32_t>(end - table.begin());
  constexpr std::string_view kLink = "link.";
  link_end_ = &rules_.find(kLink, end->field.substr(kLink.size()));
}

void FeatureDraft::set_topology(JsonValue object, std::initializer_list<std::string_view> except) {
  if (object.is_empty()) fields_.carry(object);
  for (const JsonMember member : object.members())
    if (std::ranges::find(except, member.name) == except.end())
      set_property("topology.", {.kind = Kind::topology}, member);
}

void FeatureDraft::set_networks(std::span<const JsonValue> networks,
                                std::initializer_list<std::string_view> except) {
  networks_ = networks;
  for (const JsonValue network : networks) {
    if (networks.size() > 1) draft_.open(Kind::topology, network.position());
    set_topology(network, except);
    if (networks.size() > 1) draft_.close();
  }
}

void FeatureDraft::set(std::span<const Feature> features) {
  for (const Feature& feature : features) {
    if (feature.kind == Kind::topology || feature.kind == Kind::institution) set_element(feature);
    if (feature.kind == Kind::node) add_node(feature);
  }
  give_keys();
  for (const Feature& feature : features)
    if (feature.kind == Kind::link) add_described_nodes(feature);
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) set_node(node);
  for (const Feature& feature : features)
    if (feature.kind == Kind::link) set_link(feature);
}

// ---- nodes ----

// Identifiers that are unique in a network only are distinguished by the network.
std::string FeatureDraft::scoped(std::uint32_t network, std::string_view text) const {
  if (networks_.size() < 2 || network == Feature::kNoNetwork) return std::string(text);
  return fmt::format("{} {}", networks_[network]["id"].text(), text);
}

void FeatureDraft::add_node(const Feature& feature) {
  FeatureNode node{.properties = feature.properties, .geometry = feature.geometry};
  node.id = feature.whole["id"];
  if (!is_name(node.id)) node.id = {};
  std::string_view label;
  for (const auto& [name, value] : feature.properties.members()) {
    if (!is_name(value)) continue;
    if (node.id.is_absent() && equals_ignoring_case(name, "id")) node.id = value;
    if (node.name.empty() && equals_ignoring_case(name, "name")) node.name = value.text();
    if (label.empty() && equals_ignoring_case(name, "label")) label = value.text();
    if (node.identifier.empty() && equals_ignoring_case(name, "identifier"))
      node.identifier = value.text();
  }
  if (node.name.empty()) node.name = label;
  node.place = place_of_point(feature.geometry);
  if (!node.id.is_absent())
    node.key = networks_.size() < 2 ? node.id.text()
                                    : draft_.keep(scoped(feature.network_number, node.id.text()));
  const std::uint32_t number = nodes_.add(node);
  node_features_.push_back(feature);
  if (!node.key.empty()) std::ignore = nodes_.call(number, node.key);
}

// A span that holds both its nodes, with their places, brings them along.
void FeatureDraft::add_described_nodes(const Feature& link) {
  for (const Pair& pair : named_pairs(link)) {
    const auto is_known = [&](JsonValue end) {
      return node_called(link, end) != FeatureNodes::kNone;
    };
    const auto is_whole = [&](JsonValue end) {
      return end["location"].is_object() && is_name(end["id"]);
    };
    const auto is_there = [&](JsonValue end) { return is_known(end) || is_whole(end); };
    if (!std::ranges::all_of(pair, is_there)) continue;
    for (const JsonValue end : pair)
      if (!is_known(end))
        add_node({.kind = Kind::node,
                  .properties = end,
                  .geometry = end["location"],
                  .network_number = link.network_number});
    return;
  }
}

// To those that the file calls nothing: by their places, and by all else that it says of them where
// several are at one place. What is equal in all is numbered, and it does not matter which is
// which.
void FeatureDraft::give_keys() {
  boost::unordered_flat_map<std::string, std::uint32_t> at_place;
  const auto needs_key = [&](std::uint32_t node) {
    return nodes_[node].key.empty() && nodes_[node].identifier.empty();
  };
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (needs_key(i)) ++at_place[place_text(nodes_[i].place)];
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    FeatureNode& node = nodes_[i];
    if (!node.key.empty()) continue;
    std::string key(node.identifier);
    if (needs_key(i)) {
      key = place_text(node.place);
      if (key.empty() || at_place[key] > 1) {
        const std::string contents = node.properties.json();
        const auto hash = XXH3_64bits(contents.data(), contents.size());
        key = fmt::format("{}{}{:016x}", key, key.empty() ? "" : " ", hash);
      }
    }
    node.key = draft_.keep(key);
    for (std::uint32_t number = 2; !nodes_.call(i, node.key); ++number)
      node.key = draft_.keep(fmt::format("{} {}", key, number));
  }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (!nodes_[i].identifier.empty()) std::ignore = nodes_.call(i, nodes_[i].identifier);
}

// ---- the ends of links ----

std::uint32_t FeatureDraft::node_called(const Feature& link, JsonValue end) {
  if (end.is_object()) end = is_name(end["id"]) ? end["id"] : end["name"];
  if (!is_name(end)) return FeatureNodes::kNone;
  std::uint32_t node = nodes_.called(scoped(link.network_number, end.text()));
  if (node == FeatureNodes::kNone) node = nodes_.called(end.text());
  return node == FeatureNodes::kNone ? nodes_.named(end.text()) : node;
}

bool FeatureDraft::is_described(const Feature& link, JsonValue end) {
  if (!end.is_object()) return false;
  const std::uint32_t node = node_called(link, end);
  return node != FeatureNodes::kNone && is_same(nodes_[node].properties, end);
}

// Those of which both are there, in the order of the table.
std::vector<FeatureDraft::Pair> FeatureDraft::named_pairs(const Feature& link) {
  std::vector<Pair> pairs;
  for (const auto& [name, value] : link.properties.members()) {
    if (!is_name(value) && !value.is_object()) continue;
    const FoundRule& rule = rules_.find("link.", name);
    if (rule.target != Target::link_end) continue;
    const std::uint32_t place = rule.rank - first_end_;
    if (pairs.size() <= place / 2) pairs.resize(place / 2 + 1);
    JsonValue& end = pairs[place / 2][place % 2];
    if (end.is_absent()) end = value;
  }
  std::erase_if(
      pairs, [](const Pair& pair) { return pair.front().is_absent() || pair.back().is_absent(); });
  return pairs;
}

FeatureDraft::Ends FeatureDraft::find_ends(const Feature& link) {
  Ends ends;
  const auto is_found = [&] {
    return std::ranges::find(ends.nodes, FeatureNodes::kNone) == ends.nodes.end();
  };
  const std::vector<Pair> pairs = named_pairs(link);
  for (const Pair& pair : pairs) {
    ends.nodes = {node_called(link, pair.front()), node_called(link, pair.back())};
    ends.named = pair;
    if (is_found()) break;
  }
  if (!is_found()) {
    ends.named = {};
    const auto [first, last] = ends_of_line(link.geometry);
    if (first.is_absent()) {
      ends.lost_because =
          pairs.empty() ? "it does not join two nodes" : "its ends are no nodes of the file";
      return ends;
    }
    const auto node_at = [&](JsonValue position) {
      const auto place = place_of(position);
      return place ? nodes_.placed(*place) : FeatureNodes::kNone;
    };
    ends.nodes = {node_at(first), node_at(last)};
    if (!is_found()) {
      ends.lost_because = "neither names nor places tell which two nodes of the file it joins";
      return ends;
    }
  }
  if (ends.nodes.front() == ends.nodes.back())
    ends.lost_because = "a link joins two different nodes";
  return ends;
}

}  // namespace netml::codecs
