// `netml serve`: opens the node behind its listeners and runs until it is asked to stop
// (docs/requirements/command-line.md, "Server"; rules O1, O4 and O5).
#pragma once

#include <ostream>

#include "admin/cli/client/options.hpp"
#include "admin/server/logging.hpp"
#include "admin/server/service_manager.hpp"
#include "engine/base/random.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"

namespace netml::admin {

// Prints "listening on URL" to `out` once requests are accepted. Blocks the signals it waits for:
// SIGTERM and SIGINT stop, SIGHUP reads limits, proxies and certificates again. Takes the sockets
// of `manager`, if it has any, and tells it when the server is ready and when it stops. Thread:
// main.
Status serve(const cli::GlobalOptions& given, const cli::ServeOptions& options, const Clock& clock,
             Random& random, Log& log, std::ostream& out, ServiceManager manager = {});

}  // namespace netml::admin
