#include "codecs/formats/esnet/esnet_map.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/texts.hpp"

namespace netml::codecs {

using namespace esnet_names;

namespace {

// What is not said in so many words: the keys of elements, and the ends of an edge.
constexpr FoundRule kKey{.target = Target::key, .name = "key", .called = "key"};
constexpr FoundRule kEnd{.target = Target::link_end, .name = "end", .called = "end"};
constexpr FoundRule kListedIn{
    .target = Target::topology, .name = "topologies", .called = "topologies"};

// Whatever the form of the file, so that a map is the same when it is written in the newer one.
constexpr FoundRule kCourseRule{.field = "edge.coordinates", .name = kCourse, .called = kCourse};
constexpr FoundRule kOlderCourseRule{.field = "edge.latLngs", .name = kCourse, .called = kCourse};
constexpr FoundRule kPlaceRule{.field = "node.coordinate", .name = kPlace, .called = kPlace};
constexpr FoundRule kOlderPlaceRule{.field = "node.latLng", .name = kPlace, .called = kPlace};

// What a leaf says; null says nothing.
std::string_view said(JsonValue value) {
  return value.kind() == JsonKind::null ? std::string_view() : value.text();
}

bool is_filled_object(JsonValue value) {
  return value.is_object() && !value.is_empty();
}

// Of a list of two.
std::optional<std::array<std::string_view, 2>> pair_of(JsonValue list) {
  std::array<std::string_view, 2> pair;
  std::size_t count = 0;
  for (const JsonValue item : list.items()) {
    if (count == pair.size() || item.is_object() || item.is_array()) return {};
    pair[count++] = item.text();
  }
  if (count < pair.size()) return {};
  return pair;
}

bool is_course(std::string_view name) {
  return name == kCourse || name == kOlderCourse;
}

JsonValue course_in(JsonValue edge) {
  const JsonValue course = edge[kCourse];
  return course.is_absent() ? edge[kOlderCourse] : course;
}

}  // namespace

const FoundRule& ExactProperties::find(std::string_view owner, std::string_view name) {
  const auto [found, added] = rules_.try_emplace(fmt::format("{}{}", owner, name));
  FoundRule& rule = found->second;
  if (!added) return rule;
  rule.field = found->first;
  rule.name = rule.called = rule.field.substr(owner.size());
  return rule;
}

bool is_esnet_map(JsonValue value) {
  return value[kNodes].is_array() || value[kEdges].is_array();
}

std::size_t EsnetMap::PlaceHash::operator()(const EsnetPlace& place) const {
  const std::array numbers{place.latitude + 0.0, place.longitude + 0.0};  // -0 is 0
  return XXH3_64bits(numbers.data(), sizeof numbers);
}

void EsnetMap::read() {
  gather_nodes();
  name_nodes();
  for (const Node& node : nodes_) read_node(node);
  for (const auto& [name, value] : map_.members()) {
    const bool is_list = value.is_array() && !value.is_empty();
    if (is_list && name == kNodes) continue;
    if (is_list && name == kEdges)
      for (const JsonValue edge : value.items()) read_edge(edge);
    else if (name == kMeta && is_filled_object(value))
      read_map_meta(value);
    else
      into_.fields.set("map.", name, value);
  }
}

// ---- what is beside nodes and edges ----

void EsnetMap::read_map_meta(JsonValue meta) {
  for (const auto& [name, value] : meta.members()) {
    const bool is_list = value.is_array() && !value.is_empty();
    if (is_list && name == kInstitutions)
      read_others(Kind::institution, "institution.", name, value);
    else if (is_list && name == kTopologies)
      read_others(Kind::topology, "topology.", name, value);
    else
      read_meta("map.meta.", name, value);
  }
}

void EsnetMap::read_others(Kind kind, std::string_view owner, std::string_view list,
                           JsonValue values) {
  for (const JsonValue value : values.items()) {
    if (!is_filled_object(value)) {
      into_.fields.lose("map.meta.", fmt::format("{}[]", list), value,
                        kind == Kind::topology ? "it is no topology" : "it is no institution");
      continue;
    }
    into_.draft.open(kind, value.position());
    const std::string_view identifier = said(value["identifier"]);
    into_.draft.add(kKey, identifier.empty() ? value.json() : std::string(identifier));
    read_meta(owner, value);
    into_.draft.close();
  }
}

void EsnetMap::read_meta(std::string_view owner, JsonValue meta) {
  for (const auto& [name, value] : meta.members()) read_meta(owner, name, value);
}

void EsnetMap::read_meta(std::string_view owner, std::string_view name, JsonValue value) {
  const auto read = [&](JsonValue properties) {
    for (const auto& each : properties.members()) read_exactly(owner, each.name, each.value);
  };
  if (name == kProperties && is_filled_object(value))
    read(value);
  else if (name == kProperties && is_list_of_ours(value))
    for (const JsonValue item : value.items()) read(item);
  else
    into_.fields.set(owner, name, value);
}

// A list of objects, in a map that tells its identifier, as those that we write do.
bool EsnetMap::is_list_of_ours(JsonValue value) const {
  const auto items = value.items();
  return value.is_array() && !value.is_empty() && !said(map_[kMeta]["identifier"]).empty() &&
         std::all_of(items.begin(), items.end(), is_filled_object);
}

// A property, or several of one name.
void EsnetMap::read_exactly(std::string_view owner, std::string_view name, JsonValue value) {
  const FoundRule& rule = into_.exact.find(owner, name);
  const auto items = value.items();
  const bool is_list = value.is_array() && !value.is_empty() &&
                       std::all_of(items.begin(), items.end(), [](JsonValue item) {
                         return item.kind() > JsonKind::null && item.kind() < JsonKind::array;
                       });
  if (value.is_empty() || value.kind() == JsonKind::null)
    into_.draft.losses().carry();
  else if (is_list)
    for (const JsonValue item : items) into_.draft.set({rule, item.position()}, item.text());
  else if (value.kind() >= JsonKind::array)
    into_.draft.set_together(rule, value.json(), count_leaves(value));
  else
    into_.draft.set({rule, value.position()}, value.text());
}

// Of the innermost open element.
void EsnetMap::list_in_topology(JsonValue meta) {
  if (!topology_.empty() && meta[kTopologies].is_absent()) into_.draft.add(kListedIn, topology_);
}

// ---- nodes ----

void EsnetMap::gather_nodes() {
  for (const auto& [name, list] : map_.members()) {
    if (name != kNodes || !list.is_array()) continue;
    for (const JsonValue value : list.items()) {
      if (!is_filled_object(value)) {
        into_.fields.lose("map.", "nodes[]", value, "it is no node");
        continue;
      }
      Node node{.value = value, .name = said(value["name"])};
      node.identifier = said(value[kMeta]["identifier"]);
      const JsonValue place = value[kPlace];
      node.place = esnet_place(place.is_absent() ? value[kOlderPlace] : place);
      if (node.place && node.place->is_zero()) node.place.reset();
      nodes_.push_back(std::move(node));
    }
  }
}

// Nodes are known by their names. Where several have one, or none, all that the file says of them
// is the key; those that are equal in all are numbered, and no edge can name one of them.
void EsnetMap::name_nodes() {
  const auto index = [](auto& nodes, const auto& key, Index i) {
    if (const auto [found, added] = nodes.try_emplace(key, i); !added) found->second = kSeveral;
  };
  for (Index i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    index(node_of_name_, IdKey(node.name), i);
    if (!node.identifier.empty()) index(node_of_identifier_, IdKey(node.identifier), i);
    if (node.place) index(node_of_place_, *node.place, i);
  }
  const std::string before = layer_.empty() ? std::string() : fmt::format("{}/", layer_);
  boost::unordered_flat_map<std::string, std::uint32_t> numbers;
  for (Node& node : nodes_) {
    const bool is_known = !node.name.empty() && node_of_name_.at(IdKey(node.name)) != kSeveral;
    node.key = before + (is_known ? std::string(node.name) : node.value.json());
    if (is_known) continue;
    if (const std::uint32_t number = numbers[node.key]++; number > 0)
      node.key += fmt::format(" {}", number + 1);
  }
}

void EsnetMap::read_node(const Node& node) {
  into_.draft.open(Kind::node, node.value.position());
  into_.draft.add(kKey, node.key);
  for (const auto& [name, value] : node.value.members()) {
    if (name == kPlace || name == kOlderPlace)
      read_place(node, name, value);
    else if (name == kMeta && is_filled_object(value))
      read_meta("node.meta.", value);
    else
      into_.fields.set("node.", name, value);
  }
  list_in_topology(node.value[kMeta]);
  into_.draft.close();
}

void EsnetMap::read_place(const Node& node, std::string_view name, JsonValue value) {
  const auto place = esnet_place(value);
  if (!place) return into_.fields.set("node.", name, value);
  if (place->is_zero()) {
    into_.at_zero.add(node.name);
    return into_.fields.carry(value);
  }
  if (!place->is_on_globe()) {
    into_.in_pixels.add(node.name);
    const FoundRule& rule = name == kPlace ? kPlaceRule : kOlderPlaceRule;
    return into_.draft.set_together(rule, value.json(), 2);
  }
  int number = 0;
  for (const JsonValue item : value.items()) {
    const FoundRule& rule = into_.rules.find("node.", fmt::format("{}[{}]", name, number++));
    into_.draft.set({rule, item.position()}, item.text());
  }
}

// ---- edges ----

void EsnetMap::read_edge(JsonValue edge) {
  if (!is_filled_object(edge)) return into_.fields.lose("map.", "edges[]", edge, "it is no edge");
  const Ends ends = find_ends(edge);
  if (!ends.lost_because.empty()) return into_.fields.lose("edge.", {}, edge, ends.lost_because);
  into_.draft.open(Kind::link, edge.position());
  into_.draft.add(kKey, said(edge["name"]));
  for (const Index end : ends.nodes) into_.draft.add(kEnd, nodes_[end].key);
  for (const auto& [name, value] : edge.members()) {
    if (is_course(name))
      read_course(ends, name, value);
    else if (name == kMeta && is_filled_object(value))
      read_edge_meta(ends, value);
    else
      into_.fields.set("edge.", name, value);
  }
  list_in_topology(edge[kMeta]);
  into_.draft.close();
  compare_course(ends, edge);
}

// A straight line between its ends says nothing more than these.
void EsnetMap::read_course(const Ends& ends, std::string_view name, JsonValue value) {
  const auto course = course_of(value);
  if (!course) return into_.fields.set("edge.", name, value);
  const auto& [a, b] = std::tie(nodes_[ends.nodes[0]].place, nodes_[ends.nodes[1]].place);
  if (a && b && is_straight(*course, *a, *b)) return into_.fields.carry(value);
  const FoundRule& rule = name == kCourse ? kCourseRule : kOlderCourseRule;
  into_.draft.set_together(rule, value.json(), count_leaves(value));
}

// What names other things than the ends is kept.
void EsnetMap::read_edge_meta(const Ends& ends, JsonValue meta) {
  constexpr std::string_view kOwner = "edge.meta.";
  for (const auto& [name, value] : meta.members()) {
    if (!lower_ascii(name).starts_with(kEndpoints)) {
      read_meta(kOwner, name, value);
    } else if (name != kEndpoints || !is_filled_object(value)) {
      read_exactly(kOwner, name, value);
    } else {
      for (const auto& list : value.members())
        if (says_ends(ends, list.name, list.value))
          into_.fields.carry(list.value);
        else
          read_exactly(kOwner, fmt::format("{}.{}", name, list.name), list.value);
    }
  }
}

bool EsnetMap::says_ends(const Ends& ends, std::string_view list_name, JsonValue list) const {
  const auto pair = pair_of(list);
  if (!pair || (list_name != kEndpointIds && list_name != kEndpointNames)) return false;
  const auto called = [&](std::size_t end) {
    const Node& node = nodes_[ends.nodes[end]];
    return list_name == kEndpointIds ? node.identifier : node.name;
  };
  const std::array names{called(0), called(1)};
  return *pair == names || *pair == std::array{names[1], names[0]};
}

// ---- the ends of edges ----

EsnetMap::Ends EsnetMap::find_ends(JsonValue edge) const {
  const JsonValue listed = edge[kMeta][kEndpoints];
  auto found = ends_listed(listed[kEndpointIds], node_of_identifier_);
  if (!found) found = ends_listed(listed[kEndpointNames], node_of_name_);
  if (!found) found = ends_in_name(said(edge["name"]));
  Ends ends = found ? *found : ends_of_course(edge);
  if (ends.lost_because.empty() && ends.nodes[0] == ends.nodes[1])
    ends.lost_because = "a link joins two different nodes";
  return ends;
}

std::optional<EsnetMap::Ends> EsnetMap::ends_listed(JsonValue list, const IndexOf& nodes) const {
  const auto pair = pair_of(list);
  if (!pair) return {};
  Ends ends;
  for (std::size_t i = 0; i < pair->size(); ++i) {
    const auto node = nodes.find(IdKey((*pair)[i]));
    if (node == nodes.end() || node->second == kSeveral) return {};
    ends.nodes[i] = node->second;
  }
  return ends;
}

// "A---B", also where one of the names has such a mark in it.
std::optional<EsnetMap::Ends> EsnetMap::ends_in_name(std::string_view name) const {
  constexpr std::string_view kBetween = "---";
  std::optional<Ends> found;
  const std::size_t first = name.find(kBetween);
  const std::size_t last = name.rfind(kBetween);
  if (first == std::string_view::npos) return {};
  for (const std::size_t mark : {first, last}) {
    const auto a = node_of_name_.find(IdKey(name.substr(0, mark)));
    const auto b = node_of_name_.find(IdKey(name.substr(mark + kBetween.size())));
    if (a == node_of_name_.end() || a->second == kSeveral) continue;
    if (b == node_of_name_.end() || b->second == kSeveral) continue;
    const Ends ends{.nodes = {a->second, b->second}};
    if (found && found->nodes != ends.nodes) return {};
    found = ends;
  }
  return found;
}

EsnetMap::Index EsnetMap::node_at(const EsnetPlace& place) const {
  const auto node = node_of_place_.find(place);
  return node == node_of_place_.end() ? kNone : node->second;
}

EsnetMap::Ends EsnetMap::ends_of_course(JsonValue edge) const {
  const auto course = course_of(course_in(edge));
  if (!course) return {.lost_because = "its name is not that of two nodes, and it has no course"};
  Ends ends{.nodes = {node_at(course->first), node_at(course->last)}};
  if (std::ranges::count(ends.nodes, kNone) > 0)
    ends.lost_because = "its name is not that of two nodes, and its course ends at no node";
  else if (std::ranges::count(ends.nodes, kSeveral) > 0)
    ends.lost_because =
        "its name is not that of two nodes, and several nodes stand where its course ends";
  return ends;
}

// A course that ends at two other nodes than the edge names is doubtful.
void EsnetMap::compare_course(const Ends& ends, JsonValue edge) {
  const Ends drawn = ends_of_course(edge);
  if (drawn.lost_because.empty() && !std::ranges::is_permutation(drawn.nodes, ends.nodes))
    into_.elsewhere.add(said(edge["name"]));
}

}  // namespace netml::codecs
