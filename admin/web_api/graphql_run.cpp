#include "admin/web_api/graphql_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <set>

#include "admin/functional/record_json.hpp"
#include "admin/web_api/graphql_schema.hpp"
#include "admin/web_api/json_text.hpp"
#include "admin/web_api/map_records.hpp"
#include "admin/web_api/record_text.hpp"

namespace netml::admin::web::graphql {

namespace json = boost::json;
using engine::Attributes;
using engine::Graph;

namespace {

// ---- the plan ----

enum class Wanted : unsigned char { field, type_name, schema, type };

struct PlannedField {
  std::string key;  // of the answer
  Wanted wanted = Wanted::field;
  std::string name;
  Type of = Type::scalar;  // of what is below
  bool list = false;
  std::map<std::string, std::optional<std::string>, std::less<>> arguments;
  std::size_t below = kNoSet;     // place; none for scalars
  std::vector<std::size_t> sets;  // while the plan is made
};

struct Place {
  Type type = Type::query;
  std::vector<PlannedField> fields;
};

class Planner {
 public:
  Planner(const Query& query, const json::object& variables, const Operation& operation)
      : query_(query), variables_(variables), operation_(operation) {}

  tl::expected<std::vector<Place>, QueryError> run() {
    struct Open {
      std::size_t place;
      std::vector<std::size_t> sets;
      std::size_t depth;
    };
    std::vector<Open> open{{0, {operation_.set}, 1}};
    places_.push_back({Type::query, {}});
    while (!open.empty()) {
      const Open next = std::move(open.back());
      open.pop_back();
      NETML_TRY_VOID(collect(next.place, next.sets));
      for (std::size_t i = 0; i < places_[next.place].fields.size(); ++i) {
        PlannedField& field = places_[next.place].fields[i];
        if (field.of == Type::scalar) continue;
        const std::size_t depth_max =
            field.of == Type::description ? kDescriptionDepthMax : kDepthMax;
        if (next.depth == depth_max) return tl::unexpected(QueryError{too_deep(depth_max)});
        if (places_.size() == kPlacesMax)
          return tl::unexpected(QueryError{"the query asks too much"});
        const std::size_t below = field.below = places_.size();
        open.push_back({below, std::move(field.sets), next.depth + 1});
        const Type type = field.of;
        places_.push_back({type, {}});
      }
    }
    return std::move(places_);
  }

 private:
  using Done = tl::expected<void, QueryError>;

  static tl::unexpected<QueryError> wrong(const Selection& at, std::string message) {
    return tl::unexpected(QueryError{std::move(message), at.line, at.column});
  }

  // The fields of one place: those of all sets, with what fragments bring in.
  Done collect(std::size_t place, const std::vector<std::size_t>& sets) {
    std::vector<const Selection*> waiting;
    const auto add = [&](std::size_t set) {
      const std::vector<Selection>& all = query_.sets[set];
      for (auto each = all.rbegin(); each != all.rend(); ++each) waiting.push_back(&*each);
    };
    std::set<std::string_view> spread;
    for (auto set = sets.rbegin(); set != sets.rend(); ++set) add(*set);
    std::size_t seen = 0;
    while (!waiting.empty()) {
      const Selection& next = *waiting.back();
      waiting.pop_back();
      if (++seen > kPlacesMax) return wrong(next, "the query asks too much");
      NETML_TRY(const bool included, is_included(next));
      if (!included) continue;
      if (next.kind == Selection::Kind::field) {
        NETML_TRY_VOID(add_field(places_[place], next));
        continue;
      }
      std::string_view condition = next.condition;
      std::size_t set = next.set;
      if (next.kind == Selection::Kind::spread) {
        const auto fragment = query_.fragments.find(next.name);
        if (fragment == query_.fragments.end())
          return wrong(next, fmt::format("unknown fragment {}", next.name.substr(0, 64)));
        if (!spread.insert(fragment->first).second) continue;
        condition = fragment->second.type;
        set = fragment->second.set;
      }
      const Type type = places_[place].type;
      if (condition.empty() || type == Type::description || condition == type_name(type)) add(set);
    }
    return {};
  }

  Done add_field(Place& place, const Selection& selection) {
    NETML_TRY(PlannedField field, planned(place.type, selection));
    const bool object = field.of != Type::scalar;
    if (object && selection.set == kNoSet && place.type != Type::description)
      return wrong(selection, fmt::format("{} needs a selection of fields", selection.name));
    if (!object && selection.set != kNoSet)
      return wrong(selection, fmt::format("{} has no fields", selection.name));
    if (object && selection.set == kNoSet) field.of = Type::scalar;
    const auto same = std::ranges::find(place.fields, field.key, &PlannedField::key);
    if (same == place.fields.end()) {
      if (selection.set != kNoSet) field.sets.push_back(selection.set);
      place.fields.push_back(std::move(field));
      return {};
    }
    if (same->name != field.name || same->arguments != field.arguments)
      return wrong(selection, fmt::format("{} is asked for twice, differently", field.key));
    if (selection.set != kNoSet) same->sets.push_back(selection.set);
    return {};
  }

  tl::expected<PlannedField, QueryError> planned(Type type, const Selection& selection) {
    PlannedField field;
    field.key = selection.alias.empty() ? selection.name : selection.alias;
    field.name = selection.name;
    if (selection.name == "__typename") {
      field.wanted = Wanted::type_name;
      return field;
    }
    if (type == Type::query && (selection.name == "__schema" || selection.name == "__type")) {
      field.wanted = selection.name == "__schema" ? Wanted::schema : Wanted::type;
      field.of = Type::description;
      NETML_TRY_VOID(read_arguments(field, selection));
      return field;
    }
    if (type == Type::description) {
      field.of = Type::description;
      return field;
    }
    const Field* known = find_field(type, selection.name);
    if (known == nullptr)
      return wrong(selection, fmt::format("Cannot query field '{}' on type '{}'.",
                                          selection.name.substr(0, 64), type_name(type)));
    field.of = known->of;
    field.list = known->type.starts_with('[');
    NETML_TRY_VOID(read_arguments(field, selection));
    for (const auto& [name, value] : field.arguments)
      if (std::ranges::find(known->arguments, name) == known->arguments.end())
        return wrong(selection, fmt::format("unknown argument {}", name.substr(0, 64)));
    return field;
  }

  Done read_arguments(PlannedField& field, const Selection& selection) {
    for (const auto& [name, value] : selection.arguments) {
      NETML_TRY(field.arguments[name], text_of(value, selection));
    }
    return {};
  }

  // Numbers are taken as texts, as identifiers may be given so.
  tl::expected<std::optional<std::string>, QueryError> text_of(const Value& value,
                                                               const Selection& at) const {
    switch (value.kind) {
      case Value::Kind::null:
        return std::nullopt;
      case Value::Kind::text:
      case Value::Kind::number:
        return std::optional(value.text);
      case Value::Kind::variable: {
        if (const json::value* given = variables_.if_contains(value.text)) {
          if (given->is_null()) return std::nullopt;
          if (given->is_string()) return std::optional(std::string(given->get_string()));
          if (given->is_number()) return std::optional(json::serialize(*given));
          return wrong(at, fmt::format("${} must be a text", value.text.substr(0, 64)));
        }
        const auto otherwise = operation_.defaults.find(value.text);
        if (otherwise == operation_.defaults.end() ||
            otherwise->second.kind == Value::Kind::variable)
          return std::nullopt;
        return std::optional(otherwise->second.text);
      }
      case Value::Kind::boolean:
      case Value::Kind::name:
        break;
    }
    return wrong(at, "an argument must be a text");
  }

  tl::expected<bool, QueryError> is_included(const Selection& selection) const {
    for (const Directive& directive : selection.directives) {
      if (directive.name != "include" && directive.name != "skip")
        return wrong(selection, fmt::format("unknown directive {}", directive.name.substr(0, 64)));
      const auto condition = directive.arguments.find("if");
      if (condition == directive.arguments.end()) return wrong(selection, "a directive needs if");
      NETML_TRY(const bool holds, truth_of(condition->second, selection));
      if (holds != (directive.name == "include")) return false;
    }
    return true;
  }
  tl::expected<bool, QueryError> truth_of(const Value& value, const Selection& at) const {
    if (value.kind == Value::Kind::boolean) return value.text == "true";
    if (value.kind == Value::Kind::variable) {
      const json::value* given = variables_.if_contains(value.text);
      if (given != nullptr && given->is_bool()) return given->get_bool();
      const auto otherwise = operation_.defaults.find(value.text);
      if (otherwise != operation_.defaults.end()) return otherwise->second.text == "true";
    }
    return wrong(at, "if must be true or false");
  }

  const Query& query_;
  const json::object& variables_;
  const Operation& operation_;
  std::vector<Place> places_;
};

// ---- running it ----

// An object of the answer.
struct Object {
  RecordId record;           // or whose property it is
  std::size_t property = 0;  // which of its properties
  const json::value* description = nullptr;
};

struct Step {
  std::string text;  // to be appended; or, where there is a place, an object to be written
  std::size_t place = kNoSet;
  Object object;
};

class Runner {
 public:
  Runner(const Graph& graph, const std::vector<Place>& places) : graph_(graph), places_(places) {}

  tl::expected<std::string, QueryError> run() {
    std::vector<Step> waiting{{"}", kNoSet, {}}, {{}, 0, {}}, {"{\"data\":", kNoSet, {}}};
    std::string out;
    std::size_t objects = 0;
    while (!waiting.empty()) {
      const Step step = std::move(waiting.back());
      waiting.pop_back();
      out += step.text;
      if (step.place == kNoSet) continue;
      if (++objects + waiting.size() > kObjectsMax)
        return tl::unexpected(QueryError{"the query asks for too much at once"});
      steps_.assign(1, {"{", kNoSet, {}});
      write(places_[step.place], step.object);
      append("}");
      for (auto each = steps_.rbegin(); each != steps_.rend(); ++each)
        waiting.push_back(std::move(*each));
    }
    return out;
  }

 private:
  // Text joins the step before it.
  std::string& text() {
    if (steps_.back().place != kNoSet) steps_.push_back({});
    return steps_.back().text;
  }
  void append(std::string_view part) { text() += part; }
  void object(std::size_t place, Object object) { steps_.push_back({{}, place, object}); }

  void write(const Place& place, const Object& object) {
    bool first = true;
    for (const PlannedField& field : place.fields) {
      if (!std::exchange(first, false)) append(",");
      append_text(text(), field.key);
      append(":");
      if (field.wanted == Wanted::type_name)
        append_text(text(), type_name(place.type));
      else if (field.wanted != Wanted::field)
        write_description(field, described(field));
      else if (place.type == Type::description)
        write_description(field, member(*object.description, field.name));
      else if (place.type == Type::query)
        write_roots(field);
      else if (place.type == Type::property)
        write_property(object, field);
      else
        write_field(object.record, field);
    }
  }

  // ---- records ----

  void write_list(const PlannedField& field, const std::vector<RecordId>& records) {
    append("[");
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (i > 0) append(",");
      object(field.below, {records[i]});
    }
    append("]");
  }
  void write_one(const PlannedField& field, RecordId record) {
    if (!record) return append("null");
    object(field.below, {record});
  }

  void write_roots(const PlannedField& field) {
    const Kind kind = field.of == Type::node   ? Kind::node
                      : field.of == Type::link ? Kind::link
                                               : Kind::institution;
    const auto argument = [&](std::string_view name) {
      const auto found = field.arguments.find(name);
      return found == field.arguments.end() ? std::nullopt : found->second;
    };
    const auto name = argument("name");
    if (!field.list) {
      const auto id = argument("id");
      RecordId found = id ? graph_.find_newest(kind, *id) : RecordId{};
      if (found && name && graph_.attributes(found).name() != *name) found = {};
      return write_one(field, found);
    }
    std::vector<RecordId> records;
    graph_.for_each_record([&](RecordId id) {
      if (graph_.kind(id) == kind && (!name || graph_.attributes(id).name() == *name))
        records.push_back(id);
    });
    write_list(field, records);
  }

  void write_field(RecordId record, const PlannedField& field) {
    const engine::Relations& relations = graph_.relations(record);
    const auto list = [&](std::span<const RecordId> ids) {
      write_list(field, std::vector(ids.begin(), ids.end()));
    };
    if (field.name == "properties") return write_properties(record, field);
    if (field.name == "owners") return list(relations.owners());
    if (field.name == "nodeA") return write_one(field, relations.ends()[0]);
    if (field.name == "nodeB") return write_one(field, relations.ends()[1]);
    if (field.name == "linksA") return write_list(field, links_at(record, 0));
    if (field.name == "linksB") return write_list(field, links_at(record, 1));
    if (field.name == "connectedOwners") return write_list(field, connected_owners(graph_, record));
    write_scalar(graph_.attributes(record), field.name);
  }
  std::vector<RecordId> links_at(RecordId node, std::size_t end) const {
    std::vector<RecordId> links;
    graph_.for_each_referrer(node, [&](RecordId link) {
      if (graph_.relations(link).ends()[end] == node) links.push_back(link);
    });
    return links;
  }
  void write_properties(RecordId record, const PlannedField& field) {
    std::size_t shown = 0;
    append("[");
    std::size_t index = 0;
    graph_.attributes(record).for_each_property([&](const engine::Property& property) {
      const std::size_t which = index++;
      if (property.name.starts_with(engine::kReservedPrefix)) return;
      if (shown++ > 0) append(",");
      object(field.below, {record, which});
    });
    append("]");
  }

  void write_scalar(const Attributes& attributes, std::string_view name) {
    const auto time = [&](const std::optional<Instant>& instant) {
      instant ? append_text(text(), format_instant(*instant)) : append("null");
    };
    // Clients expect a number where nothing is known (decision 11).
    const auto at = attributes.coordinates().value_or(engine::Coordinates());
    const auto decimal = [&](engine::Micro value) {
      append_text(text(), functional::decimal_text(value));
    };
    if (name == "id" || name == "netmlId" || name == "grenmlId")
      return append_text(text(), attributes.id());
    if (name == "name") return append_text(text(), attributes.name());
    if (name == "shortName") return append_text(text(), attributes.short_name());
    if (name == "version") return time(attributes.version());
    if (name == "start") return time(attributes.start());
    if (name == "end") return time(attributes.end());
    if (name == "dirty") return append("false");  // a mark of imports in progress
    if (name == "latitude") return decimal(at.latitude);
    if (name == "longitude") return decimal(at.longitude);
    if (name == "altitude") return decimal(attributes.altitude().value_or(engine::Micro()));
    if (name == "unlocode") return append_text(text(), attributes.unlocode());
    append_text(text(), attributes.address());
  }

  void write_property(const Object& object, const PlannedField& field) {
    const engine::Property property =
        graph_.attributes(object.record).properties()[object.property];
    if (field.name == "id")
      return append_text(text(),
                         fmt::format("{}.{}", graph_.number(object.record).value, object.property));
    append_text(text(), field.name == "name" ? property.name : property.value);
  }

  // ---- the schema's own description ----

  const json::value* described(const PlannedField& field) {
    if (schema_.is_null()) schema_ = describe_schema();
    if (field.wanted == Wanted::schema) return &schema_;
    const auto name = field.arguments.find("name");
    if (name != field.arguments.end() && name->second)
      for (const json::value& type : schema_.at("types").as_array())
        if (type.at("name").as_string() == *name->second) return &type;
    return nullptr;
  }
  static const json::value* member(const json::value& value, std::string_view name) {
    return value.is_object() ? value.get_object().if_contains(name) : nullptr;
  }
  void write_description(const PlannedField& field, const json::value* value) {
    if (value == nullptr || value->is_null()) return append("null");
    if (value->is_object() && field.below != kNoSet) return object(field.below, {{}, 0, value});
    if (!value->is_array() || field.below == kNoSet || value->get_array().empty() ||
        !value->get_array().front().is_object())
      return append(value->is_object() ? "null" : json::serialize(*value));
    append("[");
    bool first = true;
    for (const json::value& each : value->get_array()) {
      if (!std::exchange(first, false)) append(",");
      object(field.below, {{}, 0, &each});
    }
    append("]");
  }

  const Graph& graph_;
  const std::vector<Place>& places_;
  std::vector<Step> steps_;  // of the object that is being written
  json::value schema_;
};

}  // namespace

tl::expected<std::string, QueryError> run_query(const Graph& graph, std::string_view text,
                                                const json::object& variables,
                                                std::string_view operation) {
  NETML_TRY(const Query query, parse_query(text));
  const Operation* wanted =
      operation.empty() && query.operations.size() == 1 ? &query.operations.front() : nullptr;
  for (const Operation& each : query.operations)
    if (!operation.empty() && each.name == operation) wanted = &each;
  if (wanted == nullptr) return tl::unexpected(QueryError{"operationName names no operation"});
  NETML_TRY(const std::vector<Place> places, Planner(query, variables, *wanted).run());
  return Runner(graph, places).run();
}

}  // namespace netml::admin::web::graphql
