// What services report while they work; main turns it into log lines (docs/monitoring/README.md).
//
// Owner: whoever opens a node; it outlives it. Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/ids.hpp"

namespace netml::admin {

enum class EventLevel : std::uint8_t { debug, information, warning, error };

// What a line tells besides its text, for programs that read it. What is empty is left out.
struct EventFields {
  std::string_view request_id = {};
  std::string_view actor = {};
  std::uint64_t import_number = 0;
  Lsn lsn = {};
  std::optional<std::chrono::nanoseconds> duration = {};
};

class EventLog {
 public:
  virtual ~EventLog() = default;
  virtual void information(std::string_view event, std::string_view text) = 0;
  virtual void warning(std::string_view event, std::string_view text) = 0;
  virtual void error(std::string_view event, std::string_view text) = 0;

  // The same with fields. Where nobody reads those, they and what is only for finding defects are
  // left out.
  virtual void record(EventLevel level, std::string_view event, std::string_view text,
                      const EventFields& /*fields*/) {
    if (level == EventLevel::information) information(event, text);
    if (level == EventLevel::warning) warning(event, text);
    if (level == EventLevel::error) error(event, text);
  }
};

}  // namespace netml::admin
