// Emptying and filling the node (docs/requirements/http-api.md, section 11).
#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/records/field_values.hpp"
#include "admin/api/reference/calls.hpp"
#include "admin/settings/cron_schedule.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_records.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

Response message(const std::string& text) {
  return json_answer(200, json::object{{"message", text}});
}

// Published items are more than entries: each keeps a checkpoint. When a crash comes between the
// two steps, the next start takes the second.
Result<Response> flush(const Call& call) {
  NETML_TRY_VOID(call.commit(engine::Cause::edit, [](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_clear(state));
  }));
  NETML_TRY_VOID(call.services.node.release_published());
  return message("the node is empty");
}

struct FixtureSetting {
  std::string_view name;
  std::string_view value;
};
constexpr std::string_view kFixture = "test_app_configurations";
// What the fixture sets of the settings there are.
constexpr std::array kFixtureSettings{FixtureSetting{kPollingEnabled, "True"},
                                      FixtureSetting{kPollingInterval, kDefaultSchedule},
                                      FixtureSetting{kSupplyType, "Live"}};

Result<Response> load_fixture(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string name, required_text(fields, "fixture"));
  if (name != kFixture && name != fmt::format("{}.json", kFixture))
    return fail(Errc::invalid_input, "fixture",
                fmt::format("there is none of that name; there is {}", kFixture));
  for (const FixtureSetting& setting : kFixtureSettings)
    NETML_TRY_VOID(call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
      return Result<engine::Transaction>(
          plan_setting(state, setting.name, std::string(setting.value)));
    }));
  return message(fmt::format("Installed {} object(s) from 1 fixture(s)", kFixtureSettings.size()));
}

Result<Response> create_superuser(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NewAccount account;
  NETML_TRY(account.name, required_text(fields, "username"));
  NETML_TRY(account.password, required_text(fields, "password"));
  if (const json::value* email = fields.if_contains("email");
      email != nullptr && email->is_string())
    account.email = email->get_string();
  if (account.email.empty()) account.email = "superuser@example.org";
  account.role = engine::Role::admin;
  const std::string name = account.name;
  NETML_TRY_VOID(
      call.services.accounts.create(call.caller, std::move(account), PasswordRule::test_mode));
  return message(fmt::format("superuser {} created", name));
}

Result<Response> create_token(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string name, required_text(fields, "client_name"));
  NETML_TRY(const std::string value, required_text(fields, "token"));
  const json::value* type = fields.if_contains("token_type");
  if (type == nullptr) return fail(Errc::invalid_input, "token_type", "is missing");
  engine::TokenKind kind = engine::TokenKind::none;
  if (!type->is_null() && *type != "") {
    NETML_TRY(const std::string text, required_text(fields, "token_type"));
    NETML_TRY(kind, parse_token_kind(text));
  }
  NETML_TRY_VOID(call.services.tokens.store(call.caller, name, kind, value));
  return Response();  // without a body
}

}  // namespace

void add_basics(Routes& routes) {
  routes.add(Method::post, "/test/flushdb/", Access::test, flush);
  routes.add(Method::post, "/test/loadfixture/", Access::test, load_fixture);
  routes.add(Method::post, "/test/create_superuser/", Access::test, create_superuser);
  routes.add(Method::post, "/test/token/", Access::test, create_token);
}

}  // namespace netml::admin::functional
