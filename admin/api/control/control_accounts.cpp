#include <boost/json.hpp>

#include "admin/access/access_json.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

Result<Response> create_account(Services& services, const Request& request,
                                const json::object& body) {
  NewAccount account;
  NETML_TRY(account.name, text_of(body, "name"));
  NETML_TRY(account.password, text_of(body, "password"));
  NETML_TRY(const std::string role, text_of(body, "role"));
  if (body.contains("email")) {
    NETML_TRY(account.email, text_of(body, "email"));
  }
  const std::optional<engine::Role> known = engine::parse_role(role);
  if (!known) return fail(Errc::invalid_input, "a role is viewer, editor or admin");
  account.role = *known;
  NETML_TRY(
      const std::uint64_t number,
      services.accounts.create(caller_of(request), std::move(account), services.password_rule));
  const auto created = services.node.version().state->catalog.accounts.find(number);
  if (created == nullptr) return fail(Errc::conflict, "the account was deleted at once");
  return json_answer(201, account_json(number, *created));
}

Result<Response> list_accounts(const Services& services) {
  return table_answer(services.node.version().state->catalog.accounts, account_json);
}

Result<Response> change_password(Services& services, const Request& request,
                                 const json::object& body) {
  NETML_TRY(const std::string password, text_of(body, "password"));
  NETML_TRY_VOID(services.accounts.set_password(caller_of(request), request.parameters.at(0),
                                                password, services.password_rule));
  return no_content();
}

}  // namespace

void register_account_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/accounts/",
             with_body([&services](const Request& request, const json::object& body) {
               return create_account(services, request, body);
             }));
  router.add(Method::get, "/control/accounts/",
             without_body([&services](const Request&) { return list_accounts(services); }));
  router.add(Method::put, "/control/accounts/{name}/password/",
             with_body([&services](const Request& request, const json::object& body) {
               return change_password(services, request, body);
             }));
  router.add(
      Method::del, "/control/accounts/{name}/",
      without_body([&services](const Request& request) -> Result<Response> {
        NETML_TRY_VOID(services.accounts.remove(caller_of(request), request.parameters.at(0)));
        return no_content();
      }));
}

}  // namespace netml::admin
