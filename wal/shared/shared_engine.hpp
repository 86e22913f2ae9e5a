// An engine that holds shared logs, as a module that the program loads when it is asked to, so that
// a node without a cluster has none of its libraries (docs/cluster.md).
//
// A module exports one C function, kSharedEngineFunction. What it is given and gives beside the
// version is C++, so both sides must be of one version; the function compares before it touches
// anything else.
//
// Thread: any; the logs that it opens as SharedLog says.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "wal/format/journal.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::wal {

struct SharedEngineSettings {
  // As the engine reads it. It may hold a password: it is in no message.
  std::string connection;
  std::optional<NodeUuid> cluster = {};  // that the log must be of; none: any
  const Clock* clock = nullptr;          // outlives all logs
  // Until it is connected, and how long the other side may be silent within a call.
  std::chrono::nanoseconds connect_time = std::chrono::seconds(5);
  std::chrono::nanoseconds answer_time = std::chrono::seconds(5);
};

struct SharedLogStart {
  NodeUuid cluster;
  Head head;         // the log begins behind it
  std::string role;  // of the engine, that the log shall belong to; empty: whoever connects
};

struct SharedEngine {
  // Makes the log. Done, too, where it is there and nothing was written to it since.
  // Errc::conflict when there is another; Errc::denied when the right is missing, and which.
  std::function<Status(const SharedLogStart&)> init;
  // Connects. Errc::not_found where no log was made.
  OpenSharedLog open;
};

// Returns the version that the module is of. Only if that is `version`, it has read `settings` and
// set `engine`, which it keeps no pointer to.
using SharedEngineFunction = const char*(const char* version, const SharedEngineSettings* settings,
                                         SharedEngine* engine);
inline constexpr const char* kSharedEngineFunction = "netml_shared_engine";

}  // namespace netml::wal
