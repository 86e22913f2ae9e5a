#include "admin/api/records/record_json.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/record_text.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using engine::Attributes;
using engine::Graph;
using engine::Micro;
using web::time_or_null;

namespace {

json::value key_or_null(const Graph& graph, RecordId id) {
  if (!id) return nullptr;
  return graph.number(id).value;
}

void add_identity(json::object& object, const Graph& graph, RecordId id) {
  const std::string_view identifier = graph.attributes(id).id();
  object["pk"] = graph.number(id).value;
  object["grenml_id"] = identifier;
  object["netml_id"] = identifier;
  object["name"] = graph.attributes(id).name();
}

json::object reference(const Graph& graph, RecordId id) {
  json::object object;
  add_identity(object, graph, id);
  if (graph.kind(id) != Kind::topology) object["short_name"] = graph.attributes(id).short_name();
  return object;
}

json::array references(const Graph& graph, std::span<const RecordId> ids) {
  json::array array;
  for (const RecordId id : ids) array.push_back(reference(graph, id));
  return array;
}

json::array properties(const Graph& graph, RecordId id, PropertyKeys& keys) {
  json::array array;
  const std::vector<std::uint64_t> numbers = keys.of(graph, id);
  graph.attributes(id).for_each_property([&](const engine::Property& property) {
    array.push_back(property_json(numbers[array.size()], property));
  });
  return array;
}

// Where nothing is known clients expect a number all the same (decision 11).
void add_place(json::object& object, const Attributes& attributes) {
  const engine::Coordinates at = attributes.coordinates().value_or(engine::Coordinates());
  object["latitude"] = decimal_text(at.latitude);
  object["longitude"] = decimal_text(at.longitude);
  object["altitude"] = decimal_text(attributes.altitude().value_or(Micro{}));
  object["unlocode"] = attributes.unlocode();
  object["address"] = attributes.address();
}

void add_lifetime(json::object& object, const Attributes& attributes) {
  object["start"] = time_or_null(attributes.start());
  object["end"] = time_or_null(attributes.end());
}

void add_owned(json::object& object, const Graph& graph, RecordId institution) {
  json::array topologies;
  json::array elements;
  graph.for_each_referrer(institution, [&](RecordId owned) {
    (graph.kind(owned) == Kind::topology ? topologies : elements)
        .push_back(graph.number(owned).value);
  });
  object["owned_topologies"] = std::move(topologies);
  object["owned_elements"] = std::move(elements);
}

}  // namespace

std::string decimal_text(Micro value) {
  constexpr std::int64_t kUnit = 1'000'000;
  const std::int64_t size = value.value < 0 ? -value.value : value.value;
  return fmt::format("{}{}.{:06}", value.value < 0 ? "-" : "", size / kUnit, size % kUnit);
}

json::object record_json(const engine::State& state, RecordId id, PropertyKeys& keys) {
  const Graph& graph = state.graph;
  const Attributes& attributes = graph.attributes(id);
  const engine::Relations& relations = graph.relations(id);
  json::object object;
  add_identity(object, graph, id);
  object["version"] = time_or_null(attributes.version());
  object["dirty"] = false;  // a mark of imports in progress, which nobody sees
  object["properties"] = properties(graph, id, keys);
  add_further_texts(object, attributes);
  if (attributes.kind() == Kind::topology) {
    object["main"] = attributes.main();
    object["parent"] = key_or_null(graph, relations.parent());
    object["owner"] = key_or_null(graph, relations.owner());
    return object;
  }
  object["short_name"] = attributes.short_name();
  object["topologies"] = references(graph, relations.topologies());
  if (attributes.kind() != Kind::link) add_place(object, attributes);
  if (attributes.kind() == Kind::institution) {
    add_owned(object, graph, id);
    return object;
  }
  add_lifetime(object, attributes);
  object["owners"] = references(graph, relations.owners());
  if (attributes.kind() == Kind::link) {
    object["node_a"] = reference(graph, relations.ends()[0]);
    object["node_b"] = reference(graph, relations.ends()[1]);
  }
  return object;
}

void add_further_texts(json::object& object, const Attributes& attributes) {
  engine::for_each_further_text([&, fields = attributes.fields()](const auto& text) {
    if (text.applies_to(attributes.kind())) object[text.name] = fields.*text.member;
  });
}

json::object property_json(std::uint64_t key, const engine::Property& property) {
  return {{"pk", key}, {"name", property.name}, {"value", property.value}};
}

}  // namespace netml::admin::functional
