#include "net/http/http.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "engine/base/json_string.hpp"
#include "engine/base/texts.hpp"
#include "net/http/uri.hpp"

namespace netml::net {
namespace {

constexpr std::size_t kRefusalBytesMax = 1024;
constexpr std::size_t kExcerptCharactersMax = 64;
constexpr std::array<std::string_view, 7> kMethodNames{"GET",   "HEAD",   "POST",   "PUT",
                                                       "PATCH", "DELETE", "OPTIONS"};

class CollectingSink : public BodySink {
 public:
  CollectingSink(NamedLimit bytes_max, std::function<Response(std::string)> answer)
      : bytes_max_(bytes_max), answer_(std::move(answer)) {}

  NamedLimit bytes_max() const override { return bytes_max_; }
  std::size_t kept_bytes() const override { return body_.capacity(); }
  std::optional<Response> write(std::string_view piece) override {
    body_ += piece;
    return std::nullopt;
  }
  Response finish() override { return answer_(std::move(body_)); }

 private:
  NamedLimit bytes_max_;
  std::function<Response(std::string)> answer_;
  std::string body_;
};

}  // namespace

std::string_view method_name(Method method) {
  return kMethodNames[static_cast<std::size_t>(method)];
}

std::optional<Method> parse_method(std::string_view text) {
  const auto found = std::find(kMethodNames.begin(), kMethodNames.end(), text);
  if (found == kMethodNames.end()) return std::nullopt;
  return static_cast<Method>(found - kMethodNames.begin());
}

void Headers::add(std::string_view name, std::string_view value) {
  fields_.push_back({std::string(name), std::string(value)});
}

void Headers::set(std::string_view name, std::string_view value) {
  std::erase_if(fields_, [&](const Field& f) { return equals_ignoring_case(f.name, name); });
  add(name, value);
}

void Headers::set_default(std::string_view name, std::string_view value) {
  if (!has(name)) add(name, value);
}

std::string_view Headers::get(std::string_view name) const {
  for (const Field& field : fields_) {
    if (equals_ignoring_case(field.name, name)) return field.value;
  }
  return {};
}

std::size_t Headers::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      fields_.begin(), fields_.end(), [&](auto& f) { return equals_ignoring_case(f.name, name); }));
}

bool ClientPresence::has_left() const {
  if (socket_ < 0) return false;
  pollfd asked{.fd = socket_, .events = POLLRDHUP, .revents = 0};
  return ::poll(&asked, 1, 0) > 0;
}

std::unique_ptr<BodySink> collect_body(NamedLimit bytes_max,
                                       std::function<Response(std::string body)> answer) {
  return std::make_unique<CollectingSink>(bytes_max, std::move(answer));
}

Response json_response(int status, std::string body) {
  Response response;
  response.status = status;
  response.headers.add("Content-Type", "application/json");
  response.body = std::move(body);
  return response;
}

Response refusal(int status, std::string_view detail) {
  constexpr std::string_view kHead = R"({"detail":)";
  std::string text = json_string(detail);
  // Escaping can lengthen a text sixfold, so the escaped form is what is measured.
  while (kHead.size() + text.size() + 1 > kRefusalBytesMax) {
    detail.remove_suffix(std::max<std::size_t>(1, detail.size() / 8));
    text = json_string(detail);
  }
  return json_response(status, fmt::format("{}{}}}", kHead, text));
}

int http_status(Errc code) {
  switch (code) {
    case Errc::invalid_input:
      return 400;
    case Errc::not_found:
      return 404;
    case Errc::conflict:
      return 409;
    case Errc::unavailable:
    case Errc::no_space:
    case Errc::outcome_unknown:
      return 503;
    case Errc::too_large:
      return 413;
    case Errc::denied:
      return 403;
    case Errc::io_error:
    case Errc::corruption:
    case Errc::newer_version:
    case Errc::internal:
      return 500;
  }
  return 500;
}

Response refusal(const Error& error) {
  const int status = http_status(error.code);
  // The messages of our own failures name paths and errno texts: those are for the log.
  if (error.code == Errc::corruption)
    return refusal(500, "stored data cannot be read; see the log under the request id");
  if (error.code == Errc::io_error)  // which of the two, only the message says
    return refusal(500, "data cannot be read or written; see the log under the request id");
  if (status == 500) return refusal(500, "internal error; see the log under the request id");
  // Sent again by itself, the change might be made twice.
  if (error.code == Errc::outcome_unknown)
    return json_response(
        503, fmt::format(R"({{"detail":{},"code":"outcome-unknown"}})", json_string(error.text())));
  Response response = refusal(status, error.text());
  if (status == 503) response.headers.add("Retry-After", "5");
  return response;
}

std::string excerpt(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, kExcerptCharactersMax)) {
    const bool plain = c >= 0x20 && c < 0x7f && c != '\'' && c != '\\';
    out += plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  out += text.size() > kExcerptCharactersMax ? "'..." : "'";
  return out;
}

std::string http_date(std::int64_t seconds_since_1970) {
  constexpr std::array kWeekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  using std::chrono::days, std::chrono::seconds, std::chrono::sys_seconds;
  const sys_seconds time{seconds(seconds_since_1970)};
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kWeekdays[std::chrono::weekday(day).c_encoding()], unsigned(date.day()),
                     kMonths[unsigned(date.month()) - 1], int(date.year()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

std::string_view cookie(const Headers& headers, std::string_view name) {
  std::string_view list = headers.get("Cookie");
  while (!list.empty()) {
    std::string_view value = trimmed(take_until(list, ';'));
    if (take_until(value, '=') == name) return value;
  }
  return {};
}

std::optional<std::string> query_parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    const std::string_view key = take_until(value, '=');
    if (form_decode(key) == name) return form_decode(value);
  }
  return std::nullopt;
}

bool etag_matches(std::string_view list, std::string_view quoted) {
  while (!list.empty()) {
    std::string_view tag = trimmed(take_until(list, ','));
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == quoted || tag == "*") return true;
  }
  return false;
}

}  // namespace netml::net
