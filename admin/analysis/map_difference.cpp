#include "admin/analysis/map_answers.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <initializer_list>
#include <string_view>

#include "engine/transaction/difference.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::ElementDifference;
using engine::Graph;

namespace {

double degrees(engine::Micro value) {
  constexpr double kUnit = 1'000'000;
  return static_cast<double>(value.value) / kUnit;
}

json::value position(const Graph& graph, RecordId node) {
  const auto at = graph.attributes(node).coordinates();
  if (!at) return nullptr;
  return json::array{degrees(at->latitude), degrees(at->longitude)};
}

// One for each name.
json::object empty_lists(std::initializer_list<std::string_view> names) {
  json::object lists;
  for (const std::string_view name : names) lists[name].emplace_array();
  return lists;
}

// Each value to the list of its name.
void append_each(json::object& lists, json::object values) {
  for (auto& [name, value] : values) lists[name].as_array().push_back(std::move(value));
}

void add_node(json::object& lists, const Graph& graph, RecordId id) {
  const auto at = graph.attributes(id).coordinates();
  append_each(lists, {{"number", graph.number(id).value},
                      {"name", graph.attributes(id).name()},
                      {"latitude", at ? json::value(degrees(at->latitude)) : json::value()},
                      {"longitude", at ? json::value(degrees(at->longitude)) : json::value()}});
}

void add_link(json::object& lists, const Graph& graph, RecordId id) {
  const auto ends = graph.relations(id).ends();
  append_each(lists, {{"number", graph.number(id).value},
                      {"name", graph.attributes(id).name()},
                      {"a", position(graph, ends[0])},
                      {"b", position(graph, ends[1])}});
}

bool is_seen(const ElementDifference& element) {
  return std::ranges::any_of(element.fields, [](const engine::FieldChange& change) {
    return change.field != engine::Field::version;
  });
}

}  // namespace

json::object map_difference(const Graph& before, const Graph& after) {
  const engine::Difference difference(before, after);
  json::object nodes = empty_lists({"added", "removed", "changed"});
  json::object links = nodes;
  json::object gone_nodes = empty_lists({"number", "name", "latitude", "longitude"});
  json::object gone_links = empty_lists({"number", "name", "a", "b"});
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const ElementDifference element = difference.at(i);
    const bool node = element.kind == Kind::node;
    if (!node && element.kind != Kind::link) continue;
    json::object& side = node ? nodes : links;
    if (!element.before) {
      append_each(side, {{"added", after.number(element.after).value}});
    } else if (element.after) {
      if (is_seen(element)) append_each(side, {{"changed", after.number(element.after).value}});
    } else {
      append_each(side, {{"removed", before.number(element.before).value}});
      node ? add_node(gone_nodes, before, element.before)
           : add_link(gone_links, before, element.before);
    }
  }
  return {{"nodes", std::move(nodes)},
          {"links", std::move(links)},
          {"gone", {{"nodes", std::move(gone_nodes)}, {"links", std::move(gone_links)}}}};
}

}  // namespace netml::admin::web
