// The API called in this process, on a data directory that no server holds: the same
// handlers as behind the control socket.
#pragma once

#include <memory>

#include "admin/api/services.hpp"
#include "admin/api/site/calls/site.hpp"
#include "admin/cli/client/control.hpp"
#include "admin/cli/client/options.hpp"
#include "admin/server/process_memory.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

// Thread: one at a time.
class LocalControl : public cli::Control {
 public:
  // Ports must outlive it. See Node::open for how it fails.
  static Result<std::unique_ptr<cli::Control>> open(const NodeOptions& options,
                                                    const cli::GlobalOptions& global,
                                                    const Clock& clock, Random& random,
                                                    EventLog& events);

  Result<cli::ControlResponse> call(const cli::ControlRequest& request, const cli::BodySink& sink,
                                    cli::Progress& progress) override;

 private:
  LocalControl(std::unique_ptr<ProcessBudget> memory, std::unique_ptr<Node> node,
               const cli::GlobalOptions& global);
  Result<net::Response> dispatch(const cli::ControlRequest& request, cli::Progress& progress);
  static Result<net::Response> feed(net::BodySink& sink, const cli::ControlRequest& request,
                                    cli::Progress& progress);

  std::unique_ptr<ProcessBudget> memory_;
  std::unique_ptr<Node> node_;
  Services services_;
  web::Site site_;  // nobody signs in here
  net::Router router_;
};

}  // namespace netml::admin
