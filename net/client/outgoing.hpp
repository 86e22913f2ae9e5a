// Connections to other nodes, whose names somebody typed in (rules N2, N4 and N5).
//
// A name is resolved once, every address that it has is judged, and the connection goes to one
// that was judged: there is no second look-up that could answer differently. Over TLS the peer's
// certificate must lead to a trusted one and be for the host that was named.
//
// Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "net/client/http_client.hpp"
#include "net/http/address.hpp"

namespace netml::net {

enum class AddressKind : std::uint8_t {
  everybodys,  // on the Internet
  internal,    // loopback and private networks
  forbidden,   // link-local, where clouds keep their secrets; multicast; no address of a host
};
// Of an IPv4 address inside an IPv6 one (mapped, NAT64, 6to4) what holds for itself.
AddressKind kind_of(const IpAddress& address);

// All addresses of a host; an address has itself.
using Resolver = std::function<Result<std::vector<IpAddress>>(const std::string& host)>;
Result<std::vector<IpAddress>> resolve_by_system(const std::string& host);

struct OutgoingRules {
  std::vector<IpNetwork> allowed;  // internal networks that may be reached
  bool internal_allowed = false;   // all of them
  Resolver resolve = resolve_by_system;
  std::chrono::milliseconds connect_max = std::chrono::seconds(10);  // with the look-up
  std::chrono::milliseconds tls_max = std::chrono::seconds(10);
};

struct Peer {
  std::string host;  // a name, or an address without brackets
  std::uint16_t port = 0;
  bool tls = true;
  bool verified = true;              // false: whatever certificate it shows
  std::string ca_certificates = {};  // PEM; empty = those of the system
};

// problem_name() has their names in this order.
enum class OutgoingProblem : std::uint8_t {
  name,         // the host is not known
  address,      // it may not be reached from here
  connection,   // nobody listens there, or no way leads there
  time_out,     // no answer in time
  certificate,  // not trusted, out of date, or of another host
  tls,          // no agreement on an encrypted connection
};
// "name" and its kin.
const char* problem_name(OutgoingProblem problem);

struct OutgoingError {
  OutgoingProblem problem = OutgoingProblem::connection;
  std::string message;
};

// `clock` must outlive the channel. A stop that is requested ends all waiting at once, here and in
// the channel: an error of any kind. A look-up cannot be ended; it goes on by itself, on a thread
// that keeps nothing but a copy of `rules.resolve`.
tl::expected<std::unique_ptr<ByteChannel>, OutgoingError> connect_to_peer(
    const Peer& peer, const OutgoingRules& rules, const Clock& clock,
    const std::stop_token& stop = {});

}  // namespace netml::net
