// What stands before every handler of a member of a cluster (docs/cluster.md, "What clients meet"):
//
//   X-NetML-At-Least: LSN:HASH   read your own write: the request waits until readers find that LSN
//                                here, or is answered 503; 409 when history took another way
//   ?fresh=1                     the very latest: the leader proves first that it still leads
//   changes                      go to the leader, by one hop or a redirection
//
// and what every answer of one carries: X-NetML-Head and X-NetML-Age. Those of an answer that reads
// are from before it read, so that they never promise more than it shows; those of all others are
// from when it is sent, and a change is among what they name. A node without a cluster has no gate.
//
// Owner: the server, as long as its routes are served. Thread: any.
#pragma once

#include <chrono>
#include <cstddef>

#include "admin/base/slots.hpp"
#include "admin/cluster/forwarder.hpp"
#include "admin/cluster/member.hpp"
#include "admin/node/secrets.hpp"
#include "engine/base/time.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

inline constexpr std::string_view kHeadHeader = "X-NetML-Head";
inline constexpr std::string_view kAgeHeader = "X-NetML-Age";  // milliseconds
inline constexpr std::string_view kAtLeastHeader = "X-NetML-At-Least";

// Before the path of what a member asks of another one's control socket.
inline constexpr std::string_view kMemberPath = "/cluster/control";

enum class ChangesAtFollower : std::uint8_t { forwarded, redirected };

struct GateOptions {
  ChangesAtFollower changes = ChangesAtFollower::forwarded;
  std::chrono::milliseconds wait_max{1000};  // for the LSN of a token
  // Requests that wait for an LSN or for the proof of leadership, which anybody may ask for, hold
  // no more threads than these.
  std::size_t waiting_max = 4;
};

class Gate {
 public:
  // All must outlive it.
  Gate(ClusterMember& member, const Secrets& secrets, const Clock& clock,
       const Forwarder& forwarder, GateOptions options = {})
      : member_(member),
        secrets_(secrets),
        clock_(clock),
        forwarder_(forwarder),
        options_(options),
        waiting_(options.waiting_max) {}

  // The same routes behind this gate, which must outlive them.
  net::Router guarded(const net::Router& routes);
  // Adds to `routes` what members ask each other, below kMemberPath: all that is on the control
  // socket of this one. Both outlive them.
  void add_member_routes(net::Router& routes, const net::Router& control);
  // For net::ServerOptions::add_fields.
  void add_fields(net::Headers& headers) const;

 private:
  // How a request reached this member.
  enum class Way : std::uint8_t { from_client, from_member };

  net::Answer judge(const net::Router::Route& route, const net::Handler& handler,
                    const net::Request& request);
  net::Answer pass(const net::Router::Route& route, const net::Handler& handler,
                   const net::Request& request, Way way);
  net::Answer read(const net::Handler& handler, const net::Request& request) const;
  net::Answer to_leader(const net::Request& request, Way way) const;
  net::Answer control_to_leader(const std::string& leader, const net::Request& request) const;
  net::Answer answer_member(const net::Router& control, const net::Request& request) const;
  // Nothing when the request may go on.
  std::optional<net::Response> check_token(const net::Request& request);
  std::optional<net::Response> check_fresh(const net::Request& request);

  ClusterMember& member_;
  const Secrets& secrets_;
  const Clock& clock_;
  const Forwarder& forwarder_;
  const GateOptions options_;
  Slots waiting_;
};

}  // namespace netml::admin
