#include "admin/server/logging.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <iterator>
#include <string>

#include "admin/server/life_signs.hpp"
#include "admin/server/log_sink.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/wording.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

namespace {

// As options and lines name them.
constexpr std::array<std::string_view, 4> kLevels{"debug", "information", "warning", "error"};
// As text lines have always said them.
constexpr std::array<std::string_view, 4> kShortLevels{"debug", "info", "warning", "error"};

struct EventLine {
  const char* name;
  LogLevel level;
};

EventLine line_of(net::ServerEvent event) {
  using net::ServerEvent;
  using enum EventLevel;
  switch (event) {
    case ServerEvent::connection_refused:
      return {"connection_refused", warning};
    case ServerEvent::connection_timed_out:
      return {"connection_timed_out", information};
    case ServerEvent::tls_handshake_failed:
      return {"tls_handshake_failed", information};
    case ServerEvent::control_peer_refused:
      return {"control_peer_refused", warning};
    case ServerEvent::handler_failed:
      return {"handler_failed", error};
    case ServerEvent::body_source_failed:
      return {"body_source_failed", warning};
    case ServerEvent::accept_failed:
      return {"accept_failed", error};
    case ServerEvent::io_thread_failed:
      return {"io_thread_failed", error};
  }
  return {"unknown", information};
}

// Control bytes and what a terminal might obey, as escapes (A19).
std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || byte == 0x9b)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result;
}

// What a line tells besides its text, one after the other: members of its object, or words behind
// the text.
class More {
 public:
  explicit More(bool json) : json_(json) {}

  void add(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    begin(name);
    // Nobody whose name has blanks in it writes a field of somebody else's.
    const bool plain = !json_ && value.find_first_of(" =\"") == std::string_view::npos;
    text_ += plain ? printable(value) : printable(json_string(value));
  }
  void add(std::string_view name, std::uint64_t value) {
    if (value == 0) return;
    begin(name);
    fmt::format_to(std::back_inserter(text_), "{}", value);
  }
  void add_milliseconds(std::optional<std::chrono::nanoseconds> duration) {
    if (!duration) return;
    begin("duration_ms");
    const std::chrono::duration<double, std::milli> milliseconds = *duration;
    fmt::format_to(std::back_inserter(text_), "{:.3f}", milliseconds.count());
  }
  std::string_view text() const { return text_; }

 private:
  void begin(std::string_view name) {
    if (json_)
      fmt::format_to(std::back_inserter(text_), R"(,"{}":)", name);
    else
      fmt::format_to(std::back_inserter(text_), " {}=", name);
  }

  const bool json_;
  std::string text_;
};

// "2026-11-23T18:25:14.123Z"
std::string time_text() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(now - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

// Whoever reports has to go on.
template <class Call>
void if_possible(Call call) noexcept {
  try {
    call();
  } catch (...) {
    // Ignored: a line that there is no memory for is left out.
  }
}

}  // namespace

std::optional<LogFormat> log_format(std::string_view name) {
  if (name == "text") return LogFormat::text;
  if (name == "json") return LogFormat::json;
  return std::nullopt;
}

std::optional<LogLevel> log_level(std::string_view name) {
  for (std::size_t i = 0; i < kLevels.size(); ++i)
    if (kLevels[i] == name) return static_cast<LogLevel>(i);
  return std::nullopt;
}

Log::Log(LogFormat format, LogLevel level) : Log(format, level, STDERR_FILENO) {}

Log::Log(LogFormat format, LogLevel level, int descriptor)
    : format_(format),
      level_(level),
      sink_(std::make_shared<LogSink>(descriptor)),
      logger_(std::make_shared<spdlog::logger>("netml", sink_)) {
  logger_->set_pattern("%v");
  logger_->set_level(spdlog::level::trace);
  logger_->flush_on(spdlog::level::trace);
}

Log::~Log() = default;

void Log::set_level(LogLevel level) {
  level_ = level;
}

void Log::write(LogLevel level, std::string_view event, std::string_view text,
                std::string_view more) {
  if (!wants(level)) return;
  if (const std::uint64_t left_out = sink_->take_left_out(); left_out != 0)
    write_line(LogLevel::warning, "log",
               fmt::format("{} left out here, as nobody took them", counted(left_out, "line")), {});
  write_line(level, event, text, more);
}

void Log::write_line(LogLevel level, std::string_view event, std::string_view text,
                     std::string_view more) {
  const auto place = static_cast<std::size_t>(level);
  if (is_json())
    logger_->log(spdlog::level::info, R"({{"time":"{}","level":"{}","event":"{}","text":{}{}}})",
                 time_text(), kLevels.at(place), event, json_string(text), more);
  else
    logger_->log(spdlog::level::info, "{} {} {}: {}{}", time_text(), kShortLevels.at(place), event,
                 printable(text), more);
}

void Log::information(std::string_view event, std::string_view text) {
  if_possible([&] { write(LogLevel::information, event, text); });
}
void Log::warning(std::string_view event, std::string_view text) {
  if_possible([&] { write(LogLevel::warning, event, text); });
}
void Log::error(std::string_view event, std::string_view text) {
  if_possible([&] { write(LogLevel::error, event, text); });
}

void Log::record(EventLevel level, std::string_view event, std::string_view text,
                 const EventFields& fields) {
  if (!wants(level)) return;
  if_possible([&] {
    More more(is_json());
    more.add("request_id", fields.request_id);
    more.add("actor", fields.actor);
    more.add("import", fields.import_number);
    more.add("lsn", fields.lsn.value);
    more.add_milliseconds(fields.duration);
    write(level, event, text, more.text());
  });
}

// The text says it all; the fields of the object are for programs.
void Log::answered(const net::AccessRecord& record) {
  using std::chrono::milliseconds;
  if (is_left_out(record) || !wants(LogLevel::information)) return;
  if_possible([&] {
    More more(true);
    if (is_json()) {
      more.add("request_id", record.request_id);
      more.add("actor", record.client);
      more.add_milliseconds(record.duration);
      more.add("method", record.method);
      more.add("path", record.path);
      more.add("status", static_cast<std::uint64_t>(record.status));
      more.add("client_address", record.client_address);
      more.add("bytes_received", record.bytes_received);
      more.add("bytes_sent", record.bytes_sent);
      more.add("limit", record.limit);
    }
    write(LogLevel::information, "request",
          fmt::format("{} {} {} {} from {}{}{} in {} ms, {} bytes in, {} out", record.request_id,
                      record.method, record.path, record.status,
                      record.client_address.empty() ? "the control socket" : record.client_address,
                      record.client.empty() ? "" : " as ", record.client,
                      std::chrono::duration_cast<milliseconds>(record.duration).count(),
                      record.bytes_received, record.bytes_sent),
          more.text());
  });
}

// The address and the limit stand in the text already.
void Log::event(const net::EventRecord& record) {
  const EventLine line = line_of(record.what);
  if (!wants(line.level)) return;
  if_possible([&] {
    More more(is_json());
    more.add("request_id", record.request_id);
    more.add("actor", record.client);
    more.add_milliseconds(record.duration);
    if (is_json()) {
      more.add("client_address", record.client_address);
      if (record.what == net::ServerEvent::connection_refused) more.add("limit", record.detail);
    }
    write(line.level, line.name,
          record.client_address.empty()
              ? std::string(record.detail)
              : fmt::format("{}: {}", record.client_address, record.detail),
          more.text());
  });
}

}  // namespace netml::admin
