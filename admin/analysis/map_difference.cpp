#include "admin/analysis/map_answers.hpp"

#include <algorithm>
#include <array>
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

void add_place(json::object& lists, RecordNumber number, const engine::Attributes& attributes) {
  const auto at = attributes.coordinates();
  append_each(lists, {{"number", number.value},
                      {"latitude", at ? json::value(degrees(at->latitude)) : json::value()},
                      {"longitude", at ? json::value(degrees(at->longitude)) : json::value()}});
}

void add_node(json::object& lists, const Graph& graph, RecordId id) {
  add_place(lists, graph.number(id), graph.attributes(id));
  append_each(lists, {{"name", graph.attributes(id).name()}});
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

// What differs of nodes and links, to be drawn over the map of one of the graphs: the numbers that
// they have on it, or elsewhere where it lacks them, and columns of these.
class Drawn {
 public:
  enum class Over : std::uint8_t { before, after };
  Drawn(const Graph& before, const Graph& after, Over over)
      : before_(before), after_(after), over_(over) {}

  void add(const ElementDifference& element) {
    const bool node = element.kind == Kind::node;
    const bool is_on_map =
        over_ == Over::before ? element.before != RecordId{} : element.after != RecordId{};
    const bool in_before = (over_ == Over::before) == is_on_map;
    const Graph& graph = in_before ? before_ : after_;
    const RecordId id = in_before ? element.before : element.after;
    const char* const list = !element.before ? "added" : element.after ? "changed" : "removed";
    append_each(node ? nodes_ : links_, {{list, graph.number(id).value}});
    if (!is_on_map) node ? add_node(node_columns_, graph, id) : add_link(link_columns_, graph, id);
  }
  // With the columns by the name that is given.
  json::object take(std::string_view columns) {
    return {{"nodes", std::move(nodes_)},
            {"links", std::move(links_)},
            {columns, {{"nodes", std::move(node_columns_)}, {"links", std::move(link_columns_)}}}};
  }

 private:
  const Graph& before_;
  const Graph& after_;
  const Over over_;
  json::object nodes_ = empty_lists({"added", "removed", "changed"});
  json::object links_ = nodes_;
  json::object node_columns_ = empty_lists({"number", "name", "latitude", "longitude"});
  json::object link_columns_ = empty_lists({"number", "name", "a", "b"});
};

bool moves(const ElementDifference& element) {
  return element.before && element.after &&
         std::ranges::any_of(element.fields, [](const engine::FieldChange& change) {
           return change.field == engine::Field::coordinates;
         });
}

bool is_drawn(Kind kind) {
  return kind == Kind::node || kind == Kind::link;
}

}  // namespace

json::object map_difference(const Graph& before, const Graph& after) {
  const engine::Difference difference(before, after);
  Drawn drawn(before, after, Drawn::Over::after);
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const ElementDifference element = difference.at(i);
    if (is_drawn(element.kind) && is_seen(element)) drawn.add(element);
  }
  return drawn.take("gone");
}

json::object planned_map(const engine::State& before, const Graph& after,
                         const engine::Difference& difference, std::size_t most) {
  Drawn drawn(before.graph, after, Drawn::Over::before);
  json::object moved = empty_lists({"number", "latitude", "longitude"});
  std::array<std::size_t, kKindCount> count{};
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const auto [was, is] = difference.records(i);
    const Kind kind = is ? after.kind(is) : before.graph.kind(was);
    if (!is_drawn(kind)) continue;
    std::size_t& of_kind = count[static_cast<std::size_t>(kind)];
    if (of_kind == most) {
      ++left_out;
      continue;
    }
    const ElementDifference element = difference.at(i);
    if (!is_seen(element)) continue;
    ++of_kind;
    drawn.add(element);
    if (kind == Kind::node && moves(element))
      add_place(moved, before.graph.number(was), after.attributes(is));
  }
  json::object answer = drawn.take("coming");
  answer["lsn"] = before.lsn.value;
  answer["moved"] = std::move(moved);
  answer["left_out"] = left_out;
  return answer;
}

}  // namespace netml::admin::web
