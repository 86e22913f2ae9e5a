// SIGHUP: what a running server takes from its file and its certificates again, all of it or
// nothing. What it cannot take before the next start it says.
//
// Thread: one at a time, that of the server's owner.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "admin/api/services.hpp"
#include "admin/cli/client/options.hpp"
#include "admin/server/logging.hpp"
#include "net/server/http_server.hpp"

namespace netml::admin {

// What comes of other limits, given what the system allows and how the server was started.
struct ReloadRules {
  std::function<net::Limits(const cli::Limits&)> limits;
  std::function<PollRules(const cli::Limits&)> polls;
};

class Reload {
 public:
  // `global` and `options` are those that the server runs with. All but them must outlive this.
  Reload(net::HttpServer& server, Services& services, ReloadRules rules,
         const cli::GlobalOptions& global, const cli::ServeOptions& options, Log& log);

  // When it fails, everything is as before; the log tells either way.
  void run();

 private:
  Status try_all();
  Status take(const cli::GlobalOptions& global, const cli::ServeOptions& options);
  void tell(const std::vector<cli::GivenOption>& next);

  net::HttpServer& server_;
  Services& services_;
  const ReloadRules rules_;
  const cli::ServeOptions options_;      // as it was started
  std::vector<cli::GivenOption> given_;  // what holds now
  Log& log_;
};

}  // namespace netml::admin
