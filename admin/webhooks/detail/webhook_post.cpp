#include "admin/webhooks/detail/webhook_post.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admin/webhooks/detail/webhook_signature.hpp"
#include "admin/webhooks/webhook_address.hpp"
#include "net/client/http_client.hpp"
#include "net/client/peer_url.hpp"

namespace netml::admin {

namespace {

Result<net::ClientRequest> signed_request(const WebhookPost& post, const std::string& target,
                                          WallTime now) {
  const std::int64_t seconds = now.instant().seconds;
  const WebhookMessage& message = post.message;
  NETML_TRY(const std::string signature,
            webhook_signature(post.secret, message.id, seconds, message.body));
  net::ClientRequest request{.method = "POST", .target = target, .headers = {}, .body = {}};
  request.headers.set("Content-Type", "application/json");
  request.headers.set("User-Agent", "netml-node");
  request.headers.set("Connection", "close");
  request.headers.set("webhook-id", message.id);
  request.headers.set("webhook-timestamp", fmt::to_string(seconds));
  request.headers.set("webhook-signature", signature);
  request.body = message.body;
  return request;
}

// Up to the head of the answer.
Result<net::ClientResponse> exchange(net::HttpClient& client, const net::ClientRequest& request) {
  NETML_TRY_VOID(client.begin(request));
  NETML_TRY_VOID(client.write(std::get<std::string>(request.body)));
  return client.answer();
}

std::string problem_of(const net::ClientResponse& response) {
  if (response.status >= 200 && response.status < 300) return {};
  if (response.status >= 300 && response.status < 400)
    return "it sends on to another address, which is not followed";
  return "it refused the message";
}

}  // namespace

WebhookAnswer post_to_webhook(const WebhookPost& post, net::OutgoingRules rules, const Clock& clock,
                              const std::stop_token& stop) {
  auto address = parse_webhook_url(post.webhook.url);
  if (!address) return {0, address.error().text()};
  const auto request = signed_request(post, address->target, clock.wall());
  if (!request) return {0, request.error().text()};
  address->peer.ca_certificates = post.webhook.ca_certificates;
  const auto began = clock.steady();
  constexpr std::chrono::milliseconds kHalf = kWebhookSecondsMax / 2;  // both are within the whole
  rules.connect_max = std::min(rules.connect_max, kHalf);
  rules.tls_max = std::min(rules.tls_max, kHalf);
  auto channel = net::connect_to_peer(address->peer, rules, clock, stop);
  if (!channel) return {0, channel.error().message};
  const auto left =
      kWebhookSecondsMax - std::chrono::floor<std::chrono::milliseconds>(clock.steady() - began);
  net::ClientLimits limits;
  limits.silence_max = limits.total_max = std::max(left, std::chrono::milliseconds(1));
  net::HttpClient client(*std::move(channel), net::authority_of(address->peer), clock, limits);
  const auto response = exchange(client, *request);
  if (!response) return {0, response.error().message};
  return {response->status, problem_of(*response)};
}

}  // namespace netml::admin
