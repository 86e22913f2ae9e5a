// Log lines (rule O8): one a line on standard error, as text or JSON. Text from clients is escaped,
// secrets never get here. Nobody waits for a log that is not read: lines are left out then, and
// counted (admin/server/log_sink.hpp).
//
// Thread: any.
#pragma once

#include <spdlog/fwd.h>

#include <memory>

#include "admin/node/node.hpp"
#include "net/server/server_events.hpp"

namespace netml::admin {

class LogSink;

enum class LogFormat : std::uint8_t { text, json };

enum class LogLevel : std::uint8_t { everything, problems };

class Log : public EventLog, public net::ServerEvents {
 public:
  Log(LogFormat format, LogLevel level);
  ~Log() override;

  void information(std::string_view event, std::string_view text) override;
  void warning(std::string_view event, std::string_view text) override;
  void error(std::string_view event, std::string_view text) override;

  void answered(const net::AccessRecord& record) override;
  void event(net::ServerEvent what, std::string_view client_address,
             std::string_view detail) override;

 private:
  void write(int level, std::string_view event, std::string_view text);
  void write_line(int level, std::string_view event, std::string_view text);

  const LogFormat format_;
  const std::shared_ptr<LogSink> sink_;
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace netml::admin
