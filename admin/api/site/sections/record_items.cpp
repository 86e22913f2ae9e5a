#include "admin/api/site/sections/record_items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "admin/analysis/map_records.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/records/record_fields.hpp"
#include "admin/api/records/record_json.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Attributes;
using engine::Graph;

namespace {

// The one name of a field where the functional endpoints have another.
struct Renamed {
  std::string_view item;
  std::string_view functional;
};
constexpr std::array kRenamed{Renamed{"id", "netml_id"}, Renamed{"is_main", "main"}};

constexpr std::array<std::string_view, 6> kReferences{"topologies", "owners", "owner",
                                                      "parent",     "node_a", "node_b"};

json::value reference_or_null(const Graph& graph, RecordId id) {
  return id ? json::value(reference_json(graph, id)) : json::value();
}

json::value decimal_or_null(const std::optional<engine::Micro>& value) {
  return value ? json::value(functional::decimal_text(*value)) : json::value();
}

json::object member_counts_json(const Graph& graph, RecordId topology) {
  std::array<std::uint64_t, kKindCount> counts{};
  graph.for_each_referrer(
      topology, [&](RecordId member) { ++counts[static_cast<std::size_t>(graph.kind(member))]; });
  return each_kind_json([&](Kind kind) { return counts[static_cast<std::size_t>(kind)]; });
}

// Objects with a number, alone or in lists, as their numbers.
json::value number_of(const json::value& reference) {
  if (reference.is_array()) {
    json::array numbers;
    for (const json::value& each : reference.get_array()) {
      const bool object = each.is_object() && each.get_object().contains("number");
      numbers.push_back(object ? each.at("number") : each);
    }
    return numbers;
  }
  const bool object = reference.is_object() && reference.get_object().contains("number");
  return object ? reference.at("number") : reference;
}

json::object functional_fields(const json::object& fields) {
  json::object renamed = fields;
  for (const Renamed& field : kRenamed)
    if (const json::value* value = fields.if_contains(field.item)) {
      json::value kept = *value;
      renamed.erase(field.item);
      renamed[field.functional] = std::move(kept);
    }
  for (const std::string_view name : kReferences)
    if (const json::value* value = fields.if_contains(name)) renamed[name] = number_of(*value);
  return renamed;
}

Status check_needed(const engine::RecordEdit& edit, Kind kind) {
  if (kind == Kind::topology) return {};
  if (!edit.topologies || edit.topologies->empty())
    return fail(Errc::invalid_input, "topologies", "at least one is needed");
  if (kind == Kind::institution) return {};
  if (!edit.owners || edit.owners->empty())
    return fail(Errc::invalid_input, "owners", "at least one is needed");
  return {};
}

}  // namespace

std::string record_etag(const Graph& graph, RecordId id) {
  Sha256Hasher hasher;
  hasher.add(graph.attributes(id).bytes());
  hasher.add(graph.relations(id).bytes());
  return to_hex(hasher.finish()).substr(0, 32);
}

json::object list_item(const Graph& graph, RecordId id) {
  const Attributes& attributes = graph.attributes(id);
  const engine::Relations& relations = graph.relations(id);
  json::object item = reference_json(graph, id);
  item["version"] = time_or_null(attributes.version());
  functional::add_further_texts(item, attributes);
  if (attributes.kind() == Kind::topology) {
    item["parent"] = reference_or_null(graph, relations.parent());
    item["owner"] = reference_or_null(graph, relations.owner());
    item["is_main"] = attributes.main();
    item["counts"] = member_counts_json(graph, id);
    return item;
  }
  item["short_name"] = attributes.short_name();
  item["topologies"] = references_json(graph, relations.topologies());
  if (attributes.kind() != Kind::institution)
    item["owners"] = references_json(graph, relations.owners());
  if (attributes.kind() == Kind::link) {
    item["node_a"] = reference_json(graph, relations.ends()[0]);
    item["node_b"] = reference_json(graph, relations.ends()[1]);
    return item;
  }
  const auto at = attributes.coordinates();
  item["latitude"] = at ? decimal_or_null(at->latitude) : nullptr;
  item["longitude"] = at ? decimal_or_null(at->longitude) : nullptr;
  return item;
}

json::object whole_item(const Graph& graph, RecordId id) {
  const Attributes& attributes = graph.attributes(id);
  json::object item = list_item(graph, id);
  item["etag"] = record_etag(graph, id);
  json::array properties;
  attributes.for_each_property([&](const engine::Property& property) {
    properties.push_back(json::object{{"name", property.name}, {"value", property.value}});
  });
  item["properties"] = std::move(properties);
  if (attributes.kind() == Kind::topology) return item;
  if (attributes.kind() != Kind::link) {
    item["unlocode"] = attributes.unlocode();
    item["address"] = attributes.address();
    item["altitude"] = decimal_or_null(attributes.altitude());
  }
  if (attributes.kind() != Kind::institution) {
    item["start"] = time_or_null(attributes.start());
    item["end"] = time_or_null(attributes.end());
  }
  return item;
}

std::string topology_path(const Graph& graph, RecordId topology) {
  std::string path(graph.attributes(topology).name());
  for (RecordId above = graph.relations(topology).parent(); above;
       above = graph.relations(above).parent())
    path.insert(0, fmt::format("{} ==> ", graph.attributes(above).name()));
  return path;
}

Result<engine::RecordEdit> read_item(const json::object& fields, Kind kind, const Graph& graph) {
  auto edit = functional::read_record_fields(functional_fields(fields), kind,
                                             functional::Completeness::whole, graph);
  if (!edit) return tl::unexpected(as_field_of_item(std::move(edit.error())));
  if (!edit->version.value_or(std::nullopt)) edit->version.reset();
  edit->properties = std::move(edit->added_properties);
  edit->added_properties.clear();
  NETML_TRY_VOID(check_needed(*edit, kind));
  return edit;
}

Result<engine::RecordEdit> read_some_fields(const json::object& fields, Kind kind,
                                            const Graph& graph) {
  return functional::read_record_fields(functional_fields(fields), kind,
                                        functional::Completeness::partial, graph);
}

Error as_field_of_item(Error error) {
  for (const Renamed& field : kRenamed)
    if (error.field == field.functional) error.field = field.item;
  return error;
}

}  // namespace netml::admin::web
