#include "admin/server/logging.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "admin/server/log_sink.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/wording.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

namespace {

struct EventLine {
  const char* name;
  int level;
};

EventLine line_of(net::ServerEvent event) {
  using net::ServerEvent;
  using namespace spdlog::level;
  switch (event) {
    case ServerEvent::connection_refused:
      return {"connection_refused", warn};
    case ServerEvent::connection_timed_out:
      return {"connection_timed_out", info};
    case ServerEvent::tls_handshake_failed:
      return {"tls_handshake_failed", info};
    case ServerEvent::control_peer_refused:
      return {"control_peer_refused", warn};
    case ServerEvent::handler_failed:
      return {"handler_failed", err};
    case ServerEvent::body_source_failed:
      return {"body_source_failed", warn};
    case ServerEvent::accept_failed:
      return {"accept_failed", err};
    case ServerEvent::io_thread_failed:
      return {"io_thread_failed", err};
  }
  return {"unknown", info};
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

Log::Log(LogFormat format, LogLevel level)
    : format_(format),
      sink_(std::make_shared<LogSink>(STDERR_FILENO)),
      logger_(std::make_shared<spdlog::logger>("netml", sink_)) {
  logger_->set_pattern(format == LogFormat::json ? "%v" : "%Y-%m-%dT%H:%M:%S.%eZ %l %v",
                       spdlog::pattern_time_type::utc);
  logger_->set_level(level == LogLevel::everything ? spdlog::level::info : spdlog::level::warn);
  logger_->flush_on(spdlog::level::trace);
}

Log::~Log() = default;

void Log::write(int level, std::string_view event, std::string_view text) {
  if (const std::uint64_t left_out = sink_->take_left_out(); left_out != 0)
    write_line(spdlog::level::warn, "log",
               fmt::format("{} left out here, as nobody took them", counted(left_out, "line")));
  write_line(level, event, text);
}

void Log::write_line(int level, std::string_view event, std::string_view text) {
  const auto severity = static_cast<spdlog::level::level_enum>(level);
  if (format_ == LogFormat::text) {
    logger_->log(severity, "{}: {}", event, printable(text));
    return;
  }
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto name = spdlog::level::to_string_view(severity);
  logger_->log(severity, R"({{"time":{},"level":"{}","event":"{}","text":{}}})",
               now.time_since_epoch().count(), std::string_view(name.data(), name.size()), event,
               json_string(text));
}

void Log::information(std::string_view event, std::string_view text) {
  if_possible([&] { write(spdlog::level::info, event, text); });
}
void Log::warning(std::string_view event, std::string_view text) {
  if_possible([&] { write(spdlog::level::warn, event, text); });
}
void Log::error(std::string_view event, std::string_view text) {
  if_possible([&] { write(spdlog::level::err, event, text); });
}

void Log::answered(const net::AccessRecord& record) {
  using std::chrono::milliseconds;
  if_possible([&] {
    write(spdlog::level::info, "request",
          fmt::format("{} {} {} {} from {}{}{} in {} ms, {} bytes in, {} out", record.request_id,
                      record.method, record.path, record.status,
                      record.client_address.empty() ? "the control socket" : record.client_address,
                      record.client.empty() ? "" : " as ", record.client,
                      std::chrono::duration_cast<milliseconds>(record.duration).count(),
                      record.bytes_received, record.bytes_sent));
  });
}

void Log::event(net::ServerEvent what, std::string_view client_address, std::string_view detail) {
  if_possible([&] {
    const EventLine line = line_of(what);
    write(line.level, line.name,
          client_address.empty() ? std::string(detail)
                                 : fmt::format("{}: {}", client_address, detail));
  });
}

}  // namespace netml::admin
