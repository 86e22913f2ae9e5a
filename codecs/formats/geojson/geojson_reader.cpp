#include "codecs/formats/geojson/geojson_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codecs/formats/geojson/feature_draft.hpp"
#include "codecs/formats/geojson/geojson_fields.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

// What the names of reference systems end in whose positions are longitude and latitude, in degrees
// of WGS 84.
constexpr std::array<std::string_view, 4> kDegrees{"CRS84", "CRS:84", "EPSG:4326", "EPSG::4326"};

bool is_in_degrees(std::string_view system) {
  return std::ranges::any_of(kDegrees, [&](std::string_view end) { return system.ends_with(end); });
}

bool is_object_or_null(JsonValue value) {
  return value.is_absent() || value.is_object() || value.kind() == JsonKind::null;
}

bool has_both(JsonValue properties, std::string_view one, std::string_view other) {
  const auto has = [&](std::string_view wanted) {
    const auto members = properties.members();
    return std::any_of(members.begin(), members.end(), [&](const JsonMember& member) {
      return equals_ignoring_case(member.name, wanted);
    });
  };
  return has(one) && has(other);
}

class Collection {
 public:
  Collection(const JsonTree& tree, const ReadLimits& limits)
      : root_(tree.root()), errors_(limits.errors), features_(tree, kGeojsonFields) {
    errors_.name_places([&tree](TextPosition at) { return tree.pointer(at); });
  }

  ReadResult read(const DraftOptions& options) {
    find_features();
    MapDraft& draft = features_.draft();
    if (errors_.empty()) {
      draft.open(Kind::topology, root_.position());
      if (root_["type"].text() == kCollection) set_collection();
      choose_networks();
      features_.set_networks(networks_);
      features_.set(list_);
      draft.close();
    }
    return std::move(draft).take(options, std::move(errors_));
  }

 private:
  static constexpr std::string_view kCollection = "FeatureCollection";

  void refuse(JsonValue value, std::string_view code, std::string_view message) {
    errors_.report(code, message, value.position());
  }

  void find_features() {
    const std::string_view type = root_["type"].text();
    if (type == "Feature") return add(root_);
    if (type != kCollection)
      return refuse(root_, "wrong-root",
                    "this is neither a FeatureCollection nor a Feature of GeoJSON");
    const JsonValue system = root_["crs"]["properties"]["name"];
    if (!system.is_absent() && !is_in_degrees(system.text()))
      refuse(system, "wrong-crs",
             fmt::format("positions are in {}, and not longitude and latitude in degrees",
                         excerpt(system.text())));
    const JsonValue features = root_["features"];
    if (!features.is_array())
      return refuse(features.is_absent() ? root_ : features, "wrong-type",
                    "a FeatureCollection has a list, features");
    for (const JsonValue feature : features.items()) add(feature);
  }

  void add(JsonValue whole) {
    if (!whole.is_object() || whole["type"].text() != "Feature")
      return refuse(whole, "wrong-type", "each of the features is an object of type Feature");
    Feature feature{
        .whole = whole, .properties = whole["properties"], .geometry = whole["geometry"]};
    if (!is_object_or_null(feature.properties))
      return refuse(feature.properties, "wrong-type", "properties are an object or null");
    if (!is_object_or_null(feature.geometry) ||
        (feature.geometry.is_object() && !feature.geometry["type"].is_string()))
      return refuse(feature.geometry, "wrong-type", "a geometry is an object with a type, or null");
    find_network(feature);
    find_kind(feature);
    list_.push_back(feature);
  }

  // What it says that it is; else what its geometry looks like.
  static void find_kind(Feature& feature) {
    for (const std::string_view name : {"kind", "featureType"}) {
      const JsonValue word = feature.properties[name];
      const auto kind = word.is_string() ? kind_called(word.text()) : std::nullopt;
      if (!kind) continue;
      feature.kind = *kind;
      feature.kind_property = word;
      return;
    }
    const std::string_view shape = feature.geometry["type"].text();
    const bool line = shape == "LineString" || shape == "MultiLineString";
    const bool joins = shape.empty() && (has_both(feature.properties, "source", "target") ||
                                         has_both(feature.properties, "from", "to"));
    feature.kind = line || joins ? Kind::link : Kind::node;
  }

  // The first one of that identifier, or of that wording, says what the network is.
  void find_network(Feature& feature) {
    const JsonValue network = feature.properties["network"];
    if (!network.is_object()) return;
    feature.network = network;
    const bool named = is_name(network["id"]);
    const auto number = static_cast<std::uint32_t>(networks_.size());
    const auto [known, added] =
        network_of_.try_emplace(named ? std::string(network["id"].text()) : network.json(), number);
    if (added) networks_.push_back(network);
    feature.network_number = known->second;
  }

  // Where there are several, those without an identifier are none.
  void choose_networks() {
    if (networks_.size() < 2) return;
    std::vector<JsonValue> chosen;
    std::vector<std::uint32_t> number_of;
    for (const JsonValue network : networks_) {
      const bool named = is_name(network["id"]);
      number_of.push_back(named ? static_cast<std::uint32_t>(chosen.size()) : Feature::kNoNetwork);
      if (named) chosen.push_back(network);
    }
    networks_ = std::move(chosen);
    for (Feature& feature : list_)
      if (feature.network_number != Feature::kNoNetwork)
        feature.network_number = number_of[feature.network_number];
  }

  void set_collection() {
    JsonFields& fields = features_.fields();
    const JsonValue features = root_["features"];
    const JsonValue topology = root_["topology"];
    for (const auto& [name, value] : root_.members()) {
      if (is_same(value, features)) {
        if (value.is_empty()) fields.carry(value);
      } else if (is_same(value, topology) && value.is_object()) {
        features_.set_topology(value);
      } else if (is_same(value, topology)) {
        fields.keep("collection@", name, value);
      } else {
        fields.set("collection@", name, value);
      }
    }
  }

  const JsonValue root_;
  ErrorList errors_;
  FeatureDraft features_;
  std::vector<Feature> list_;
  std::vector<JsonValue> networks_;
  std::unordered_map<std::string, std::uint32_t> network_of_;
};

}  // namespace

ReadResult read_geojson(RandomAccessFile& file, const DraftOptions& options,
                        const ReadLimits& limits) {
  NETML_TRY(const JsonTree tree, JsonTree::read(file, limits));
  return Collection(tree, limits).read(options);
}

}  // namespace netml::codecs
