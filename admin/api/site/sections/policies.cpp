// Redundancy policies that are stored (docs/api.md, section "Redundancy"). Viewers read,
// administrators change.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "admin/analysis/stored_policies.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/redundancy.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "codecs/formats/redundancy_json.hpp"
#include "engine/edit/plan_entries.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::PolicyAction;
using engine::StoredPolicy;
using net::Response;

namespace {

// What was stored has been parsed before.
json::object policy_item(std::uint64_t number, const StoredPolicy& stored) {
  boost::system::error_code error;
  return {{"number", number},
          {"name", stored.name},
          {"policy", json::parse(stored.policy, error)},
          {"on_import", enumerant_name(stored.on_import)},
          {"enabled", stored.enabled}};
}

// ---- what somebody gives ----

// Fields of the policy are named as such: "policy.who.kind".
Result<engine::RedundancyPolicy> given_policy(const json::object& fields) {
  const json::value* const given = given_field(fields, "policy");
  if (given == nullptr) return wrong_field("policy", "is missing");
  auto policy = codecs::read_redundancy_policy(json::serialize(*given));
  if (policy) return policy;
  Error error = std::move(policy).error();
  error.field = error.field.empty() ? "policy" : "policy." + error.field;
  return tl::make_unexpected(std::move(error));
}

// One name is enough, and two are one too many.
Result<std::string> given_name(const json::object& fields, const std::string& of_policy) {
  NETML_TRY(const std::optional<std::string> name, optional_text(fields, "name"));
  const std::string& chosen = name && !name->empty() ? *name : of_policy;
  if (!of_policy.empty() && chosen != of_policy)
    return wrong_field("policy.name", "is another than name; leave one of them out");
  constexpr std::size_t kMax = engine::characters_max(&StoredPolicy::name);
  const std::size_t length = engine::character_count(chosen);
  if (length >= 1 && length <= kMax) return chosen;
  return wrong_field("name", fmt::format("has 1 to {} characters", kMax));
}

Result<PolicyAction> given_action(const json::object& fields) {
  NETML_TRY(const std::optional<std::string> word, optional_text(fields, "on_import"));
  if (!word) return PolicyAction::report;
  if (const auto action = engine::parse_enumerant<PolicyAction>(*word)) return *action;
  return wrong_field("on_import", "must be \"report\" or \"hold\"");
}

Result<StoredPolicy> given_entry(const Call& call) {
  constexpr std::array<std::string_view, 5> kKnown{"number", "name", "policy", "on_import",
                                                   "enabled"};
  NETML_TRY(const json::object fields, call.fields());
  for (const json::key_value_pair& field : fields)
    if (std::ranges::find(kKnown, std::string_view(field.key())) == kKnown.end())
      return wrong_field(field.key(), "is no field of a stored policy");
  NETML_TRY(const engine::RedundancyPolicy policy, given_policy(fields));
  StoredPolicy stored;
  NETML_TRY(stored.name, given_name(fields, policy.name));
  NETML_TRY(stored.on_import, given_action(fields));
  NETML_TRY(stored.enabled, flag_of(fields, "enabled", true));
  json::object text = codecs::redundancy_policy_json(policy);
  text.erase("name");  // it may change without the policy
  stored.policy = json::serialize(text);
  constexpr std::size_t kMax = engine::characters_max(&StoredPolicy::policy);
  if (engine::character_count(stored.policy) > kMax)
    return wrong_field("policy", fmt::format("has more than {} characters", kMax));
  return stored;
}

// ---- the handlers ----

Result<Response> list_policies(const Call& call) {
  constexpr std::array<std::string_view, 1> kSearched{"name"};
  const engine::StatePtr state = call.state();
  return newest_first(call, state->catalog.policies, kSearched, policy_item);
}

Result<Response> show_policy(const Call& call, std::uint64_t number) {
  NETML_TRY(const auto stored, engine::find_entry<StoredPolicy>(call.state()->catalog, number));
  return json_answer(200, policy_item(number, *stored));
}

Result<Response> create_policy(const Call& call) {
  NETML_TRY(const StoredPolicy stored, given_entry(call));
  std::uint64_t number = 0;
  NETML_TRY_VOID(call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    number = state.catalog.policies.next_number();
    return plan_entry_create(state, stored);
  }));
  return created(show_policy(call, number));
}

Result<Response> change_policy(const Call& call, std::uint64_t number) {
  NETML_TRY(const StoredPolicy stored, given_entry(call));
  NETML_TRY_VOID(call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    return plan_entry_update(state, number, stored);
  }));
  return show_policy(call, number);
}

template <class Ask>
ItemHandle of_stored(Ask ask) {
  return [ask](const Call& call, std::uint64_t number) -> Result<Response> {
    NETML_TRY(const auto stored, engine::find_entry<StoredPolicy>(call.state()->catalog, number));
    NETML_TRY(const engine::RedundancyPolicy policy, read_stored(*stored));
    return ask(call, policy);
  };
}

}  // namespace

void add_policies(Routes& routes) {
  const Access viewer{Needs::viewer};
  const Access admin{Needs::admin};
  routes.add_entries("policies", viewer, admin,
                     {list_policies, create_policy, show_policy, change_policy});
  routes.add_removal(
      "policies", admin,
      {engine::Cause::setting, [](const engine::State& state, std::uint64_t number, WallTime) {
         return engine::plan_entry_delete<StoredPolicy>(state, number);
       }});
  routes.add(net::Method::get, "policies/{n}/check", viewer, of_stored(redundancy_of));
  routes.add(net::Method::get, "policies/{n}/history", viewer, of_stored(redundancy_history_of));
}

}  // namespace netml::admin::web
