// What a server is given: limits, threads, whom it believes, its certificate. Limits and whom it
// believes may change while it runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/base/current.hpp"
#include "net/http/address.hpp"
#include "net/http/http.hpp"
#include "net/http/limits.hpp"
#include "net/http/uri.hpp"

namespace netml::net {

struct ServerOptions {
  Limits limits;
  unsigned io_threads = 2;
  // For clients that are known; strangers have a few of their own. One is kept free for urgent
  // routes, and what may wait long (BodySink::finish) never takes more than half of them.
  unsigned worker_threads = 16;
  HostAllowList hosts;
  // Whose X-Forwarded-For and X-Forwarded-Proto are believed (A20).
  std::vector<IpNetwork> trusted_proxies;
  // Adds what every answer carries besides, also those that no handler gave. Called on I/O threads
  // when a head is sent, so it is brief. None: nothing.
  std::function<void(Headers& headers)> add_fields = {};
  // Not held to the limit of connections per address; trusted proxies never are.
  std::vector<IpNetwork> address_limit_exempt = loopback_networks();
};

// Those that hold now. A connection keeps those that it began with.
using CurrentOptions = Current<const ServerOptions>;

struct TlsFiles {
  std::string certificate_chain;  // PEM
  std::string private_key;        // PEM, mode 0600 or stricter
};

}  // namespace netml::net
