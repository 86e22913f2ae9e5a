#include "admin/webhooks/webhooks.hpp"

#include <fmt/format.h>

#include "admin/webhooks/detail/webhook_signature.hpp"
#include "admin/webhooks/webhook_address.hpp"
#include "engine/edit/plan_entries.hpp"

namespace netml::admin {

namespace {

using engine::Webhook;

template <class T>
void take_given(T& into, const std::optional<T>& given) {
  if (given) into = *given;
}

Status check_lengths(const Webhook& webhook) {
  constexpr std::size_t kNameMax = engine::characters_max(&Webhook::name);
  constexpr std::size_t kUrlMax = engine::characters_max(&Webhook::url);
  constexpr std::size_t kCertificatesMax = engine::characters_max(&Webhook::ca_certificates);
  if (webhook.name.empty() || engine::character_count(webhook.name) > kNameMax)
    return fail(Errc::invalid_input, "name", fmt::format("has 1 to {} characters", kNameMax));
  if (webhook.url.size() > kUrlMax)
    return fail(Errc::invalid_input, "url", fmt::format("has at most {} characters", kUrlMax));
  const std::string& certificates = webhook.ca_certificates;
  if (certificates.size() > kCertificatesMax ||
      (!certificates.empty() &&
       certificates.find("-----BEGIN CERTIFICATE-----") == std::string::npos))
    return fail(Errc::invalid_input, "ca_certificates",
                fmt::format("are PEM text of at most {} characters", kCertificatesMax));
  return {};
}

Status fill(Webhook& webhook, const WebhookFields& fields) {
  take_given(webhook.name, fields.name);
  take_given(webhook.url, fields.url);
  take_given(webhook.active, fields.active);
  take_given(webhook.plain_http, fields.plain_http);
  take_given(webhook.ca_certificates, fields.ca_certificates);
  NETML_TRY_VOID(check_lengths(webhook));
  NETML_TRY(const WebhookAddress address, parse_webhook_url(webhook.url));
  if (address.peer.tls) webhook.plain_http = false;
  if (!address.peer.tls && !webhook.plain_http)
    return fail(Errc::invalid_input, "url",
                "with http changes of the map travel in clear; use https, or say that this is "
                "meant (--plain-http, \"plain_http\")");
  return {};
}

}  // namespace

Result<Webhooks::Created> Webhooks::create(const Caller& caller, const WebhookFields& fields) {
  Created created{0, make_webhook_secret(node_.random())};
  Webhook webhook;
  NETML_TRY_VOID(fill(webhook, fields));
  webhook.sealed_secret = node_.secrets().seal(created.secret, node_.random());
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    if (state.catalog.webhooks.count() >= kWebhooksMax)
      return fail(Errc::conflict, fmt::format("there are {} webhooks already", kWebhooksMax));
    webhook.created = now.instant();
    created.number = state.catalog.webhooks.next_number();
    return plan_entry_create(state, webhook);
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::setting, plan));
  return created;
}

Status Webhooks::update(const Caller& caller, std::uint64_t number, const WebhookFields& fields) {
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(const auto stored, engine::find_entry<Webhook>(state.catalog, number));
    Webhook webhook = *stored;
    NETML_TRY_VOID(fill(webhook, fields));
    return plan_entry_update(state, number, std::move(webhook));
  };
  return node_.commit(caller, engine::Cause::setting, plan);
}

Result<std::string> Webhooks::renew_secret(const Caller& caller, std::uint64_t number) {
  std::string secret = make_webhook_secret(node_.random());
  const std::string sealed = node_.secrets().seal(secret, node_.random());
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(const auto stored, engine::find_entry<Webhook>(state.catalog, number));
    Webhook webhook = *stored;
    webhook.sealed_secret = sealed;
    return plan_entry_update(state, number, std::move(webhook));
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::setting, plan));
  return secret;
}

Result<std::string> Webhooks::secret(const Webhook& webhook) const {
  if (auto secret = node_.secrets().open(webhook.sealed_secret)) return *std::move(secret);
  return fail(Errc::conflict, "the secret was encrypted under a key that is lost; make a new one");
}

}  // namespace netml::admin
