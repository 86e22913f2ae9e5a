// Features that stand for the elements of a map, into a MapDraft: those of GeoJSON, and the nodes
// and spans of the Open Fibre Data Standard, which have their geometry among their properties.
//
// A reader opens the root topology, sets what the file says of it, then hands over all features at
// once: nodes come before links, whatever the order of the file.
//
// Thread: its owner. What it is given outlives it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/formats/draft/json_fields.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/geojson/feature_nodes.hpp"

namespace netml::codecs {

struct Feature {
  static constexpr std::uint32_t kNoNetwork = 0xffffffff;

  Kind kind = Kind::node;
  JsonValue whole =
      {};  // with its members beside the two below; absent: `properties` are all of it
  JsonValue properties = {};                  // an object, null, or absent
  JsonValue geometry = {};                    // the same; may be one of the properties
  JsonValue kind_property = {};               // the property that tells the kind
  JsonValue network = {};                     // the property that holds its network
  std::uint32_t network_number = kNoNetwork;  // of the networks of the file

  JsonValue at() const { return whole.is_absent() ? properties : whole; }
};

// "node", "link", "span", "institution", "topology".
std::optional<Kind> kind_called(std::string_view word);
// A text or a number by which something may be called.
bool is_name(JsonValue value);
// Whether both are one place in the file.
inline bool is_same(JsonValue a, JsonValue b) {
  return !a.is_absent() && !b.is_absent() && a.position().column == b.position().column;
}

class FeatureDraft {
 public:
  // Both outlive this.
  FeatureDraft(const JsonTree& tree, std::span<const FieldRule> table);

  MapDraft& draft() { return draft_; }
  JsonFields& fields() { return fields_; }

  // What an object says of the open topology, but for some members.
  void set_topology(JsonValue object, std::initializer_list<std::string_view> except = {});
  // What the networks of the file say, but for some members: of the open topology where there is
  // one, else of a topology for each. All have an `id` where there are several.
  void set_networks(std::span<const JsonValue> networks,
                    std::initializer_list<std::string_view> except = {});
  // All features. Links without two nodes are lost.
  void set(std::span<const Feature> features);

 private:
  using Pair = std::array<JsonValue, 2>;
  // The two nodes of a link, and the properties that name them, if any; or why it has none.
  struct Ends {
    std::array<std::uint32_t, 2> nodes = {FeatureNodes::kNone, FeatureNodes::kNone};
    Pair named;
    std::string_view lost_because = {};
  };

  // feature_draft.cpp: which nodes there are, and which of them a link joins
  void add_node(const Feature& feature);
  void add_described_nodes(const Feature& link);
  void give_keys();
  std::string scoped(std::uint32_t network, std::string_view text) const;
  std::uint32_t node_called(const Feature& link, JsonValue end);
  bool is_described(const Feature& link, JsonValue end);
  std::vector<Pair> named_pairs(const Feature& link);
  Ends find_ends(const Feature& link);

  // feature_fields.cpp: what becomes of their fields
  void set_element(const Feature& feature);
  void set_node(std::uint32_t node);
  void set_link(const Feature& link);
  void lose_link(const Feature& link, std::string_view reason);
  void open(const Feature& feature);
  void set_members(std::string_view owner, const Feature& feature, JsonValue id);
  void set_properties(std::string_view owner, const Feature& feature, JsonValue id,
                      const Ends* ends);
  void set_property(std::string_view owner, const Feature& feature, const JsonMember& member);
  void set_end(const Feature& link, const Ends& ends, const JsonMember& member);
  bool repeats(std::uint32_t node, JsonValue description);
  void set_network(std::string_view owner, const Feature& feature, const JsonMember& member);
  bool set_other_properties(std::string_view owner, JsonValue pairs);
  void set_place(std::string_view owner, JsonValue geometry);
  void set_course(const Feature& link, const Ends& ends);

  MapDraft draft_;
  FieldRules rules_;
  JsonFields fields_{draft_, rules_};
  std::uint32_t first_end_ = 0;  // the row of the first link end
  const FoundRule* link_end_ = nullptr;
  std::span<const JsonValue> networks_;
  FeatureNodes nodes_;
  std::vector<Feature> node_features_;  // one for each
};

}  // namespace netml::codecs
