#include "admin/receipts/receipt.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <span>

#include "admin/answers/record_text.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::admin {

namespace json = boost::json;

namespace {

constexpr std::string_view kChecksum = R"(,"crc32c":")";
constexpr std::string_view kEnd = R"("})";
constexpr std::size_t kChecksumDigits = 8;

std::string checksum_of(std::string_view text) {
  return fmt::format("{:08x}", wal::crc32c(std::as_bytes(std::span(text))));
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}
json::value number_or_null(std::uint64_t number) {
  return number == 0 ? json::value() : json::value(number);
}

std::string text_of(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}
std::uint64_t number_of(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) return 0;
  boost::system::error_code error;
  const auto number = value->to_number<std::uint64_t>(error);
  return error ? 0 : number;
}

// The JSON that the line had before its checksum; nothing when that does not fit.
std::optional<json::object> checked_object(std::string_view line) {
  constexpr std::size_t kTail = kChecksum.size() + kChecksumDigits + kEnd.size();
  if (line.size() < kTail || !line.ends_with(kEnd)) return std::nullopt;
  const std::string_view text = line.substr(0, line.size() - kTail);
  const std::string_view tail = line.substr(text.size());
  if (!tail.starts_with(kChecksum) ||
      tail.substr(kChecksum.size(), kChecksumDigits) != checksum_of(text))
    return std::nullopt;
  boost::system::error_code error;
  json::value value = json::parse(line, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

}  // namespace

json::object receipt_json(const Receipt& receipt) {
  return {{"number", receipt.number},
          {"time", web::time_text(receipt.time)},
          {"client", text_or_null(receipt.client)},
          {"token", number_or_null(receipt.token)},
          {"kind", receipt.from.empty() ? "whole" : "delta"},
          {"from", text_or_null(receipt.from)},
          {"head", receipt.head},
          {"published", number_or_null(receipt.published)},
          {"view", text_or_null(receipt.view)},
          {"view_sha256", text_or_null(receipt.view_sha256)},
          {"pseudonym_key", text_or_null(receipt.pseudonym_key)},
          {"bytes", receipt.bytes},
          {"sha256", receipt.sha256},
          {"version", receipt.version}};
}

std::string receipt_line(const Receipt& receipt) {
  std::string line = json::serialize(receipt_json(receipt));
  line.pop_back();  // "}"
  const std::string checksum = checksum_of(line);
  line += fmt::format("{}{}{}\n", kChecksum, checksum, kEnd);
  return line;
}

std::optional<Receipt> parse_receipt_line(std::string_view line) {
  const auto object = checked_object(line);
  if (!object) return std::nullopt;
  const auto time = parse_instant(text_of(*object, "time"));
  const std::uint64_t number = number_of(*object, "number");
  if (!time || number == 0) return std::nullopt;
  return Receipt{.number = number,
                 .time = *time,
                 .client = text_of(*object, "client"),
                 .token = number_of(*object, "token"),
                 .from = text_of(*object, "from"),
                 .head = text_of(*object, "head"),
                 .published = number_of(*object, "published"),
                 .view = text_of(*object, "view"),
                 .view_sha256 = text_of(*object, "view_sha256"),
                 .pseudonym_key = text_of(*object, "pseudonym_key"),
                 .bytes = number_of(*object, "bytes"),
                 .sha256 = text_of(*object, "sha256"),
                 .version = text_of(*object, "version")};
}

}  // namespace netml::admin
