#include "codecs/formats/gnpy/gnpy_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <optional>

#include "codecs/document/id_key.hpp"
#include "codecs/document/numbers.hpp"
#include "codecs/formats/gnpy/gnpy_fields.hpp"
#include "engine/base/great_circle.hpp"

namespace netml::codecs {

namespace {

std::optional<double> number(JsonValue value) {
  return value.is_number() ? parse_number(value.text()) : std::nullopt;
}

std::optional<SpherePoint> position_of(JsonValue element) {
  const JsonValue location = location_of(element);
  const auto latitude = number(location["latitude"]);
  const auto longitude = number(location["longitude"]);
  if (!latitude || !longitude) return std::nullopt;
  return SpherePoint{*latitude, *longitude};
}

// In metres.
std::optional<double> length_of(JsonValue fiber) {
  const JsonValue params = fiber["params"];
  const auto length = number(params["length"]);
  const std::string_view units = text_member(params, "length_units");
  if (!length || (units != "km" && units != "m")) return std::nullopt;
  return *length * (units == "km" ? 1'000 : 1);
}

}  // namespace

JsonValue location_of(JsonValue element) {
  return element["metadata"]["location"];
}

GnpyIndex::GnpyIndex(JsonValue root, JsonObjects& objects) : objects_(objects) {
  objects.refuse_repeated(root);
  for (const char* const list : {"elements", "connections"})
    if (!root[list].is_array())
      objects.report("missing-member", fmt::format("the file lacks the list {}", list), root);
  list_elements(root);
  list_connections(root);
  join_fibers();
}

void GnpyIndex::list_elements(JsonValue root) {
  for (const JsonValue value : root["elements"].items()) {
    const std::string_view uid = objects_.id_of(value, "an element", "uid");
    const std::string_view type = text_member(value, "type");
    if (type.empty() && !uid.empty())
      objects_.report("missing-member", "an element lacks its type", value);
    for (const JsonValue inside : {value["metadata"], location_of(value), value["params"]})
      objects_.refuse_repeated(inside);
    elements_.push_back({.value = value, .uid = uid, .is_fiber = is_fiber_type(type)});
  }
}

void GnpyIndex::list_connections(JsonValue root) {
  boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash> element_of(elements_.size());
  for (std::uint32_t i = 0; i < elements_.size(); ++i) {
    const std::string_view uid = elements_[i].uid;
    if (!element_of.try_emplace(IdKey(uid), i).second && !uid.empty())
      objects_.report("duplicate-id", fmt::format("two elements are {}", excerpt(uid)),
                      elements_[i].value);
  }
  for (const JsonValue value : root["connections"].items()) {
    GnpyConnection connection{.value = value};
    const auto find = [&](std::string_view member, std::uint32_t& element) {
      const std::string_view uid = member == "from_node"
                                       ? objects_.id_of(value, "a connection", member)
                                       : text_member(value, member);
      const auto found = element_of.find(IdKey(uid));
      if (found != element_of.end())
        element = found->second;
      else if (value.is_object())
        objects_.report(
            "node-unknown",
            fmt::format("{} {} of a connection is no element of the file", member, excerpt(uid)),
            value);
    };
    find("from_node", connection.from);
    find("to_node", connection.to);
    connections_.push_back(connection);
  }
}

// One connection before it, one behind it, each with a node, and not with the same one.
void GnpyIndex::join_fibers() {
  for (const GnpyConnection& connection : connections_) {
    if (connection.from == kNoElement || connection.to == kNoElement) continue;
    GnpyElement& from = elements_[connection.from];
    GnpyElement& to = elements_[connection.to];
    ++from.behind;
    ++to.before;
    if (from.is_fiber && !to.is_fiber) from.to = connection.to;
    if (to.is_fiber && !from.is_fiber) to.from = connection.from;
  }
  for (GnpyElement& element : elements_)
    if (element.before != 1 || element.behind != 1 || element.from == element.to)
      element.from = element.to = kNoElement;
}

bool GnpyIndex::has_degrees() const {
  std::size_t witnesses = 0;
  for (const GnpyElement& fiber : elements_) {
    if (!fiber.is_link()) continue;
    const auto from = position_of(elements_[fiber.from].value);
    const auto to = position_of(elements_[fiber.to].value);
    const auto length = length_of(fiber.value);
    if (!from || !to || !length || *from == *to) continue;
    const double detour = *length / great_circle(*from, *to);
    if (!(detour >= kDetourMin && detour <= kDetourMax)) return false;
    ++witnesses;
  }
  return witnesses >= kWitnessesMin;
}

}  // namespace netml::codecs
