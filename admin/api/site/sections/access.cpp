// Who may come in: tokens, accounts, allowed origins (docs/api.md, section "Administration").
#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

// ---- tokens: values are shown when they are made, and later revealed for the password (A4) ----

json::object token_item(std::uint64_t number, const engine::Token& token) {
  return {{"number", number},
          {"name", token.client_name},
          {"type", token_kind_name(token.kind)},
          {"created", time_text(token.created)},
          {"shown", token.shown},
          {"view", token.view == kWholeMap ? json::value() : json::value(token.view)},
          {"kept", !token.ciphertext.empty()}};
}

Result<engine::TokenKind> token_type(const json::object& fields) {
  NETML_TRY(const std::string text, text_of(fields, "type"));
  const auto kind = parse_token_kind(text);
  if (!kind) return fail(Errc::invalid_input, "type", "must be polling or import");
  return *kind;
}

// By its number; null: the holder sees all of the map.
Result<std::uint64_t> token_view(const json::object& fields, std::uint64_t otherwise) {
  const json::value* const given = fields.if_contains("view");
  if (given == nullptr) return otherwise;
  if (given->is_null()) return kWholeMap;
  boost::system::error_code error;
  const auto number = given->to_number<std::uint64_t>(error);
  if (error || number == kWholeMap) return wrong_field("view", "must be the number of a view");
  return number;
}

// `value`: of one that was made just now.
Result<Response> token_answer(const Call& call, std::uint64_t number,
                              const std::optional<std::string>& value = {}) {
  const auto token = call.state()->catalog.tokens.find(number);
  if (token == nullptr) return fail(Errc::not_found, "there is no such token");
  json::object item = token_item(number, *token);
  if (value) item["value"] = *value;
  return json_answer(200, item);
}

Result<Response> list_tokens(const Call& call) {
  constexpr std::array<std::string_view, 1> kSearched{"name"};
  const engine::StatePtr state = call.state();
  return newest_first(call, state->catalog.tokens, kSearched, token_item);
}

Result<Response> create_token(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string name, text_of(fields, "name"));
  NETML_TRY(const engine::TokenKind kind, token_type(fields));
  NETML_TRY(const std::uint64_t view, token_view(fields, kWholeMap));
  const auto value = call.services.tokens.create(call.caller(), name, kind, view);
  if (!value && !value.error().field.empty()) return tl::make_unexpected(value.error());
  if (!value) return fail(value.error().code, "name", value.error().text());
  const std::uint64_t number =
      call.state()->catalog.tokens.find_with<&engine::Token::client_name>(name);
  return created(token_answer(call, number, *value));
}

Result<Response> change_token(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string name, text_of(fields, "name"));
  NETML_TRY(const engine::TokenKind kind, token_type(fields));
  const auto token = call.state()->catalog.tokens.find(number);
  NETML_TRY(const std::uint64_t view, token_view(fields, token ? token->view : kWholeMap));
  NETML_TRY_VOID(call.services.tokens.update(call.caller(), number, name, kind, view));
  return token_answer(call, number);
}

Result<Response> regenerate_token(const Call& call, std::uint64_t number) {
  NETML_TRY(const std::string value, call.services.tokens.regenerate(call.caller(), number));
  return token_answer(call, number, value);
}

Result<Response> reveal_token(const Call& call, std::uint64_t number) {
  NETML_TRY(const std::string value, call.services.tokens.show(call.caller(), number));
  return json_answer(200, {{"value", value}});
}

Result<Response> get_token(const Call& call, std::uint64_t number) {
  return token_answer(call, number);
}

Result<engine::Transaction> plan_token_removal(const engine::State& state, std::uint64_t number,
                                               WallTime) {
  const auto token = state.catalog.tokens.find(number);
  if (token == nullptr) return fail(Errc::not_found, "there is no such token");
  return plan_token_delete(state, token->client_name);
}

// ---- accounts ----

json::value last_sign_in(const engine::Catalog& catalog, std::uint64_t account) {
  const auto newest =
      catalog.sessions.find(catalog.sessions.newest_with<&engine::WebSession::account>(account));
  return newest == nullptr ? json::value() : json::value(time_text(newest->created));
}

json::object account_item(const engine::Catalog& catalog, std::uint64_t number,
                          const engine::Account& account) {
  return {{"number", number},
          {"name", account.name},
          {"email", account.email},
          {"role", enumerant_name(account.role)},
          {"active", account.enabled},
          {"created", time_text(account.created)},
          {"last_sign_in", last_sign_in(catalog, number)}};
}

Result<Response> show_account(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  const auto account = state->catalog.accounts.find(number);
  if (account == nullptr) return fail(Errc::not_found, "there is no such account");
  return json_answer(200, account_item(state->catalog, number, *account));
}

Result<Response> list_accounts(const Call& call) {
  constexpr std::array<std::string_view, 2> kSearched{"name", "email"};
  const engine::StatePtr state = call.state();
  std::vector<json::object> items;
  state->catalog.accounts.for_each([&](std::uint64_t number, const engine::Account& account) {
    items.push_back(account_item(state->catalog, number, account));
  });
  std::ranges::sort(items, {},
                    [](const json::object& item) { return item.at("name").as_string(); });
  return list_answer(call, items, kSearched);
}

Result<std::optional<engine::Role>> role_of(const json::object& fields) {
  NETML_TRY(const auto text, optional_text(fields, "role"));
  if (!text) return std::nullopt;
  if (const auto role = engine::parse_enumerant<engine::Role>(*text)) return role;
  return fail(Errc::invalid_input, "role", "must be viewer, editor or admin");
}

Result<Response> create_account(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NewAccount account;
  NETML_TRY(account.name, text_of(fields, "name"));
  NETML_TRY(account.password, text_of(fields, "password"));
  NETML_TRY(const auto email, optional_text(fields, "email"));
  account.email = email.value_or("");
  NETML_TRY(const auto role, role_of(fields));
  account.role = role.value_or(engine::Role::viewer);
  const Status fine = check_password(account.password, account.name, call.services.password_rule);
  if (!fine) return fail(Errc::invalid_input, "password", fine.error().text());
  const auto number =
      call.services.accounts.create(call.caller(), std::move(account), call.services.password_rule);
  if (!number) return fail(number.error().code, "name", number.error().text());
  return created(show_account(call, *number));
}

Result<Response> change_account(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  Accounts::Edit edit;
  NETML_TRY(edit.email, optional_text(fields, "email"));
  NETML_TRY(edit.role, role_of(fields));
  if (fields.contains("active")) {
    NETML_TRY(edit.enabled, flag_of(fields, "active", true));
  }
  NETML_TRY(edit.password, optional_text(fields, "password"));
  if (edit.password && edit.password->empty()) edit.password.reset();
  NETML_TRY_VOID(
      call.services.accounts.update(call.caller(), number, edit, call.services.password_rule));
  return show_account(call, number);
}

}  // namespace

void add_tokens(Routes& routes) {
  const Access admin{Needs::admin};
  const Access confirmed{Needs::admin, true};
  routes.add_entries("tokens", admin, admin, {list_tokens, create_token, get_token, change_token});
  routes.add_removal("tokens", admin, {engine::Cause::token, plan_token_removal});
  routes.add(Method::post, "tokens/{n}/reveal", confirmed, reveal_token);
  routes.add(Method::post, "tokens/{n}/show", confirmed, reveal_token);  // as in version 0.1
  routes.add(Method::post, "tokens/{n}/regenerate", confirmed, regenerate_token);
}

void add_accounts(Routes& routes) {
  routes.add_entries("accounts", {Needs::admin}, {Needs::admin, true},
                     {list_accounts, create_account, show_account, change_account});
  routes.add_removal("accounts", {Needs::admin, true},
                     {engine::Cause::account, Accounts::plan_remove});
}

}  // namespace netml::admin::web
