// The HTTP/1.1 server: listeners on TCP (plain or TLS) and UNIX-domain sockets, each with a route
// table of its own; limits and time-outs of Limits; handlers on a bounded pool of workers.
//
// Rules it keeps: rules X1 to X6, and the rows of the hostile-input table that concern HTTP. Every
// answer carries the security headers and X-Request-Id.
//
// Life: construct, listen_*(), start(), stop(); more listeners may be added after the start. stop()
// ends accepting, lets requests in flight finish within the given time, then cuts the connections;
// it returns when no handler runs any more and is implied by destruction. Routers and ports must
// outlive the server.
//
// Threads: all public functions from one thread; the last three from any.
// Failure: listen_*() and reload_tls() return errors; what happens later is reported to
// ServerEvents.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/random.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "net/connection/server_options.hpp"
#include "net/http/address.hpp"
#include "net/http/unique_fd.hpp"
#include "net/server/router.hpp"
#include "net/server/server_events.hpp"

namespace netml::net {

class HttpServer {
 public:
  // `clock`, `random` and `events` must outlive the server.
  HttpServer(ServerOptions options, const Clock& clock, Random& random, ServerEvents& events);
  ~HttpServer();

  // Whether a listener could use them; the message names the file.
  static Status check(const TlsFiles& tls);
  // Returns the address with the port that was bound. Before start() connections wait.
  Result<TcpAddress> listen_tcp(const TcpAddress& address, const Router& routes,
                                const std::optional<TlsFiles>& tls = std::nullopt);
  // The same on a socket that somebody else has bound and keeps, so that connections wait there
  // while no server runs. It need not be closed anywhere else.
  Result<TcpAddress> listen_on(UniqueFd socket, const Router& routes,
                               const std::optional<TlsFiles>& tls = std::nullopt);
  // The socket file gets mode 0600; only processes of `peer_uid` (default: this process's own
  // effective user) and root are served. A socket file left behind is replaced, so the caller must
  // hold the lock of the directory.
  Status listen_unix(const std::string& path, const Router& routes,
                     std::optional<std::uint32_t> peer_uid = std::nullopt);

  // From the next request on, also on connections that are open, listeners that serve `routes`
  // serve `next`.
  void replace(const Router& routes, const Router& next);

  void start();
  // Reads all certificate files again, or others instead of them. New connections use what was
  // read; if any file is not usable all keep what they had.
  Status reload_tls(const std::optional<TlsFiles>& others = std::nullopt);
  // For connections from now on; of those that are open only how many there may be changes.
  void change(const Limits& limits, const std::vector<IpNetwork>& trusted_proxies);
  void stop(std::chrono::milliseconds drain_max);

  std::size_t open_connections() const;
  std::size_t waiting_requests() const;  // for a worker
  // The first moment at which a certificate in use expires, in seconds since 1970; none without
  // TLS. Once all listeners are there.
  std::optional<std::int64_t> certificates_expire() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace netml::net
