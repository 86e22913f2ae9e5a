// Identities of people who come in through a web server in front (docs/api.md, section
// "Administration").
#include <algorithm>
#include <array>
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

json::object identity_item(const engine::Catalog& catalog, std::uint64_t number,
                           const ExternalIdentity& identity) {
  json::object item{{"number", number},
                    {"eppn", identity.eppn},
                    {"email", identity.email},
                    {"display_name", identity.display_name},
                    {"first_name", identity.given_name},
                    {"last_name", identity.family_name},
                    {"account", nullptr}};
  if (const auto account = catalog.accounts.find(identity.account))
    item["account"] = {{"number", identity.account}, {"name", account->name}};
  return item;
}

Result<Response> show_identity(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  const auto identity = state->catalog.identities.find(number);
  if (identity == nullptr) return fail(Errc::not_found, "there is no such identity");
  return json_answer(200, identity_item(state->catalog, number, *identity));
}

Result<Response> list_identities(const Call& call) {
  constexpr std::array<std::string_view, 5> kSearched{"eppn", "email", "display_name", "first_name",
                                                      "last_name"};
  const engine::StatePtr state = call.state();
  std::vector<json::object> items;
  state->catalog.identities.for_each([&](std::uint64_t number, const ExternalIdentity& identity) {
    items.push_back(identity_item(state->catalog, number, identity));
  });
  std::ranges::sort(items, {},
                    [](const json::object& item) { return item.at("eppn").as_string(); });
  return list_answer(call, items, kSearched);
}

// The account is not among them: it follows from the eppn.
Result<ExternalIdentity> read_identity(const json::object& fields) {
  ExternalIdentity identity;
  NETML_TRY(identity.eppn, text_of(fields, "eppn"));
  const auto read = [&](std::string_view name, std::string& into) -> Status {
    NETML_TRY(auto text, optional_text(fields, name));
    into = std::move(text).value_or("");
    return {};
  };
  NETML_TRY_VOID(read("email", identity.email));
  NETML_TRY_VOID(read("display_name", identity.display_name));
  NETML_TRY_VOID(read("first_name", identity.given_name));
  NETML_TRY_VOID(read("last_name", identity.family_name));
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
