#include "admin/webhooks/detail/webhook_message.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "admin/answers/record_text.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;

constexpr std::size_t kHashDigitsInId = 16;

// A head is part of it, so that another history has other ids, though its numbers may be the same.
std::string message_id(const char* what, const WebhookStream& to, const wal::Head& head) {
  const std::string text = to_string(head);
  return fmt::format("{}_{}_{}_{}", what, to.webhook, head.lsn.value,
                     std::string_view(text).substr(text.find(':') + 1, kHashDigitsInId));
}

std::string message_body(const char* type, json::value time, json::object data) {
  return json::serialize(
      json::object{{"type", type}, {"timestamp", std::move(time)}, {"data", std::move(data)}});
}

// Without any when their text is too long: reading ends there, however many follow.
Result<std::optional<json::array>> changes_in_short(ChangeReading& reading) {
  json::array all;
  std::size_t bytes = 0;
  while (true) {
    NETML_TRY(auto changes, reading.changes());
    if (!changes) return std::optional(std::move(all));
    for (json::object& change : *changes) {
      bytes += json::serialize(change).size();
      if (bytes > kWebhookChangesBytesMax) {
        reading.end();
        return std::optional<json::array>();
      }
      all.push_back(std::move(change));
    }
  }
}

bool changes_the_map(const json::object& transaction) {
  for (const char* count : {"created", "updated", "deleted"})
    if (transaction.at(count).to_number<std::uint64_t>() > 0) return true;
  return false;
}

}  // namespace

Result<std::optional<WebhookMessage>> next_webhook_message(ChangeReading& reading,
                                                           const WebhookStream& to) {
  while (true) {
    const std::string before = to_string(reading.place());
    NETML_TRY(const bool more, reading.begin());
    if (!more) return std::optional<WebhookMessage>();
    const json::object& transaction = reading.transaction();
    if (!changes_the_map(transaction)) {
      reading.end();
      continue;
    }
    json::object data{{"stream", to.stream}};
    for (const char* field :
         {"lsn", "cause", "actor_kind", "created", "updated", "deleted", "head"})
      data[field] = transaction.at(field);
    NETML_TRY(auto changes, changes_in_short(reading));
    if (changes)
      data["changes"] = *std::move(changes);
    else
      data["changes_at"] = "/api/v1/changes?after=" + before;
    WebhookMessage message{
        message_id("msg", to, reading.place()), "transaction", {}, reading.place()};
    message.body = message_body("transaction", transaction.at("time"), std::move(data));
    return std::optional(std::move(message));
  }
}

WebhookMessage reset_message(const WebhookStream& to, const wal::Head& place,
                             std::string_view unique, WallTime now) {
  json::object data{{"stream", to.stream}, {"after", to_string(place)}};
  return {fmt::format("{}_{}", message_id("reset", to, place), unique), "reset",
          message_body("reset", json::value_from(web::time_text(now.instant())), std::move(data)),
          place};
}

WebhookMessage webhook_test_message(const WebhookStream& to, std::string_view unique,
                                    WallTime now) {
  return {fmt::format("test_{}_{}", to.webhook, unique),
          "test",
          message_body("test", json::value_from(web::time_text(now.instant())),
                       {{"stream", to.stream}}),
          {}};
}

}  // namespace netml::admin
