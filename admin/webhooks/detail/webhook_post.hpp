// One message to one address. It counts as taken when the answer is from 200 to 299; the body of
// the answer is not read. Redirects are not followed.
//
// Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>

#include "admin/webhooks/detail/webhook_message.hpp"
#include "engine/catalog/webhook.hpp"
#include "net/client/outgoing.hpp"

namespace netml::admin {

// How it went. `problem` is empty when it was taken.
struct WebhookAnswer {
  int status = 0;  // of HTTP; 0: there was no answer
  std::string problem;
};

struct WebhookPost {
  const engine::Webhook& webhook;
  const std::string& secret;
  const WebhookMessage& message;
};

// Within kWebhookSecondsMax, or until `stop` is requested.
inline constexpr std::chrono::seconds kWebhookSecondsMax{20};
WebhookAnswer post_to_webhook(const WebhookPost& post, net::OutgoingRules rules, const Clock& clock,
                              const std::stop_token& stop);

}  // namespace netml::admin
