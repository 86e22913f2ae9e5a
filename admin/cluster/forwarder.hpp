// Hands requests on to the leader of a cluster: their bodies as they arrive, its answer as it
// comes. The connection is made for one request, and the client's address, host and request id go
// with it (member_request.hpp).
//
// Whoever has the answer to a change finds it at this member, too: the answer waits a moment for
// that, since browsers send no token.
//
// Failure: what cannot reach the leader is answered 503. When the connection breaks after a change
// was sent, nobody here knows what became of it: then the answer says so, and names no time to come
// back.
// Thread: any, several requests at once; a request on one thread at a time.
#pragma once

#include <memory>
#include <string>

#include "admin/cluster/member.hpp"
#include "admin/cluster/member_request.hpp"
#include "admin/node/secrets.hpp"
#include "engine/base/time.hpp"
#include "engine/base/wording.hpp"
#include "net/client/http_client.hpp"
#include "net/client/outgoing.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

struct ForwarderOptions {
  std::string member;           // this one's name
  std::string ca_certificates;  // PEM, that the members' certificates lead to; empty: the system's
  NamedLimit body_bytes_max = 1024 * net::kMebibyte;
  std::chrono::milliseconds connect_max = std::chrono::seconds(5);
  std::chrono::milliseconds shown_after_max = std::chrono::seconds(1);
};

class Forwarder {
 public:
  // All must outlive it, and the bodies of its answers.
  Forwarder(const ClusterMember& member, const Secrets& secrets, const Clock& clock,
            ForwarderOptions options)
      : member_(member), secrets_(secrets), clock_(clock), options_(std::move(options)) {}

  // `leader`: "https://alpha.example:8443".
  net::Answer forward(const std::string& leader, const net::Request& request) const;

 private:
  Result<std::unique_ptr<net::HttpClient>> connect(const std::string& leader) const;
  net::ClientRequest head_of(const net::Request& request) const;

  const ClusterMember& member_;
  const Secrets& secrets_;
  const Clock& clock_;
  const ForwarderOptions options_;
};

}  // namespace netml::admin
