// What becomes of the fields of features; feature_draft.cpp finds out what they are.
#include <algorithm>

#include "codecs/formats/geojson/feature_draft.hpp"
#include "codecs/formats/geojson/geojson_fields.hpp"

namespace netml::codecs {

namespace {

// Of an element of one of several networks.
constexpr FoundRule kInTopology{
    .target = Target::topology, .field = "topology", .name = "topology", .called = "topology"};

bool is_nothing(JsonValue value) {
  return value.is_absent() || value.kind() == JsonKind::null;
}

bool is_pair_of_texts(JsonValue item) {
  const auto texts = item.items();
  return item.size() == 2 &&
         std::all_of(texts.begin(), texts.end(), [](JsonValue text) { return text.is_string(); });
}

}  // namespace

void FeatureDraft::open(const Feature& feature) {
  draft_.open(feature.kind, feature.at().position());
  if (networks_.size() < 2 || feature.network_number == Feature::kNoNetwork) return;
  draft_.add(kInTopology, networks_[feature.network_number]["id"].text());
}

void FeatureDraft::set_element(const Feature& feature) {
  const bool topology = feature.kind == Kind::topology;
  const std::string_view owner = topology ? "topology." : "institution.";
  open(feature);
  set_members(topology ? "topology@" : "institution@", feature, {});
  set_properties(owner, feature, {}, nullptr);
  if (!topology)
    set_place("institution/", feature.geometry);
  else if (!feature.geometry.is_absent())
    fields_.set("topology/", "geometry", feature.geometry);
  draft_.close();
}

void FeatureDraft::set_node(std::uint32_t number) {
  const FeatureNode& node = nodes_[number];
  const Feature& feature = node_features_[number];
  open(feature);
  draft_.add(rules_.find("node.", "id"), node.key);
  set_members("node@", feature, node.id);
  set_properties("node.", feature, node.id, nullptr);
  set_place("node/", feature.geometry);
  draft_.close();
}

void FeatureDraft::set_link(const Feature& link) {
  const Ends ends = find_ends(link);
  if (!ends.lost_because.empty()) return lose_link(link, ends.lost_because);
  open(link);
  for (const std::uint32_t node : ends.nodes) draft_.add(*link_end_, nodes_[node].key);
  set_members("link@", link, {});
  set_properties("link.", link, {}, &ends);
  set_course(link, ends);
  draft_.close();
}

// But for what is in the map as a node or as the network.
void FeatureDraft::lose_link(const Feature& link, std::string_view reason) {
  for (const auto& [name, value] : link.whole.members())
    if (!is_same(value, link.properties) || value.is_empty() || is_nothing(value))
      fields_.lose("link@", name, value, reason);
  for (const auto& [name, value] : link.properties.members()) {
    const bool is_network = is_same(value, link.network) &&
                            link.network_number != Feature::kNoNetwork &&
                            is_same(value, networks_[link.network_number]);
    if (!is_network && !is_described(link, value)) fields_.lose("link.", name, value, reason);
  }
}

// ---- members and properties ----

void FeatureDraft::set_members(std::string_view owner, const Feature& feature, JsonValue id) {
  for (const auto& [name, value] : feature.whole.members()) {
    if (is_same(value, feature.geometry)) continue;
    if (is_same(value, feature.properties)) {
      if (value.is_empty() || is_nothing(value)) fields_.carry(value);
    } else if (is_same(value, id)) {
      fields_.carry(value);
    } else if (feature.kind == Kind::node && rules_.find(owner, name).target == Target::key) {
      fields_.keep(owner, name, value);
    } else {
      fields_.set(owner, name, value);
    }
  }
}

void FeatureDraft::set_properties(std::string_view owner, const Feature& feature, JsonValue id,
                                  const Ends* ends) {
  for (const JsonMember member : feature.properties.members()) {
    const auto& [name, value] = member;
    if (is_same(value, feature.geometry)) continue;
    const Target target = rules_.find(owner, name).target;
    if (is_same(value, id))
      fields_.carry(value);  // the key was made of it
    else if (target == Target::key && feature.kind == Kind::node)
      fields_.keep(owner, name, value);
    else if (target == Target::link_end && ends != nullptr)
      set_end(feature, *ends, member);
    else
      set_property(owner, feature, member);
  }
}

void FeatureDraft::set_property(std::string_view owner, const Feature& feature,
                                const JsonMember& member) {
  const auto& [name, value] = member;
  if (is_same(value, feature.network)) return set_network(owner, feature, member);
  if (is_same(value, feature.kind_property)) return fields_.carry(value);
  if (name == kOtherProperties && set_other_properties(owner, value)) return;
  const FoundRule& rule = rules_.find(owner, name);
  if (rule.target == Target::structure) return fields_.keep(owner, name, value);
  if (rule.target == Target::owner && value.is_object() && is_name(value["name"]))
    draft_.add(rule, value["name"].text());  // the whole is a property as well
  fields_.set(owner, name, value);
}

bool FeatureDraft::set_other_properties(std::string_view owner, JsonValue pairs) {
  const auto items = pairs.items();
  if (pairs.is_empty() || !pairs.is_array() ||
      !std::all_of(items.begin(), items.end(), is_pair_of_texts))
    return false;
  for (const JsonValue pair : pairs.items()) {
    const JsonValue name = *pair.items().begin();
    fields_.carry(name);
    fields_.keep(owner, name.text(), *std::next(pair.items().begin()));
  }
  return true;
}

// The network is in the map once; where a feature says something else of it, that stays with the
// feature.
void FeatureDraft::set_network(std::string_view owner, const Feature& feature,
                               const JsonMember& member) {
  const auto& [name, network] = member;
  if (feature.network_number == Feature::kNoNetwork) return fields_.keep(owner, name, network);
  const JsonValue known = networks_[feature.network_number];
  if (is_same(network, known)) return;
  if (network == known) return fields_.carry(network);
  fields_.keep(owner, name, network);
}

void FeatureDraft::set_end(const Feature& link, const Ends& ends, const JsonMember& member) {
  const auto& [name, value] = member;
  if (is_described(link, value)) return;
  for (std::size_t i = 0; i < ends.named.size(); ++i)
    if (is_same(value, ends.named[i]) && (!value.is_object() || repeats(ends.nodes[i], value)))
      return fields_.carry(value);
  fields_.keep("link.", name, value);
}

// Whether a link says nothing of a node but what the file says of the node itself.
bool FeatureDraft::repeats(std::uint32_t number, JsonValue description) {
  const FeatureNode& node = nodes_[number];
  const auto members = description.members();
  return std::all_of(members.begin(), members.end(), [&](const JsonMember& member) {
    const auto& [name, value] = member;
    return value == node.properties[name] || (name == "id" && value == node.id) ||
           (name == "location" && value == node.geometry);
  });
}

// ---- geometry ----

void FeatureDraft::set_place(std::string_view owner, JsonValue geometry) {
  if (is_nothing(geometry)) return fields_.carry(geometry);
  const JsonValue coordinates = geometry["coordinates"];
  const bool point = geometry["type"].text() == "Point";
  if (!point || (!is_position(coordinates) && !coordinates.is_empty())) {
    if (!point && geometry.is_object())
      draft_.notes().add({true, draft_.open_kind(),
                          "a geometry that is no point was kept as a property: the place is "
                          "unknown"});
    return fields_.set(owner, "geometry", geometry);
  }
  constexpr std::array<std::string_view, 4> kCalled{"longitude", "latitude", "altitude",
                                                    "position"};
  std::size_t i = 0;
  for (const JsonValue item : coordinates.items()) {
    const std::string_view name = kCalled[std::min(i++, kCalled.size() - 1)];
    draft_.set({rules_.find(owner, name), item.position()}, item.text());
  }
  for (const auto& [name, value] : geometry.members()) {
    if (!is_same(value, coordinates))
      fields_.set(owner, name, value);
    else if (value.is_empty())
      fields_.carry(value);
  }
}

void FeatureDraft::set_course(const Feature& link, const Ends& ends) {
  const JsonValue geometry = link.geometry;
  if (is_nothing(geometry)) return fields_.carry(geometry);
  if (ends_of_line(geometry).first.is_absent()) return fields_.set("link/", "geometry", geometry);
  const JsonValue coordinates = geometry["coordinates"];
  for (const auto& [name, value] : geometry.members())
    if (!is_same(value, coordinates)) fields_.set("link/", name, value);
  const auto course =
      course_of_line(geometry, nodes_[ends.nodes.front()].place, nodes_[ends.nodes.back()].place);
  if (course) {
    std::uint64_t fields = 0;
    for (JsonLeaves leaves(coordinates); leaves.next();) ++fields;
    draft_.set_together(rules_.find("link/", "course"), *course, fields);
  } else {
    fields_.carry(coordinates);
  }
}

}  // namespace netml::codecs
