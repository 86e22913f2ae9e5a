// Signing in and out (docs/api.md, section "Session"; rules A6 to A12).
#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/map_access.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/base/build_info.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

bool has_accounts(const Call& call) {
  return call.state()->catalog.accounts.count() > 0;
}

const char* mode_name(const Site& site) {
  if (site.options.development) return "development";
  if (site.services.polling.sandbox()) return "sandbox";
  return site.services.node.mode() == Mode::test ? "test" : "production";
}

// What every page needs before it can draw anything.
json::object settings_json(const engine::Catalog& catalog) {
  const MapView view = map_view(catalog);
  return {{"map_enabled", is_map_enabled(catalog)},
          {"latitude", view.latitude},
          {"longitude", view.longitude},
          {"zoom", view.zoom},
          {"tile_server", setting_value(catalog, kMapTiles)}};
}

json::object session_json(const Call& call, const std::optional<SignedIn>& who) {
  const engine::StatePtr state = call.state();
  json::object object{{"signed_in", who.has_value()},
                      {"csrf", nullptr},
                      {"settings", settings_json(state->catalog)}};
  if (!who) {
    object["sign_in"] = call.site.options.sso_proxies.empty() ? "password" : "proxy";
    object["first_account"] = state->catalog.accounts.count() == 0;
    object["needs_https"] = !may_hold_cookies(call.request);
    return object;
  }
  object["csrf"] = who->csrf;
  object["account"] = {{"name", who->account->name},
                       {"email", who->account->email},
                       {"role", enumerant_name(who->account->role)}};
  object["expires"] = who->session == 0 ? json::value() : json::value(time_text(who->expires));
  object["version"] = cli::build_info().version;
  object["mode"] = mode_name(call.site);
  object["read_only"] = !call.services.node.writable();
  return object;
}

Result<Response> show_session(const Call& call) {
  return json_answer(200, session_json(call, call.who));
}

// Nothing when somebody may sign in here.
std::optional<Response> check_place(const Call& call) {
  if (!is_same_origin(call.request, true))
    return refuse(403, "cross-site", "the request does not come from a page of this node");
  if (!may_hold_cookies(call.request))
    return refuse(403, "needs-https", "signing in needs https, except on the machine itself");
  return std::nullopt;
}

Result<Response> begin(const Call& call, const SignedIn& who) {
  Caller caller = call.caller();
  caller.kind = engine::ActorKind::account;
  caller.actor = who.account->name;
  const std::uint64_t former = call.who ? call.who->session : 0;
  NETML_TRY(const Sessions::Begun begun, call.site.sessions.begin(caller, who.number, former));
  Response response = json_answer(200, session_json(call, begun.who));
  response.headers.set("Set-Cookie", session_cookie(call.request, begun.secret));
  response.client = caller.actor;
  return response;
}

Result<Response> sign_in(const Call& call) {
  if (auto refused = check_place(call)) return *std::move(refused);
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string name, text_of(fields, "name"));
  NETML_TRY(const std::string password, text_of(fields, "password"));
  PasswordCheck who = check_password(call.site, call.request, name, password);
  if (!who) return std::move(who.error());
  return begin(call, *who);
}

Result<Response> sign_out(const Call& call) {
  if (call.who->session != 0)
    NETML_TRY_VOID(call.site.sessions.end(call.caller(), call.who->session));
  Response response = no_content();
  response.headers.set("Set-Cookie", session_cookie(call.request, {}));
  return response;
}

Response has_accounts_already() {
  return refuse(409, "has-accounts", "this node has accounts already");
}

Response wrong_code(const Call& call) {
  if (call.site.wrong_codes.add(call.request.client_address) == 1)
    call.services.node.events().warning(
        "sign-in", fmt::format("a wrong one-time code from {}; more of them within a minute are "
                               "not reported",
                               call.request.client_address));
  return refuse(
      401, "wrong-code",
      "this code does not match, or it has expired: copy it from the line about the first account "
      "in what the server wrote at its start, or restart the server for another");
}

// A9: whoever can read what the server printed becomes the first administrator.
Result<Response> make_first_account(const Call& call) {
  if (auto refused = check_place(call)) return *std::move(refused);
  if (has_accounts(call)) return has_accounts_already();
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string code, text_of(fields, "code"));
  NewAccount account;
  account.role = engine::Role::admin;
  NETML_TRY(account.name, text_of(fields, "name"));
  NETML_TRY(account.password, text_of(fields, "password"));
  if (!call.site.first_code.matches(code)) return wrong_code(call);
  Caller caller = call.caller();
  caller.actor = "first administrator";
  const auto made = call.services.accounts.create(
      caller, std::move(account), call.services.password_rule, Accounts::Others::none);
  if (!made && made.error().code == Errc::conflict) return has_accounts_already();
  SignedIn who;
  NETML_TRY(who.number, made);
  call.site.first_code.use_up();
  who.account = call.state()->catalog.accounts.find(who.number);
  if (who.account == nullptr) return fail(Errc::conflict, "the account was deleted at once");
  return begin(call, who);
}

Result<Response> confirm(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string password, text_of(fields, "password"));
  PasswordCheck who = check_password(call.site, call.request, call.who->account->name, password);
  if (!who) return std::move(who.error());
  call.site.sessions.confirm(call.who->session);
  return no_content();
}

// Ends all sessions of the account, also this one, and begins another (A10).
Result<Response> change_password(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string former, text_of(fields, "old"));
  NETML_TRY(const std::string wanted, text_of(fields, "new"));
  PasswordCheck who = check_password(call.site, call.request, call.who->account->name, former);
  if (!who) return std::move(who.error());
  const Status changed = call.services.accounts.set_password(call.caller(), call.who->account->name,
                                                             wanted, call.services.password_rule);
  if (!changed) {
    Error error = changed.error();
    if (error.code == Errc::invalid_input) error = {error.code, error.text(), "new"};
    return tl::unexpected(std::move(error));
  }
  return begin(call, *who);
}

// One's own; an administrator sees all.
Result<Response> list_sessions(const Call& call) {
  const engine::StatePtr state = call.state();
  const bool all = call.who->account->role == engine::Role::admin;
  json::array items;
  const auto add = [&](std::uint64_t number, const engine::WebSession& session) {
    if (!call.site.sessions.goes_on(number, session)) return;
    const auto account = state->catalog.accounts.find(session.account);
    items.push_back(json::object{{"number", number},
                                 {"account", account == nullptr ? "" : account->name},
                                 {"created", time_text(session.created)},
                                 {"address", session.address},
                                 {"current", number == call.who->session}});
  };
  const engine::Table<engine::WebSession>& sessions = state->catalog.sessions;
  if (all)
    sessions.for_each_with<&engine::WebSession::ended>(Instant(), add);
  else
    sessions.for_each_with<&engine::WebSession::account>(call.who->number, add);
  const std::size_t total = items.size();
  return json_answer(200, {{"items", std::move(items)}, {"next", nullptr}, {"total", total}});
}

Result<Response> end_other_sessions(const Call& call) {
  NETML_TRY_VOID(call.site.sessions.end_others(call.caller(), call.who->number, call.who->session));
  return no_content();
}

}  // namespace

void add_session(Routes& routes) {
  routes.add(Method::get, "session", {Needs::nothing}, show_session);
  routes.add(Method::post, "session", {Needs::nothing}, sign_in);
  routes.add(Method::post, "session/first", {Needs::nothing}, make_first_account);
  routes.add(Method::del, "session", {Needs::viewer}, sign_out);
  routes.add(Method::post, "session/confirm", {Needs::viewer}, confirm);
  routes.add(Method::put, "session/password", {Needs::viewer}, change_password);
  routes.add(Method::get, "sessions", {Needs::viewer}, list_sessions);
  routes.add(Method::del, "sessions", {Needs::viewer}, end_other_sessions);
}

}  // namespace netml::admin::web
