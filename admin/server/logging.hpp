// Log lines (rule O8; docs/monitoring/README.md): one a line on standard error, as text or JSON.
// Text from clients is escaped, secrets and bodies never get here. Nobody waits for a log that is
// not read: lines are left out then, and counted (admin/server/log_sink.hpp).
//
// Thread: any.
#pragma once

#include <spdlog/fwd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "admin/node/event_log.hpp"
#include "net/server/server_events.hpp"

namespace netml::admin {

class LogSink;

enum class LogFormat : std::uint8_t { text, json };

// Each with all that is worse.
using LogLevel = EventLevel;
// As options name them; nothing for another word.
std::optional<LogFormat> log_format(std::string_view name);
std::optional<LogLevel> log_level(std::string_view name);

class Log : public EventLog, public net::ServerEvents {
 public:
  Log(LogFormat format, LogLevel level);
  // Lines go to that descriptor, which stays open.
  Log(LogFormat format, LogLevel level, int descriptor);
  ~Log() override;

  // For lines from now on.
  void set_format(LogFormat format) { format_ = format; }
  void set_level(LogLevel level);

  void information(std::string_view event, std::string_view text) override;
  void warning(std::string_view event, std::string_view text) override;
  void error(std::string_view event, std::string_view text) override;
  void record(EventLevel level, std::string_view event, std::string_view text,
              const EventFields& fields) override;

  void answered(const net::AccessRecord& record) override;
  void event(const net::EventRecord& record) override;

 private:
  // `more` is what a line tells besides its text, in the form of the line.
  void write(LogLevel level, std::string_view event, std::string_view text,
             std::string_view more = {});
  void write_line(LogLevel level, std::string_view event, std::string_view text,
                  std::string_view more);
  bool is_json() const { return format_ == LogFormat::json; }
  bool wants(LogLevel level) const { return level >= level_; }

  std::atomic<LogFormat> format_;
  std::atomic<LogLevel> level_;
  const std::shared_ptr<LogSink> sink_;
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace netml::admin
