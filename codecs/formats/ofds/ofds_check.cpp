#include "codecs/formats/ofds/ofds_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace netml::codecs {

namespace {

enum class Type : std::uint8_t { text, number, boolean, date, uri, object, list };

std::string_view type_text(Type type) {
  constexpr std::array<std::string_view, 7> kTexts{"a text", "a number",  "true or false", "a date",
                                                   "a URI",  "an object", "a list"};
  return kTexts[static_cast<std::size_t>(type)];
}

// By the path in a network.
struct Row {
  std::string_view path;
  Type type;
};

constexpr std::array kNetworkRows{
    Row{"id", Type::text},
    Row{"name", Type::text},
    Row{"website", Type::uri},
    Row{"publicationDate", Type::date},
    Row{"collectionDate", Type::date},
    Row{"language", Type::text},
    Row{"accuracy", Type::number},
    Row{"accuracyDetails", Type::text},
    Row{"crs", Type::object},
    Row{"crs.name", Type::text},
    Row{"crs.uri", Type::uri},
    Row{"publisher", Type::object},
    Row{"publisher.name", Type::text},
    Row{"publisher.identifier", Type::object},
    Row{"publisher.identifier.uri", Type::uri},
    Row{"links", Type::list},
    Row{"links[]", Type::object},
    Row{"links[].href", Type::uri},
    Row{"links[].rel", Type::text},
    Row{"phases", Type::list},
    Row{"phases[]", Type::object},
    Row{"phases[].id", Type::text},
    Row{"phases[].name", Type::text},
    Row{"phases[].funders", Type::list},
    Row{"organisations", Type::list},
    Row{"organisations[]", Type::object},
    Row{"organisations[].id", Type::text},
    Row{"organisations[].name", Type::text},
    Row{"organisations[].identifier", Type::object},
    Row{"organisations[].roles", Type::list},
    Row{"organisations[].website", Type::uri},
    Row{"organisations[].logo", Type::uri},
    Row{"contracts", Type::list},
    Row{"contracts[]", Type::object},
    Row{"contracts[].id", Type::text},
    Row{"contracts[].title", Type::text},
    Row{"contracts[].value", Type::object},
    Row{"contracts[].value.amount", Type::number},
    Row{"contracts[].dateSigned", Type::date},
    Row{"contracts[].documents", Type::list},
    Row{"contracts[].relatedPhases", Type::list},
};

constexpr std::array kNodeRows{
    Row{"nodes", Type::list},
    Row{"nodes[]", Type::object},
    Row{"nodes[].id", Type::text},
    Row{"nodes[].name", Type::text},
    Row{"nodes[].phase", Type::object},
    Row{"nodes[].status", Type::text},
    Row{"nodes[].location", Type::object},
    Row{"nodes[].location.type", Type::text},
    Row{"nodes[].location.coordinates", Type::list},
    Row{"nodes[].address", Type::object},
    Row{"nodes[].type", Type::list},
    Row{"nodes[].accessPoint", Type::boolean},
    Row{"nodes[].power", Type::boolean},
    Row{"nodes[].internationalConnections", Type::list},
    Row{"nodes[].technologies", Type::list},
    Row{"nodes[].physicalInfrastructureProvider", Type::object},
    Row{"nodes[].networkProviders", Type::list},
};

constexpr std::array kSpanRows{
    Row{"spans", Type::list},
    Row{"spans[]", Type::object},
    Row{"spans[].id", Type::text},
    Row{"spans[].name", Type::text},
    Row{"spans[].phase", Type::object},
    Row{"spans[].status", Type::text},
    Row{"spans[].readyForServiceDate", Type::date},
    Row{"spans[].directed", Type::boolean},
    Row{"spans[].route", Type::object},
    Row{"spans[].route.type", Type::text},
    Row{"spans[].route.coordinates", Type::list},
    Row{"spans[].route.properties", Type::object},
    Row{"spans[].physicalInfrastructureProvider", Type::object},
    Row{"spans[].networkProviders", Type::list},
    Row{"spans[].supplier", Type::object},
    Row{"spans[].transmissionMedium", Type::list},
    Row{"spans[].deployment", Type::list},
    Row{"spans[].deploymentDetails", Type::object},
    Row{"spans[].darkFibre", Type::boolean},
    Row{"spans[].fibreType", Type::text},
    Row{"spans[].fibreTypeDetails", Type::object},
    Row{"spans[].fibreCount", Type::number},
    Row{"spans[].fibreLength", Type::number},
    Row{"spans[].technologies", Type::list},
    Row{"spans[].capacity", Type::number},
    Row{"spans[].capacityDetails", Type::object},
    Row{"spans[].countries", Type::list},
};

using Types = std::unordered_map<std::string_view, Type>;

const Types& types() {
  static const Types kTypes = [] {
    Types all;
    for (const std::span<const Row> rows :
         {std::span<const Row>(kNetworkRows), std::span<const Row>(kNodeRows),
          std::span<const Row>(kSpanRows)})
      for (const Row& row : rows) all.emplace(row.path, row.type);
    return all;
  }();
  return kTypes;
}

constexpr std::string_view kIdentified[] = {"nodes", "spans", "phases", "organisations",
                                            "contracts"};

// "2018-01-31"
bool is_date(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  return std::ranges::equal(text, kShape, [](char c, char shape) {
    return shape == 'd' ? c >= '0' && c <= '9' : c == shape;
  });
}

// Begins with a scheme.
bool is_uri(std::string_view text) {
  const std::string_view scheme = text.substr(0, std::min(text.find(':'), text.size()));
  return scheme.size() < text.size() && !scheme.empty() &&
         std::ranges::all_of(
             scheme,
             [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '+' || c == '-' || c == '.';
             });
}

bool is_of(Type type, JsonValue value) {
  switch (type) {
    case Type::text:
      return value.is_string();
    case Type::number:
      return value.is_number();
    case Type::boolean:
      return value.kind() == JsonKind::boolean;
    case Type::date:
      return value.is_string() && is_date(value.text());
    case Type::uri:
      return value.is_string() && is_uri(value.text());
    case Type::object:
      return value.is_object();
    case Type::list:
      return value.is_array();
  }
  return false;
}

void check_value(std::string_view path, JsonValue value, ErrorList& errors) {
  if (value.is_string() && value.text().empty())
    return errors.report("empty-text", fmt::format("{} is empty", path), value.position());
  const auto type = types().find(path);
  if (type == types().end() || value.kind() == JsonKind::null || is_of(type->second, value)) return;
  errors.report("wrong-type", fmt::format("{} is not {}", path, type_text(type->second)),
                value.position(), excerpt(value.text()));
}

void check_values(JsonValue network, ErrorList& errors) {
  struct Step {
    std::string path;
    JsonValue value;
  };
  std::vector<Step> open{{"", network}};
  while (!open.empty()) {
    const Step step = std::move(open.back());
    open.pop_back();
    if (!step.path.empty()) check_value(step.path, step.value, errors);
    if (step.path.ends_with(".coordinates")) continue;  // the reader takes any
    const std::size_t others = open.size();
    for (const JsonValue item : step.value.items())
      open.push_back({fmt::format("{}[]", step.path), item});
    for (const auto& [name, value] : step.value.members())
      open.push_back(
          {step.path.empty() ? std::string(name) : fmt::format("{}.{}", step.path, name), value});
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(others), open.end());
  }
}

// All in a list have an identifier of their own.
void check_ids(std::string_view name, JsonValue list, ErrorList& errors) {
  std::unordered_set<std::string_view> known;
  for (const JsonValue item : list.items()) {
    if (!item.is_object()) continue;  // reported already
    const JsonValue id = item["id"];
    if (id.is_absent())
      errors.report("missing-id", fmt::format("one of {} has no id", name), item.position());
    else if (id.is_string() && !known.insert(id.text()).second)
      errors.report("duplicate-id", fmt::format("two of {} have one id", name), id.position(),
                    excerpt(id.text()));
  }
}

}  // namespace

void check_ofds_network(JsonValue network, ErrorList& errors) {
  if (!network.is_object())
    return errors.report("wrong-type", "a network is not an object", network.position());
  if (network["id"].is_absent())
    errors.report("missing-id", "a network has no id", network.position());
  check_values(network, errors);
  for (const std::string_view name : kIdentified) check_ids(name, network[name], errors);
}

}  // namespace netml::codecs
