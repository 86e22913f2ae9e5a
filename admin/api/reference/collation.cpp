// Creating, reading, changing and deleting rulesets and rules (docs/requirements/http-api.md,
// section 13).
#include <fmt/format.h>

#include <boost/json.hpp>
#include <limits>

#include "admin/answers/json_answers.hpp"
#include "admin/api/reference/calls.hpp"
#include "admin/api/reference/collation_json.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/transaction/catalog_tables.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using engine::Rule;
using engine::Ruleset;
using net::Method;
using net::Response;

namespace {

constexpr const char* kCollationRoot = "/collation/test/";

// What rulesets and rules have in common.
template <class Entry>
Status read_common(const json::object& fields, Completeness completeness, Entry& entry) {
  NETML_TRY(const std::optional<std::string> name, text_value(fields, "name"));
  if (!name && completeness == Completeness::whole)
    return fail(Errc::invalid_input, "name", "is required");
  entry.name = name.value_or(entry.name);
  NETML_TRY(const std::optional<bool> enabled, flag_value(fields, "enabled"));
  entry.enabled = enabled.value_or(entry.enabled);
  NETML_TRY(const std::optional<std::int64_t> priority, integer_value(fields, "priority"));
  using Limits = std::numeric_limits<std::int16_t>;
  if (priority && (*priority < Limits::min() || *priority > Limits::max()))
    return fail(Errc::invalid_input, "priority",
                fmt::format("{} to {}", Limits::min(), Limits::max()));
  if (priority) entry.priority = static_cast<std::int16_t>(*priority);
  return {};
}

Status read_fields(const json::object& fields, Completeness completeness, Ruleset& ruleset) {
  return read_common(fields, completeness, ruleset);
}

Status read_fields(const json::object& fields, Completeness completeness, Rule& rule) {
  NETML_TRY_VOID(read_common(fields, completeness, rule));
  if (completeness == Completeness::whole || fields.contains("ruleset")) {
    NETML_TRY(rule.ruleset, required_key(fields, "ruleset"));
  }
  return {};
}

// One of the two tables: how its entries are planned and shown.
template <class Entry>
struct EntryCalls {
  Result<engine::Transaction> (*put)(const engine::State&, std::uint64_t, Entry);
  Result<engine::Transaction> (*remove)(const engine::State&, std::uint64_t);
  json::object (*json)(std::uint64_t, const Entry&);
};
template <class Entry>
constexpr EntryCalls<Entry> kCalls;
template <>
constexpr EntryCalls<Ruleset> kCalls<Ruleset>{engine::plan_ruleset_put, engine::plan_ruleset_delete,
                                              ruleset_json};
template <>
constexpr EntryCalls<Rule> kCalls<Rule>{engine::plan_rule_put, engine::plan_rule_delete, rule_json};

template <class Entry>
const auto& entries_in(const engine::State& state) {
  return state.catalog.*engine::table_of<Entry>().entries;
}

template <class Entry>
Result<Response> list(const Call& call) {
  const engine::StatePtr state = call.state();
  return table_answer(entries_in<Entry>(*state), kCalls<Entry>.json);
}

template <class Entry>
Result<Response> show(const Call& call, std::uint64_t number) {
  const auto entry = entries_in<Entry>(*call.state()).find(number);
  if (entry == nullptr) return no_such_item();
  return json_answer(200, kCalls<Entry>.json(number, *entry));
}

template <class Entry>
Result<Response> create(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  std::uint64_t number = 0;
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    Entry entry;
    NETML_TRY_VOID(read_fields(fields, Completeness::whole, entry));
    NETML_TRY(engine::Transaction transaction, kCalls<Entry>.put(state, 0, std::move(entry)));
    number = (transaction.*engine::table_of<Entry>().changes).front().number;
    return transaction;
  };
  NETML_TRY_VOID(call.commit(engine::Cause::rule, plan));
  NETML_TRY(Response response, show<Entry>(call, number));
  response.status = 201;
  return response;
}

template <class Entry>
Result<Response> change(const Call& call, std::uint64_t number, Completeness completeness) {
  NETML_TRY(const json::object fields, call.fields());
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    const auto before = entries_in<Entry>(state).find(number);
    if (before == nullptr) return no_such_item();
    Entry entry = *before;
    NETML_TRY_VOID(read_fields(fields, completeness, entry));
    return kCalls<Entry>.put(state, number, std::move(entry));
  };
  NETML_TRY_VOID(call.commit(engine::Cause::rule, plan));
  return show<Entry>(call, number);
}

template <class Entry>
Result<Response> remove(const Call& call, std::uint64_t number) {
  NETML_TRY_VOID(call.commit(engine::Cause::rule, [&](const engine::State& state, WallTime) {
    return kCalls<Entry>.remove(state, number);
  }));
  return no_content();
}

template <class Entry>
void add_table(Routes& routes) {
  routes.add_collection(fmt::format("{}{}/", kCollationRoot, Entry::kKind.table),
                        {list<Entry>, create<Entry>, show<Entry>, change<Entry>, remove<Entry>});
}

// ---- types: fixed by the program ----

template <class Type>
void add_types(Routes& routes, const std::string& path, std::span<const Type> types) {
  routes.add(Method::get, path, Access::basic, [types](const Call&) -> Result<Response> {
    json::array all;
    for (const Type& type : types) all.push_back(rule_type_json(all.size() + 1, type));
    return json_answer(200, all);
  });
  routes.add(Method::get, path + "{id}/", Access::basic,
             [types](const Call&, std::uint64_t number) -> Result<Response> {
               if (number == 0 || number > types.size()) return no_such_item();
               return json_answer(200, rule_type_json(number, types[number - 1]));
             });
}

}  // namespace

void add_collation(Routes& routes) {
  add_table<Ruleset>(routes);
  add_table<Rule>(routes);
  add_types(routes, std::string(kCollationRoot) + "match_types/", reference_match_types());
  add_types(routes, std::string(kCollationRoot) + "action_types/", reference_action_types());
  routes.add(Method::del, std::string(kCollationRoot) + "match_types/{id}/", Access::basic,
             [](const Call&, std::uint64_t number) -> Result<Response> {
               if (number == 0 || number > reference_match_types().size()) return no_such_item();
               return net::refusal(409, "types belong to the program and stay");
             });
  routes.add(Method::get, kCollationRoot, Access::basic,
             show_collections(kCollationRoot,
                              {"match_types", "action_types", "match_criteria", "match_infos",
                               "actions", "action_infos", "rules", "rulesets"}));
}

}  // namespace netml::admin::functional
