// What webhooks are sent (docs/following.md, "Webhooks"): one message for each transaction that
// changed the map.
//
// Thread: any (pure functions, but for reading the journal).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "admin/history/change_reading.hpp"

namespace netml::admin {

// Changes whose text is longer are not in a message, which says instead where they are read.
inline constexpr std::size_t kWebhookChangesBytesMax = 64 << 10;

struct WebhookMessage {
  std::string id;    // the same whenever it is posted again to this webhook, and of nothing else
  std::string type;  // "transaction", "reset" or "test"
  std::string body;
  wal::Head place;  // where the receiver stands once it has taken it
};

// `stream` is the journal's UUID, `webhook` the number of whom it is for.
struct WebhookStream {
  std::string stream;
  std::uint64_t webhook = 0;
};

// The next transaction with a change of the map; nothing where there is none. The place of the
// reading is behind it then, and behind those without any.
Result<std::optional<WebhookMessage>> next_webhook_message(ChangeReading& reading,
                                                           const WebhookStream& to);
// That what the receiver knows is void, and that changes after `place` follow. A place alone would
// not do for its id: a copy of the data that is restored may have been given the same one before.
WebhookMessage reset_message(const WebhookStream& to, const wal::Head& place,
                             std::string_view unique, WallTime now);
WebhookMessage webhook_test_message(const WebhookStream& to, std::string_view unique, WallTime now);

}  // namespace netml::admin
