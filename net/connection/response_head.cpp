#include "net/connection/response_head.hpp"

#include <fmt/format.h>

#include <boost/beast/http/status.hpp>

namespace netml::net {
namespace {

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  for (const char c : value) {
    const bool control = (c >= 0 && c < 0x20) || c == 0x7f;
    out += control ? ' ' : c;
  }
  out += "\r\n";
}

std::string_view reason_phrase(int status) {
  if (status == 421) return "Misdirected Request";
  const auto reason = boost::beast::http::obsolete_reason(
      boost::beast::http::int_to_status(static_cast<unsigned>(status)));
  return {reason.data(), reason.size()};
}

}  // namespace

void add_common_fields(Headers& headers, const std::string& request_id, WallTime now, bool secure) {
  headers.set("X-Request-Id", request_id);
  headers.set("Date", http_date(now.instant().seconds));
  headers.set_default("Cache-Control", "no-store");
  headers.set_default("Content-Security-Policy",
                      "default-src 'none'; frame-ancestors 'none'; sandbox");
  headers.set_default("Cross-Origin-Opener-Policy", "same-origin");
  headers.set_default("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set_default("X-Content-Type-Options", "nosniff");
  headers.set_default("X-Frame-Options", "DENY");
  if (secure) headers.set_default("Strict-Transport-Security", "max-age=31536000");
}

std::string serialize_head(const Response& response, const HeadOptions& options) {
  std::string out =
      fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  out.reserve(768);
  for (const Headers::Field& field : response.headers.fields())
    append_field(out, field.name, field.value);
  if (options.framing == Framing::length)
    append_field(out, "Content-Length", std::to_string(options.length));
  if (options.framing == Framing::chunked) append_field(out, "Transfer-Encoding", "chunked");
  if (!options.keep_alive)
    append_field(out, "Connection", "close");
  else if (options.version < 11)
    append_field(out, "Connection", "keep-alive");
  out += "\r\n";
  return out;
}

}  // namespace netml::net
