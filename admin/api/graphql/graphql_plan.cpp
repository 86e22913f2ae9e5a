#include "admin/api/graphql/graphql_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <set>

namespace netml::admin::web::graphql {

namespace json = boost::json;

namespace {

class Planner {
 public:
  Planner(const Query& query, const json::object& variables, const Operation& operation)
      : query_(query), variables_(variables), operation_(operation) {}

  tl::expected<Plan, QueryError> run() {
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
    while (!waiting.empty()) {
      const Selection& next = *waiting.back();
      waiting.pop_back();
      if (++selections_ > kSelectionsMax) return wrong(next, "the query asks too much");
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
    if (field.key != selection.name && ++aliases_ > kAliasesMax)
      return wrong(selection, fmt::format("the query has more than {} aliases", kAliasesMax));
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
  Plan places_;
  std::size_t selections_ = 0;
  std::size_t aliases_ = 0;
};

}  // namespace

tl::expected<Plan, QueryError> plan_query(std::string_view text, const json::object& variables,
                                          std::string_view operation) {
  NETML_TRY(const Query query, parse_query(text));
  const Operation* wanted =
      operation.empty() && query.operations.size() == 1 ? &query.operations.front() : nullptr;
  for (const Operation& each : query.operations)
    if (!operation.empty() && each.name == operation) wanted = &each;
  if (wanted == nullptr) return tl::unexpected(QueryError{"operationName names no operation"});
  return Planner(query, variables, *wanted).run();
}

}  // namespace netml::admin::web::graphql
