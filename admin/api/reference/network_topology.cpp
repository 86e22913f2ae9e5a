// Creating, reading, changing and deleting single records (docs/requirements/http-api.md,
// section 12).
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <memory>

#include "admin/answers/json_answers.hpp"
#include "admin/api/records/property_keys.hpp"
#include "admin/api/records/record_fields.hpp"
#include "admin/api/records/record_json.hpp"
#include "admin/api/reference/calls.hpp"
#include "engine/edit/plan_records.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

constexpr const char* kTopologyRoot = "/network_topology/test/";

tl::unexpected<Error> no_such_record() {
  return fail(Errc::not_found, "there is no such record");
}

Result<RecordId> find(const engine::State& state, Kind kind, std::uint64_t number) {
  const RecordId id = number == 0 ? RecordId{} : state.graph.find_by_number(RecordNumber{number});
  if (!id || state.graph.kind(id) != kind) return no_such_record();
  return id;
}

// What a change shows of its record; it may be gone again by now.
Result<Response> written(const Call& call, PropertyKeys& keys, int status, RecordId id) {
  const auto held = keys.hold();
  const engine::StatePtr state = call.state();
  if (!state->graph.contains(id)) return no_such_record();
  json::object object = record_json(*state, id, keys);
  object["id"] = object.at("pk");
  return json_answer(status, object);
}

Result<Response> list(const Call& call, PropertyKeys& keys, Kind kind) {
  const auto held = keys.hold();
  const engine::StatePtr state = call.state();
  const engine::Graph& graph = state->graph;
  std::vector<RecordId> ids;
  graph.for_each_record([&](RecordId id) {
    if (graph.kind(id) == kind) ids.push_back(id);
  });
  std::ranges::sort(ids, {}, [&](RecordId id) { return graph.number(id); });
  json::array records;
  for (const RecordId id : ids) records.push_back(record_json(*state, id, keys));
  return json_answer(200, records);
}

Result<Response> show(const Call& call, PropertyKeys& keys, Kind kind, std::uint64_t number) {
  const auto held = keys.hold();
  const engine::StatePtr state = call.state();
  NETML_TRY(const RecordId id, find(*state, kind, number));
  return json_answer(200, record_json(*state, id, keys));
}

// A random identifier in the form of RFC 4122, version 4.
std::string random_identifier(Random& random) {
  std::array<unsigned char, 16> bytes{};
  random.fill(std::as_writable_bytes(std::span(bytes)));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
  return text;
}

Result<Response> create(const Call& call, PropertyKeys& keys, Kind kind) {
  NETML_TRY(const json::object fields, call.fields());
  const std::string generated = random_identifier(call.services.node.random());
  RecordId created;
  NETML_TRY_VOID(call.commit(
      engine::Cause::edit,
      [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
        NETML_TRY(engine::RecordEdit edit,
                  read_record_fields(fields, kind, Completeness::whole, state.graph));
        if (!edit.id) edit.id = generated;
        if (!edit.version) edit.version = now.instant();
        NETML_TRY(engine::RecordCreation creation, plan_record_create(state, kind, edit));
        created = creation.id;
        return std::move(creation.transaction);
      }));
  return written(call, keys, 201, created);
}

Result<Response> change(const Call& call, PropertyKeys& keys, Kind kind, std::uint64_t number,
                        Completeness completeness) {
  NETML_TRY(const json::object fields, call.fields());
  RecordId changed;
  NETML_TRY_VOID(
      call.commit(engine::Cause::edit,
                  [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
                    NETML_TRY(changed, find(state, kind, number));
                    NETML_TRY(const engine::RecordEdit edit,
                              read_record_fields(fields, kind, completeness, state.graph));
                    return plan_record_update(state, changed, edit);
                  }));
  return written(call, keys, 200, changed);
}

Result<Response> remove(const Call& call, Kind kind, std::uint64_t number) {
  NETML_TRY_VOID(
      call.commit(engine::Cause::edit,
                  [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
                    NETML_TRY(const RecordId id, find(state, kind, number));
                    return plan_record_delete(state, id);
                  }));
  return no_content();
}

void add_records(Routes& routes, Kind kind, const std::shared_ptr<PropertyKeys>& keys) {
  routes.add_collection(
      fmt::format("{}{}/", kTopologyRoot, collection_name(kind)),
      {[kind, keys](const Call& call) { return list(call, *keys, kind); },
       [kind, keys](const Call& call) { return create(call, *keys, kind); },
       [kind, keys](const Call& call, std::uint64_t number) {
         return show(call, *keys, kind, number);
       },
       [kind, keys](const Call& call, std::uint64_t number, Completeness completeness) {
         return change(call, *keys, kind, number, completeness);
       },
       [kind](const Call& call, std::uint64_t number) { return remove(call, kind, number); }});
}

// ---- properties ----

using Properties = std::vector<engine::TextProperty>;

Properties properties_of(const engine::Graph& graph, RecordId record) {
  Properties properties;
  graph.attributes(record).for_each_property([&](const engine::Property& property) {
    properties.push_back({std::string(property.name), std::string(property.value)});
  });
  return properties;
}

Result<Response> list_properties(const Call& call, PropertyKeys& keys) {
  const auto held = keys.hold();
  const engine::StatePtr state = call.state();
  const engine::Graph& graph = state->graph;
  json::array all;
  graph.for_each_record([&](RecordId id) {
    const std::vector<std::uint64_t> numbers = keys.of(graph, id);
    std::size_t index = 0;
    graph.attributes(id).for_each_property([&](const engine::Property& property) {
      all.push_back(property_json(numbers[index++], property));
    });
  });
  return json_answer(200, all);
}

Result<Response> show_property(const Call& call, PropertyKeys& keys, std::uint64_t key) {
  const auto held = keys.hold();
  const engine::StatePtr state = call.state();
  const auto place = keys.find(state->graph, key);
  if (!place) return no_such_record();
  const std::vector<engine::Property> all = state->graph.attributes(place->record).properties();
  return json_answer(200, property_json(key, all[place->index]));
}

Result<Response> create_property(const Call&) {
  return fail(Errc::invalid_input, "a property belongs to a record: add it there");
}

// Applies `edit` to the properties of the record that the property belongs to. `keys` is held, and
// not informed of it.
using EditProperties = std::function<Status(Properties&, std::size_t index)>;
Status edit_properties(const Call& call, PropertyKeys& keys, std::uint64_t key,
                       const EditProperties& edit) {
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    const auto place = keys.find(state.graph, key);
    if (!place) return no_such_record();
    engine::RecordEdit record;
    record.properties = properties_of(state.graph, place->record);
    NETML_TRY_VOID(edit(*record.properties, place->index));
    return plan_record_update(state, place->record, record);
  };
  NETML_TRY_VOID(call.commit(engine::Cause::edit, plan));
  return {};
}

Result<Response> change_property(const Call& call, PropertyKeys& keys, std::uint64_t key,
                                 Completeness completeness) {
  NETML_TRY(const json::object fields, call.fields());
  {
    const auto held = keys.hold();
    engine::TextProperty changed;
    const auto change = [&](Properties& all, std::size_t index) -> Status {
      json::object wanted{{"name", all[index].name}, {"value", all[index].value}};
      if (completeness == Completeness::whole) wanted.clear();
      for (const char* field : {"name", "value"})
        if (const json::value* value = fields.if_contains(field)) wanted[field] = *value;
      NETML_TRY(changed, read_property(wanted));
      all[index] = changed;
      return {};
    };
    NETML_TRY_VOID(edit_properties(call, keys, key, change));
    keys.changed(key, changed);
  }
  return show_property(call, keys, key);
}

Result<Response> remove_property(const Call& call, PropertyKeys& keys, std::uint64_t key) {
  const auto held = keys.hold();
  const auto remove = [](Properties& all, std::size_t index) -> Status {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    return {};
  };
  NETML_TRY_VOID(edit_properties(call, keys, key, remove));
  keys.removed(key);
  return no_content();
}

void add_properties(Routes& routes, const std::shared_ptr<PropertyKeys>& keys) {
  routes.add_collection(
      std::string(kTopologyRoot) + "properties/",
      {[keys](const Call& call) { return list_properties(call, *keys); }, create_property,
       [keys](const Call& call, std::uint64_t key) { return show_property(call, *keys, key); },
       [keys](const Call& call, std::uint64_t key, Completeness completeness) {
         return change_property(call, *keys, key, completeness);
       },
       [keys](const Call& call, std::uint64_t key) { return remove_property(call, *keys, key); }});
}

}  // namespace

void add_network_topology(Routes& routes, WallTime start) {
  const auto keys = std::make_shared<PropertyKeys>(start);
  std::vector<std::string> names;
  for (const Kind kind : kKinds) {
    add_records(routes, kind, keys);
    names.emplace_back(collection_name(kind));
  }
  add_properties(routes, keys);
  names.emplace_back("properties");
  routes.add(Method::get, kTopologyRoot, Access::basic,
             show_collections(kTopologyRoot, std::move(names)));
  routes.add(
      Method::del, std::string(kTopologyRoot) + "topologies/delete/", Access::basic,
      [](const Call& call) -> Result<Response> {
        NETML_TRY_VOID(call.commit(engine::Cause::edit, [](const engine::State& state, WallTime) {
          return Result<engine::Transaction>(plan_graph_clear(state));
        }));
        return no_content();
      });
}

}  // namespace netml::admin::functional
