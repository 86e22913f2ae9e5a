// Webhooks: who hears of each change of the map (docs/api.md, section "Publications and activity").
// All of it is for administrators, since messages go to whoever they name.
#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "engine/edit/plan_entries.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Webhook;
using net::Method;
using net::Response;

namespace {

json::object attempt_item(const WebhookAttempt& attempt) {
  return {{"time", time_text(attempt.time)},
          {"message", attempt.message},
          {"type", attempt.type},
          {"lsn", attempt.lsn.value == 0 ? json::value() : json::value(attempt.lsn.value)},
          {"taken", attempt.problem.empty()},
          {"status", attempt.status == 0 ? json::value() : json::value(attempt.status)},
          {"problem", attempt.problem}};
}

// `place` is null as long as nothing was taken. The secret is in no answer but those that made it.
json::object webhook_item(std::uint64_t number, const Webhook& webhook,
                          const WebhookStatus& status) {
  const WebhookPlace& place = status.place;
  const bool failing = place.failures > 0;
  return {{"number", number},
          {"name", webhook.name},
          {"url", webhook.url},
          {"active", webhook.active},
          {"plain_http", webhook.plain_http},
          {"ca_certificates", webhook.ca_certificates},
          {"created", time_text(webhook.created)},
          {"state", kWebhookStates[static_cast<std::size_t>(status.state)]},
          {"place", place.reset ? json::value() : json::value(to_string(place.after))},
          {"failures", place.failures},
          {"failing_since", time_or_null(place.since)},
          {"next_attempt",
           failing && !place.paused ? json::value(time_text(place.next)) : json::value()}};
}

Result<json::object> item_now(const Call& call, std::uint64_t number) {
  NETML_TRY(const auto webhook, engine::find_entry<Webhook>(call.state()->catalog, number));
  NETML_TRY(const WebhookStatus status, call.services.webhook_delivery.status(number));
  return webhook_item(number, *webhook, status);
}

Result<Response> list_webhooks(const Call& call) {
  constexpr std::array<std::string_view, 2> kSearched{"name", "url"};
  const engine::StatePtr state = call.state();
  return newest_first(call, state->catalog.webhooks, kSearched,
                      [&](std::uint64_t number, const Webhook& webhook) {
                        const auto status = call.services.webhook_delivery.status(number);
                        return webhook_item(number, webhook, status.value_or(WebhookStatus()));
                      });
}

Result<Response> show_webhook(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object item, item_now(call, number));
  return json_answer(200, item);
}

// What is not given stays as it is.
Result<WebhookFields> given_webhook(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  WebhookFields given;
  NETML_TRY(given.name, optional_text(fields, "name"));
  NETML_TRY(given.url, optional_text(fields, "url"));
  NETML_TRY(given.active, optional_flag(fields, "active"));
  NETML_TRY(given.plain_http, optional_flag(fields, "plain_http"));
  NETML_TRY(given.ca_certificates, optional_text(fields, "ca_certificates"));
  return given;
}

Result<Response> answer_with_secret(const Call& call, std::uint64_t number,
                                    const std::string& secret) {
  NETML_TRY(json::object item, item_now(call, number));
  item["secret"] = secret;
  return json_answer(200, item);
}

Result<Response> create_webhook(const Call& call) {
  NETML_TRY(const WebhookFields fields, given_webhook(call));
  NETML_TRY(const Webhooks::Created made, call.services.webhooks.create(call.caller(), fields));
  return created(answer_with_secret(call, made.number, made.secret));
}

// Whoever corrects one wants to see whether that helps.
Result<Response> change_webhook(const Call& call, std::uint64_t number) {
  NETML_TRY(const WebhookFields fields, given_webhook(call));
  NETML_TRY_VOID(call.services.webhooks.update(call.caller(), number, fields));
  NETML_TRY_VOID(call.services.webhook_delivery.resume(number));
  return show_webhook(call, number);
}

Result<Response> renew_secret(const Call& call, std::uint64_t number) {
  NETML_TRY(const std::string secret, call.services.webhooks.renew_secret(call.caller(), number));
  // Whatever comes of that: the secret is shown this once.
  static_cast<void>(call.services.webhook_delivery.resume(number));
  return answer_with_secret(call, number, secret);
}

Result<Response> resume_webhook(const Call& call, std::uint64_t number) {
  NETML_TRY_VOID(call.services.webhook_delivery.resume(number));
  return show_webhook(call, number);
}

Result<Response> test_webhook(const Call& call, std::uint64_t number) {
  NETML_TRY(const WebhookAttempt attempt, call.services.webhook_delivery.test(number));
  return json_answer(200, attempt_item(attempt));
}

Result<Response> list_deliveries(const Call& call, std::uint64_t number) {
  NETML_TRY(const WebhookStatus status, call.services.webhook_delivery.status(number));
  json::array items;
  for (const WebhookAttempt& attempt : status.attempts) items.push_back(attempt_item(attempt));
  return json_answer(200, {{"items", std::move(items)}});
}

Result<engine::Transaction> plan_webhook_removal(const engine::State& state, std::uint64_t number,
                                                 WallTime) {
  return engine::plan_entry_delete<Webhook>(state, number);
}

}  // namespace

void add_webhooks(Routes& routes) {
  const Access admin{Needs::admin};
  routes.add_entries("webhooks", admin, admin,
                     {list_webhooks, create_webhook, show_webhook, change_webhook});
  routes.add_removal("webhooks", admin, {engine::Cause::setting, plan_webhook_removal});
  routes.add(Method::post, "webhooks/{n}/secret", admin, renew_secret);
  routes.add(Method::post, "webhooks/{n}/resume", admin, resume_webhook);
  routes.add(Method::post, "webhooks/{n}/test", admin, test_webhook);
  routes.add(Method::get, "webhooks/{n}/deliveries", admin, list_deliveries);
}

}  // namespace netml::admin::web
