#include "codecs/formats/gnpy/gnpy_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codecs/document/numbers.hpp"
#include "codecs/formats/draft/json_fields.hpp"
#include "codecs/formats/gnpy/gnpy_fields.hpp"
#include "codecs/formats/gnpy/gnpy_index.hpp"
#include "engine/base/json_string.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kOfNode = "node.";
constexpr std::string_view kOfLink = "link.";
constexpr char kPathMark = '.';

bool is_list(JsonValue value) {
  return value.is_array() && !value.is_empty();
}

bool is_filled(JsonValue value) {
  return value.is_object() && !value.is_empty();
}

bool is_zero(JsonValue value) {
  return parse_number(value.text()) == 0.0;
}

class Reader {
 public:
  Reader(const JsonTree& tree, const ReadLimits& limits)
      : root_(tree.root()), errors_(limits.errors) {
    const auto names = [&tree](TextPosition at) { return tree.pointer(at); };
    draft_.name_places(names);
    draft_.identify_by_keys();
    errors_.name_places(names);
  }

  ReadResult read(const DraftOptions& options) && {
    const GnpyIndex index(root_, objects_);
    if (errors_.empty()) {
      has_degrees_ = index.has_degrees();
      set_network();
      set_connections(index);
      set_elements(index);
      tell_positions();
    }
    return std::move(draft_).take(options, std::move(errors_));
  }

 private:
  void set_network() {
    draft_.open(Kind::topology, root_.position());
    for (const auto& [name, value] : root_.members())
      if ((name != "elements" && name != "connections") || !is_list(value))
        fields_.set("network.", name, value);
    draft_.close();
  }

  // ---- connections ----

  // A fibre carries those that lead to it and from it; one between two nodes is remembered.
  void set_connections(const GnpyIndex& index) {
    const auto& elements = index.elements();
    next_.resize(elements.size());
    for (const GnpyConnection& connection : index.connections()) {
      const GnpyElement& from = elements[connection.from];
      const GnpyElement& to = elements[connection.to];
      const bool is_lost = (from.is_fiber && !from.is_link()) || (to.is_fiber && !to.is_link());
      for (const auto& [name, value] : connection.value.members()) {
        const bool is_end = name == "from_node" || name == "to_node";
        if (is_end && !is_lost)
          draft_.losses().carry();
        else
          fields_.lose("connection.", name, value,
                       is_end ? "it is of a fibre that joins no two nodes"
                              : "a connection has two ends and nothing else");
      }
      if (!from.is_fiber && !to.is_fiber) next_[connection.from].push_back(to.uid);
    }
    for (auto& uids : next_) std::ranges::sort(uids);
  }

  // ---- elements ----

  void set_elements(const GnpyIndex& index) {
    for (std::size_t i = 0; i < index.elements().size(); ++i) {
      const GnpyElement& element = index.elements()[i];
      if (!element.is_fiber)
        set_node(element, next_[i]);
      else if (element.is_link())
        set_link(index, element);
      else
        lose_fiber(element);
    }
  }

  void set_node(const GnpyElement& node, const std::vector<std::string_view>& next) {
    draft_.open(Kind::node, node.value.position());
    set_members(kOfNode, node);
    for (const std::string_view uid : next)
      draft_.set_together(rules_.find(kOfNode, "to_node"), uid, 0);
    draft_.close();
  }

  void set_link(const GnpyIndex& index, const GnpyElement& fiber) {
    draft_.open(Kind::link, fiber.value.position());
    const std::string_view from = index.elements()[fiber.from].uid;
    const std::string_view to = index.elements()[fiber.to].uid;
    draft_.add(rules_.find("connection.", "from_node"), from);
    draft_.add(rules_.find("connection.", "to_node"), to);
    set_members(kOfLink, fiber);
    draft_.set_together(rules_.find(kOfLink, "from_node"), from, 0);
    draft_.close();
  }

  void lose_fiber(const GnpyElement& fiber) {
    fields_.lose(kOfLink, "", fiber.value, "the fibre does not join two nodes");
  }

  // An element is called by its uid; where that is too long, a property has all of it.
  void set_members(std::string_view owner, const GnpyElement& element) {
    for (const auto& [name, value] : element.value.members()) {
      if (name == "uid")
        draft_.set({rules_.find(owner, name), value.position()}, element.uid);
      else if (name == "metadata" && is_filled(value))
        set_metadata(owner, value);
      else if (name == "params" && owner == kOfLink && is_filled(value))
        set_params(value);
      else
        fields_.set(owner, name, value);
    }
    draft_.add(name_rule_, element.uid);
    if (element.uid.size() > engine::kNameCharactersMax)
      draft_.set_together(rules_.find(owner, "long uid", "uid"), element.uid, 0);
  }

  void set_metadata(std::string_view owner, JsonValue metadata) {
    for (const auto& [name, value] : metadata.members()) {
      if (name != "location" || !is_filled(value)) {
        fields_.set(owner, fmt::format("metadata.{}", name), value);
        continue;
      }
      const bool is_place = owner == kOfNode && is_place_known(value);
      for (const auto& [part, said] : value.members()) set_location(owner, part, said, is_place);
    }
  }

  // 0/0 is where drawings begin, and what GNPy takes where a file says nothing.
  bool is_place_known(JsonValue location) {
    if (!location["latitude"].is_number() || !location["longitude"].is_number()) return false;
    has_positions_ = true;
    return has_degrees_ && !(is_zero(location["latitude"]) && is_zero(location["longitude"]));
  }

  void set_location(std::string_view owner, std::string_view part, JsonValue value, bool is_place) {
    const bool is_position = part == "latitude" || part == "longitude";
    const std::string_view path = is_position && !is_place ? "position" : "metadata.location";
    fields_.set(owner, fmt::format("{}.{}", path, part), value);
  }

  // The length is a property of its own, all else stays together.
  void set_params(JsonValue params) {
    std::string rest;
    std::uint64_t leaves = 0;
    for (const auto& [name, value] : params.members()) {
      if (name == "length" || name == "length_units") {
        fields_.set(kOfLink, fmt::format("params.{}", name), value);
        continue;
      }
      rest += rest.empty() ? '{' : ',';
      append_json_string(rest, name);
      (rest += ':') += value.json();
      leaves += count_leaves(value);
    }
    if (!rest.empty()) draft_.set_together(rules_.find(kOfLink, "params"), rest += '}', leaves);
  }

  void tell_positions() {
    if (!has_positions_ || has_degrees_) return;
    draft_.notes().add({true, Kind::node,
                        "positions of nodes are kept as properties: the lengths of fibres do not "
                        "show that they are degrees and not units of a drawing"});
  }

  const JsonValue root_;
  ErrorList errors_;
  JsonObjects objects_{errors_};
  MapDraft draft_;
  FieldRules rules_{kGnpyFields, kPathMark};
  JsonFields fields_{draft_, rules_};
  const FoundRule& name_rule_ = rules_.find("network.", "network_name");  // what a name is
  bool has_degrees_ = false;
  bool has_positions_ = false;
  std::vector<std::vector<std::string_view>> next_;  // of each node: those it is connected to
};

}  // namespace

ReadResult read_gnpy(RandomAccessFile& file, const DraftOptions& options,
                     const ReadLimits& limits) {
  NETML_TRY(const JsonTree tree, JsonTree::read(file, limits));
  return Reader(tree, limits).read(options);
}

}  // namespace netml::codecs
