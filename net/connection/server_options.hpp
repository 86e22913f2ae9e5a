// What a server is given once: limits, threads, whom it believes, its certificate.
#pragma once

#include <string>
#include <vector>

#include "net/http/address.hpp"
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
  // Not held to the limit of connections per address; trusted proxies never are.
  std::vector<IpNetwork> address_limit_exempt = loopback_networks();
};

struct TlsFiles {
  std::string certificate_chain;  // PEM
  std::string private_key;        // PEM, mode 0600 or stricter
};

}  // namespace netml::net
