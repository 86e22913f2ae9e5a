#include "admin/analysis/map_difference.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <span>

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

// The changes of one kind.
struct Side {
  json::array added;
  json::array removed;
  json::array changed;

  json::object json() && {
    return {{"added", std::move(added)},
            {"removed", std::move(removed)},
            {"changed", std::move(changed)}};
  }
};

// As columns.
struct GoneNodes {
  json::array number, name, latitude, longitude;

  void add(const Graph& graph, RecordId id) {
    const auto at = graph.attributes(id).coordinates();
    number.emplace_back(graph.number(id).value);
    name.emplace_back(graph.attributes(id).name());
    latitude.push_back(at ? json::value(degrees(at->latitude)) : json::value());
    longitude.push_back(at ? json::value(degrees(at->longitude)) : json::value());
  }
  json::object json() && {
    return {{"number", std::move(number)},
            {"name", std::move(name)},
            {"latitude", std::move(latitude)},
            {"longitude", std::move(longitude)}};
  }
};
struct GoneLinks {
  json::array number, name, a, b;

  void add(const Graph& graph, RecordId id) {
    const auto ends = graph.relations(id).ends();
    number.emplace_back(graph.number(id).value);
    name.emplace_back(graph.attributes(id).name());
    a.push_back(position(graph, ends[0]));
    b.push_back(position(graph, ends[1]));
  }
  json::object json() && {
    return {{"number", std::move(number)},
            {"name", std::move(name)},
            {"a", std::move(a)},
            {"b", std::move(b)}};
  }
};

bool is_seen(const ElementDifference& element) {
  return std::ranges::any_of(element.fields, [](const engine::FieldChange& change) {
    return change.field != engine::Field::version;
  });
}

}  // namespace

json::object map_difference(const Graph& before, const Graph& after) {
  const engine::Difference difference(before, after);
  Side nodes;
  Side links;
  GoneNodes gone_nodes;
  GoneLinks gone_links;
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const ElementDifference element = difference.at(i);
    const bool node = element.kind == Kind::node;
    if (!node && element.kind != Kind::link) continue;
    Side& side = node ? nodes : links;
    if (!element.before) {
      side.added.emplace_back(after.number(element.after).value);
    } else if (element.after) {
      if (is_seen(element)) side.changed.emplace_back(after.number(element.after).value);
    } else {
      side.removed.emplace_back(before.number(element.before).value);
      node ? gone_nodes.add(before, element.before) : gone_links.add(before, element.before);
    }
  }
  return {
      {"nodes", std::move(nodes).json()},
      {"links", std::move(links).json()},
      {"gone", {{"nodes", std::move(gone_nodes).json()}, {"links", std::move(gone_links).json()}}}};
}

}  // namespace netml::admin::web
