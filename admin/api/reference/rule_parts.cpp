// Match criteria, actions and their infos as items of their own (docs/requirements/http-api.md,
// section 13). They are stored in their rule, so each change is one of the rule.
#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/records/field_values.hpp"
#include "admin/api/reference/calls.hpp"
#include "admin/api/reference/collation_json.hpp"
#include "engine/rules/plan_rules.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using engine::Rule;
using engine::RuleInfo;
using engine::RulePart;
using net::Method;
using net::Response;

namespace {

// What makes criteria differ from actions.
struct PartKind {
  const char* path;
  const char* info_path;
  const char* type_field;
  const char* part_field;  // of an info
  std::vector<RulePart> Rule::* parts;
  std::vector<std::string_view> types;  // names; the key of each is its place, from 1

  // Null for a type that the reference node does not have.
  json::value type_key(std::string_view name) const {
    const auto found = std::ranges::find(types, name);
    if (found == types.end()) return nullptr;
    return static_cast<std::uint64_t>(found - types.begin()) + 1;
  }
};

template <class Type>
std::vector<std::string_view> names_of(std::span<const Type> types) {
  std::vector<std::string_view> names;
  for (const Type& type : types) names.push_back(type.name);
  return names;
}

PartKind criteria() {
  return {"/collation/test/match_criteria/",
          "/collation/test/match_infos/",
          "match_type",
          "match_criterion",
          &Rule::criteria,
          names_of(reference_match_types())};
}
PartKind actions() {
  return {"/collation/test/actions/",
          "/collation/test/action_infos/",
          "action_type",
          "action",
          &Rule::actions,
          names_of(reference_action_types())};
}

json::object part_json(const PartKind& kind, std::uint64_t rule, const RulePart& part) {
  return {{"id", part.number}, {"rule", rule}, {kind.type_field, kind.type_key(part.type)}};
}

json::object info_json(const PartKind& kind, std::uint64_t part, const RuleInfo& info) {
  return {{"id", info.number}, {kind.part_field, part}, {"key", info.key}, {"value", info.value}};
}

// All stored parts of that kind, and all their infos.
json::array parts_json(const PartKind& kind, const engine::State& state) {
  json::array all;
  state.catalog.rules.for_each([&](std::uint64_t rule, const Rule& stored) {
    for (const RulePart& part : stored.*kind.parts) all.push_back(part_json(kind, rule, part));
  });
  return all;
}

json::array infos_json(const PartKind& kind, const engine::State& state) {
  json::array all;
  state.catalog.rules.for_each([&](std::uint64_t, const Rule& stored) {
    for (const RulePart& part : stored.*kind.parts)
      for (const RuleInfo& info : part.infos) all.push_back(info_json(kind, part.number, info));
  });
  return all;
}

Result<Response> show_one(const json::array& items, std::uint64_t number) {
  for (const json::value& item : items)
    if (item.at("id") == number) return json_answer(200, item);
  return no_such_item();
}

// Changes the rule `number` by `edit`; gives it as it was stored.
using EditRule = std::function<Status(Rule&)>;
Result<std::shared_ptr<const Rule>> edit_rule(const Call& call, std::uint64_t number,
                                              const EditRule& edit) {
  std::shared_ptr<const Rule> after;
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    after = state.catalog.rules.find(number);
    if (after == nullptr) return no_such_item();
    Rule rule = *after;
    NETML_TRY_VOID(edit(rule));
    NETML_TRY(engine::Transaction transaction, plan_rule_put(state, number, std::move(rule)));
    if (!transaction.rules.empty()) after = transaction.rules.front().after;
    return transaction;
  };
  NETML_TRY_VOID(call.commit(engine::Cause::rule, plan));
  return after;
}

// Null when there is none of that number.
template <class Parts>
auto* find_part(Parts& parts, std::uint64_t number) {
  const auto found = std::ranges::find(parts, number, &RulePart::number);
  return found == parts.end() ? nullptr : &*found;
}

// Whether there was one.
template <class Item>
bool erase_numbered(std::vector<Item>& items, std::uint64_t number) {
  return std::erase_if(items, [&](const Item& item) { return item.number == number; }) > 0;
}

// What was not found although a field named it is an error of the request.
template <class T>
Result<T> named_by(const char* field, Result<T> result) {
  if (!result && result.error().code == Errc::not_found)
    return fail(Errc::invalid_input, field, "names nothing");
  return result;
}

// ---- criteria and actions ----

Result<std::string> read_type(const PartKind& kind, const json::object& fields) {
  NETML_TRY(const std::uint64_t key, required_key(fields, kind.type_field));
  if (key > kind.types.size())
    return fail(Errc::invalid_input, kind.type_field, "there is no such type");
  return std::string(kind.types[key - 1]);
}

Result<Response> create_part(const Call& call, const PartKind& kind) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::uint64_t rule, required_key(fields, "rule"));
  NETML_TRY(const std::string type, read_type(kind, fields));
  const auto add = [&](Rule& edited) -> Status {
    (edited.*kind.parts).push_back({0, type, {}});
    return {};
  };
  NETML_TRY(const auto stored, named_by("rule", edit_rule(call, rule, add)));
  return json_answer(201, part_json(kind, rule, ((*stored).*kind.parts).back()));
}

Result<Response> change_part(const Call& call, const PartKind& kind, std::uint64_t number,
                             Completeness completeness) {
  NETML_TRY(const json::object fields, call.fields());
  const bool whole = completeness == Completeness::whole;
  if (whole || fields.contains("rule")) {
    NETML_TRY(const std::uint64_t rule, required_key(fields, "rule"));
    if (rule != engine::rule_of_part(number))
      return fail(Errc::invalid_input, "rule", "cannot be changed; make it anew in the other rule");
  }
  const auto set_type = [&](Rule& rule) -> Status {
    RulePart* const part = find_part(rule.*kind.parts, number);
    if (part == nullptr) return no_such_item();
    if (!whole && !fields.contains(kind.type_field)) return {};
    NETML_TRY(part->type, read_type(kind, fields));
    return {};
  };
  NETML_TRY_VOID(edit_rule(call, engine::rule_of_part(number), set_type));
  return show_one(parts_json(kind, *call.state()), number);
}

Result<Response> remove_part(const Call& call, const PartKind& kind, std::uint64_t number) {
  const auto erase = [&](Rule& rule) -> Status {
    if (erase_numbered(rule.*kind.parts, number)) return {};
    return no_such_item();
  };
  NETML_TRY_VOID(edit_rule(call, engine::rule_of_part(number), erase));
  return no_content();
}

// ---- infos ----

Status read_info(const json::object& fields, Completeness completeness, RuleInfo& info) {
  if (completeness == Completeness::whole) info = RuleInfo{info.number, {}, {}};
  NETML_TRY(const std::optional<std::string> key, text_value(fields, "key"));
  NETML_TRY(const std::optional<std::string> value, text_value(fields, "value"));
  info.key = key.value_or(info.key);
  info.value = value.value_or(info.value);
  if (info.key.empty()) return fail(Errc::invalid_input, "key", "is required");
  if (info.value.empty()) return fail(Errc::invalid_input, "value", "is required");
  return {};
}

Result<Response> create_info(const Call& call, const PartKind& kind) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::uint64_t number, required_key(fields, kind.part_field));
  RuleInfo info;
  NETML_TRY_VOID(read_info(fields, Completeness::whole, info));
  const auto add = [&](Rule& rule) -> Status {
    RulePart* const part = find_part(rule.*kind.parts, number);
    if (part == nullptr) return no_such_item();
    part->infos.push_back(info);
    return {};
  };
  NETML_TRY(const auto stored,
            named_by(kind.part_field, edit_rule(call, engine::rule_of_part(number), add)));
  return json_answer(
      201, info_json(kind, number, find_part((*stored).*kind.parts, number)->infos.back()));
}

Result<Response> change_info(const Call& call, const PartKind& kind, std::uint64_t number,
                             Completeness completeness) {
  NETML_TRY(const json::object fields, call.fields());
  const auto set_fields = [&](Rule& rule) -> Status {
    for (RulePart& part : rule.*kind.parts) {
      const auto info = std::ranges::find(part.infos, number, &RuleInfo::number);
      if (info == part.infos.end()) continue;
      if (completeness == Completeness::whole || fields.contains(kind.part_field)) {
        NETML_TRY(const std::uint64_t wanted, required_key(fields, kind.part_field));
        if (wanted != part.number)
          return fail(Errc::invalid_input, kind.part_field, "cannot be changed");
      }
      return read_info(fields, completeness, *info);
    }
    return no_such_item();
  };
  NETML_TRY_VOID(edit_rule(call, engine::rule_of_part(number), set_fields));
  return show_one(infos_json(kind, *call.state()), number);
}

Result<Response> remove_info(const Call& call, const PartKind& kind, std::uint64_t number) {
  const auto erase = [&](Rule& rule) -> Status {
    for (RulePart& part : rule.*kind.parts)
      if (erase_numbered(part.infos, number)) return {};
    return no_such_item();
  };
  NETML_TRY_VOID(edit_rule(call, engine::rule_of_part(number), erase));
  return no_content();
}

// What parts differ in from infos.
struct Items {
  json::array (*all)(const PartKind&, const engine::State&);
  Result<Response> (*create)(const Call&, const PartKind&);
  Result<Response> (*change)(const Call&, const PartKind&, std::uint64_t number, Completeness);
  Result<Response> (*remove)(const Call&, const PartKind&, std::uint64_t number);
};

void add_items(Routes& routes, const char* path, const PartKind& kind, const Items& items) {
  routes.add_collection(
      path,
      {[=](const Call& call) { return json_answer(200, items.all(kind, *call.state())); },
       [=](const Call& call) { return items.create(call, kind); },
       [=](const Call& call, std::uint64_t number) {
         return show_one(items.all(kind, *call.state()), number);
       },
       [=](const Call& call, std::uint64_t number, Completeness completeness) {
         return items.change(call, kind, number, completeness);
       },
       [=](const Call& call, std::uint64_t number) { return items.remove(call, kind, number); }});
}

}  // namespace

void add_rule_parts(Routes& routes) {
  for (const PartKind& kind : {criteria(), actions()}) {
    add_items(routes, kind.path, kind, {parts_json, create_part, change_part, remove_part});
    add_items(routes, kind.info_path, kind, {infos_json, create_info, change_info, remove_info});
  }
}

}  // namespace netml::admin::functional
