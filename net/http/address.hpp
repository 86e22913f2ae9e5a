// IP addresses and networks (CIDR), for listeners, limits by address and trusted proxies.
// Thread: any (immutable).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

struct sockaddr;

namespace netml::net {

// Where to listen, or to connect to.
struct TcpAddress {
  std::string host;        // an IP literal, or a name that resolves to one
  std::uint16_t port = 0;  // 0 = any free port

  // "HOST:PORT", an IPv6 host in brackets. Errc::invalid_input.
  static Result<TcpAddress> parse(std::string_view text);
};

// An IPv4 address is kept in its v4-mapped form, so that both notations compare equal.
class IpAddress {
 public:
  static std::optional<IpAddress> parse(std::string_view text);
  // Nothing of another family.
  static std::optional<IpAddress> of(const sockaddr& address);
  auto operator<=>(const IpAddress&) const = default;
  const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }
  bool is_v4() const;
  // "192.0.2.1" also of the mapped form, "2001:db8::1".
  std::string text() const;

 private:
  std::array<std::uint8_t, 16> bytes_{};
};

// "10.0.0.0/8", "fd00::/8", or a single address.
class IpNetwork {
 public:
  static Result<IpNetwork> parse(std::string_view text);
  bool contains(const IpAddress& address) const;

 private:
  IpAddress address_;
  unsigned prefix_bits_ = 128;
};

bool contains(const std::vector<IpNetwork>& networks, std::string_view address);

// What an address is counted as where clients are held to a number each. Who has one IPv6 address
// mostly has all of its /64 to choose from, so such a network counts as one client; an IPv4 address
// counts alone, in whichever notation. What is no address counts as itself.
std::string client_group(std::string_view address);
std::vector<IpNetwork> loopback_networks();

}  // namespace netml::net
