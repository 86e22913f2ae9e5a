// What `netml serve --cluster` adds to a server: the cluster below its node, the gate before its
// routes, and the work that goes with being the leader or with following one.
//
// Owner: serve(), which makes it before the server and the node, and ends attend() before both.
// Thread: main, except what a call says otherwise.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "admin/cli/client/options.hpp"
#include "admin/cluster/cluster.hpp"
#include "admin/cluster/forwarder.hpp"
#include "admin/cluster/gate.hpp"
#include "engine/base/random.hpp"
#include "engine/base/time.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

struct Services;

class MemberServer {
 public:
  // Null where the options name no cluster; nothing is loaded then. Errc::not_found and others when
  // the module or the certificates cannot be read. The ports outlive it.
  static Result<std::unique_ptr<MemberServer>> load(const cli::ServeOptions& options,
                                                    const Clock& clock, Random& random);
  ~MemberServer() { stop(); }

  Cluster& cluster() { return *cluster_; }

  // Puts the routes behind the gate, and adds what other members ask. Once the node is open, which
  // outlives their use.
  void guard(const Services& services, net::Router& open, net::Router& control);
  // What every answer carries; nothing before there is a gate. Thread: any.
  void add_fields(net::Headers& headers) const;

  // Work on a thread of its own, until stop(): what is to be done when this member begins to lead,
  // and what a follower's services want to know of versions that they did not make.
  void attend(Services& services, std::function<void()> take_over);
  void stop() { thread_ = {}; }

 private:
  MemberServer(std::unique_ptr<Cluster> cluster, const Clock& clock, GateOptions gate,
               ForwarderOptions forwarder);
  void look(Services& services, const std::function<void()>& take_over);

  const std::unique_ptr<Cluster> cluster_;
  const Clock& clock_;
  const GateOptions gate_options_;
  ForwarderOptions forwarder_options_;
  std::optional<Forwarder> forwarder_;
  net::Router for_members_;  // of the control socket, as other members ask it
  std::unique_ptr<Gate> owned_gate_;
  std::atomic<const Gate*> gate_ = nullptr;
  bool led_ = false;                          // at the last look
  Lsn seen_;                                  // the same
  std::chrono::nanoseconds members_asked_{};  // when; the same
  std::jthread thread_;                       // ended before the rest
};

}  // namespace netml::admin
