// Identities of people who come in through a web server in front (docs/api.md, section
// "Administration").
#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/request_values.hpp"
#include "admin/api/site/calls/identity.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "engine/edit/plan_identities.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::ExternalIdentity;
using net::Response;

namespace {

// visit(field) for each text of an identity, which forms, lists and audits call alike. The account
// is not among them: it follows from the eppn.
template <class Visit>
void for_each_text(Visit&& visit) {
  engine::for_each_field<ExternalIdentity>([&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field.member), std::string ExternalIdentity::*>)
      visit(field);
  });
}

json::object identity_item(const engine::Catalog& catalog, std::uint64_t number,
                           const ExternalIdentity& identity) {
  json::object item{{"number", number}};
  for_each_text([&](const auto& text) { item[text.reported_name()] = identity.*text.member; });
  const auto account = catalog.accounts.find(identity.account);
  item["account"] =
      account ? json::value{{"number", identity.account}, {"name", account->name}} : json::value();
  return item;
}

Result<Response> show_identity(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  const auto identity = state->catalog.identities.find(number);
  if (identity == nullptr) return fail(Errc::not_found, "there is no such identity");
  return json_answer(200, identity_item(state->catalog, number, *identity));
}

Result<Response> list_identities(const Call& call) {
  std::vector<std::string_view> searched;
  for_each_text([&](const auto& text) { searched.emplace_back(text.reported_name()); });
  const engine::StatePtr state = call.state();
  std::vector<json::object> items;
  state->catalog.identities.for_each([&](std::uint64_t number, const ExternalIdentity& identity) {
    items.push_back(identity_item(state->catalog, number, identity));
  });
  std::ranges::sort(items, {},
                    [](const json::object& item) { return item.at("eppn").as_string(); });
  return list_answer(call, items, searched);
}

Result<ExternalIdentity> read_identity(const json::object& fields) {
  ExternalIdentity identity;
  NETML_TRY_VOID(text_of(fields, "eppn"));  // is needed
  Status read;
  for_each_text([&](const auto& text) {
    auto given = optional_text(fields, text.reported_name());
    if (given)
      identity.*text.member = std::move(*given).value_or("");
    else if (read)
      read = tl::unexpected(std::move(given).error());
  });
  NETML_TRY_VOID(read);
  return identity;
}

Result<Response> create_identity(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const ExternalIdentity identity, read_identity(fields));
  NETML_TRY(const std::uint64_t number,
            call.services.identities.create(call.caller(), identity,
                                            is_listed(call.site, identity.eppn)));
  return created(show_identity(call, number));
}

Result<Response> change_identity(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const ExternalIdentity identity, read_identity(fields));
  NETML_TRY_VOID(call.services.identities.update(call.caller(), number, identity));
  return show_identity(call, number);
}

}  // namespace

void add_identities(Routes& routes) {
  const Access confirmed{Needs::admin, true};
  routes.add_entries("identities", {Needs::admin}, confirmed,
                     {list_identities, create_identity, show_identity, change_identity});
  routes.add_removal(
      "identities", confirmed,
      {engine::Cause::account, [](const engine::State& state, std::uint64_t number, WallTime) {
         return plan_identity_delete(state, number);
       }});
}

}  // namespace netml::admin::web
