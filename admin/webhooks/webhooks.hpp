// Webhooks as administrators store them: who hears of each change of the map
// (docs/following.md, "Webhooks").
//
// The secret that messages are signed with is made here, given once, and kept encrypted under the
// node key; only a delivery opens it.
//
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "admin/node/node.hpp"

namespace netml::admin {

// What is given of a webhook; the rest stays as it is, or has its default.
struct WebhookFields {
  std::optional<std::string> name = {};
  std::optional<std::string> url = {};
  std::optional<bool> active = {};
  std::optional<bool> plain_http = {};
  std::optional<std::string> ca_certificates = {};  // PEM; empty: those of the system
};

class Webhooks {
 public:
  static constexpr std::size_t kWebhooksMax = 100;

  explicit Webhooks(Node& node) : node_(node) {}

  struct Created {
    std::uint64_t number = 0;
    std::string secret;
  };
  // Errc::invalid_input for what a webhook cannot be; Errc::conflict when the name is taken, or
  // there are so many already.
  Result<Created> create(const Caller& caller, const WebhookFields& fields);
  // Also Errc::not_found.
  Status update(const Caller& caller, std::uint64_t number, const WebhookFields& fields);
  // The new one; nothing is signed with the former one any more. Errc::not_found.
  Result<std::string> renew_secret(const Caller& caller, std::uint64_t number);

  // Errc::conflict when the node has another key than the one that it was stored under.
  Result<std::string> secret(const engine::Webhook& webhook) const;

 private:
  Node& node_;
};

}  // namespace netml::admin
