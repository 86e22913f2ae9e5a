#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/access/access_json.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "admin/exports/published_json.hpp"
#include "admin/settings/setting_json.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

// ---- published items ----

Result<Response> published_item(Services& services, std::uint64_t number, int status) {
  const engine::StatePtr state = services.node.version().state;
  NETML_TRY(const auto entry, find_published_item(state->catalog, number));
  const bool latest = number == latest_published(state->catalog);
  return json_answer(status, published_item_json(number, *entry, latest));
}

Result<Response> publish(Services& services, const Request& request, const json::object& body) {
  NETML_TRY(const std::string name, text_of(body, "name"));
  std::string description;
  if (body.contains("description")) {
    NETML_TRY(description, text_of(body, "description"));
  }
  NETML_TRY(const std::uint64_t number,
            services.publisher.publish(caller_of(request), name, description));
  return published_item(services, number, 201);
}

Result<Response> list_published(const Services& services) {
  const engine::StatePtr state = services.node.version().state;
  const std::uint64_t latest = latest_published(state->catalog);
  return table_answer(state->catalog.published,
                      [&](std::uint64_t number, const engine::PublishedItem& entry) {
                        return published_item_json(number, entry, number == latest);
                      });
}

// ---- tokens ----

Result<Response> create_token(Services& services, const Request& request,
                              const json::object& body) {
  NETML_TRY(const std::string name, text_of(body, "client_name"));
  NETML_TRY(const std::string kind_text, text_of(body, "kind"));
  NETML_TRY(const engine::TokenKind kind, parse_token_kind(kind_text));
  NETML_TRY(const std::string value, services.tokens.create(caller_of(request), name, kind));
  const engine::StatePtr state = services.node.version().state;
  const std::uint64_t number = state->catalog.tokens.find_with<&engine::Token::client_name>(name);
  return json_answer(
      201,
      {{"id", number}, {"client_name", name}, {"kind", token_kind_name(kind)}, {"value", value}});
}

Result<Response> list_tokens(const Services& services) {
  return table_answer(services.node.version().state->catalog.tokens, token_json);
}

// ---- settings ----

Result<Response> show_setting(const Services& services, const SettingDefinition& definition) {
  return json_answer(
      200, setting_json(definition, services.node.version().state->catalog, services.node.mode()));
}

Result<Response> list_settings(const Services& services) {
  const engine::StatePtr state = services.node.version().state;
  json::array settings;
  for (const SettingDefinition& definition : setting_definitions())
    if (!services.polling.sandbox() || !is_polling_setting(definition))
      settings.push_back(setting_json(definition, state->catalog, services.node.mode()));
  return json_answer(200, settings);
}

// No value: back to the default.
Result<Response> change_setting(Services& services, const Request& request,
                                const std::optional<std::string>& value) {
  NETML_TRY(const auto* definition, find_setting(request.parameters.at(0)));
  std::string accepted;
  if (value) {
    NETML_TRY(accepted, accepted_value(*definition, *value));
  }
  Change change{.caller = caller_of(request), .cause = engine::Cause::setting};
  change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    if (!value) return plan_setting_default(state, definition->name);
    return plan_setting(state, definition->name, accepted);
  };
  NETML_TRY_VOID(services.node.commit(std::move(change)));
  return show_setting(services, *definition);
}

}  // namespace

void register_published_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/publish/",
             with_body([&services](const Request& request, const json::object& body) {
               return publish(services, request, body);
             }));
  router.add(Method::get, "/control/published/",
             without_body([&services](const Request&) { return list_published(services); }));
  router.add(Method::get, "/control/published/{n}/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::uint64_t number, path_number(request));
               return published_item(services, number, 200);
             }));
  router.add(Method::del, "/control/published/{n}/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::uint64_t number, path_number(request));
               NETML_TRY_VOID(services.publisher.remove(caller_of(request), number));
               return no_content();
             }));
}

void register_token_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/tokens/",
             with_body([&services](const Request& request, const json::object& body) {
               return create_token(services, request, body);
             }));
  router.add(Method::get, "/control/tokens/",
             without_body([&services](const Request&) { return list_tokens(services); }));
  // In the query, since a client's name may hold a slash.
  router.add(Method::del, "/control/tokens/",
             without_body([&services](const Request& request) -> Result<Response> {
               const auto name = net::query_parameter(request.query, "client_name");
               if (!name) return fail(Errc::invalid_input, "\"client_name\" is missing");
               NETML_TRY_VOID(services.tokens.remove(caller_of(request), *name));
               return no_content();
             }));
}

void register_setting_api(net::Router& router, Services& services) {
  router.add(Method::get, "/control/settings/",
             without_body([&services](const Request&) { return list_settings(services); }));
  router.add(Method::get, "/control/settings/{name}/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const auto* definition, find_setting(request.parameters.at(0)));
               return show_setting(services, *definition);
             }));
  router.add(
      Method::put, "/control/settings/{name}/",
      with_body([&services](const Request& request, const json::object& body) -> Result<Response> {
        NETML_TRY(const std::string value, text_of(body, "value"));
        return change_setting(services, request, value);
      }));
  router.add(Method::del, "/control/settings/{name}/",
             without_body([&services](const Request& request) {
               return change_setting(services, request, std::nullopt);
             }));
}

}  // namespace netml::admin
