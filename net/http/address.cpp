#include "net/http/address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "engine/base/texts.hpp"

namespace netml::net {
namespace {
constexpr std::array<std::uint8_t, 12> kV4MappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr unsigned kV4PrefixBits = 96;
constexpr std::size_t kGroupBytes = 8;  // of an IPv6 address: a /64
}  // namespace

Result<TcpAddress> TcpAddress::parse(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon != text.npos) {
    std::string_view host = text.substr(0, colon);
    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    if (bracketed) host = host.substr(1, host.size() - 2);
    const auto port = parse_integer<std::uint16_t>(text.substr(colon + 1));
    const bool one_colon = bracketed || host.find(':') == host.npos;
    if (port && !host.empty() && one_colon) return TcpAddress{std::string(host), *port};
  }
  return fail(Errc::invalid_input,
              fmt::format("{} is not an address to listen on; write HOST:PORT, with a port of 0 "
                          "to 65535",
                          text));
}

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  const std::string terminated(text);
  IpAddress address;
  if (::inet_pton(AF_INET6, terminated.c_str(), address.bytes_.data()) == 1) return address;
  std::copy(kV4MappedPrefix.begin(), kV4MappedPrefix.end(), address.bytes_.begin());
  if (::inet_pton(AF_INET, terminated.c_str(), address.bytes_.data() + 12) == 1) return address;
  return std::nullopt;
}

std::optional<IpAddress> IpAddress::of(const sockaddr& address) {
  IpAddress result;
  if (address.sa_family == AF_INET6) {
    std::memcpy(result.bytes_.data(), &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr,
                result.bytes_.size());
    return result;
  }
  if (address.sa_family != AF_INET) return std::nullopt;
  std::ranges::copy(kV4MappedPrefix, result.bytes_.begin());
  std::memcpy(result.bytes_.data() + kV4MappedPrefix.size(),
              &reinterpret_cast<const sockaddr_in&>(address).sin_addr, sizeof(in_addr));
  return result;
}

std::string IpAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (is_v4())
    ::inet_ntop(AF_INET, bytes_.data() + kV4MappedPrefix.size(), text.data(), text.size());
  else
    ::inet_ntop(AF_INET6, bytes_.data(), text.data(), text.size());
  return text.data();
}

bool IpAddress::is_v4() const {
  return std::equal(kV4MappedPrefix.begin(), kV4MappedPrefix.end(), bytes_.begin());
}

Result<IpNetwork> IpNetwork::parse(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::optional<IpAddress> address = IpAddress::parse(text.substr(0, slash));
  if (!address) return fail(Errc::invalid_input, fmt::format("not a network: {}", text));
  IpNetwork network;
  network.address_ = *address;
  if (slash == text.size()) return network;

  const bool v4 = text.substr(0, slash).find(':') == text.npos;
  const auto bits = parse_integer<unsigned>(text.substr(slash + 1));
  if (!bits || *bits > (v4 ? 32u : 128u))
    return fail(Errc::invalid_input, fmt::format("not a network: {}", text));
  network.prefix_bits_ = *bits + (v4 ? kV4PrefixBits : 0);
  return network;
}

bool IpNetwork::contains(const IpAddress& address) const {
  const std::size_t whole = prefix_bits_ / 8;
  if (std::memcmp(address.bytes().data(), address_.bytes().data(), whole) != 0) return false;
  const unsigned rest = prefix_bits_ % 8;
  if (rest == 0) return true;
  const int difference = address.bytes()[whole] ^ address_.bytes()[whole];
  return (difference >> (8 - rest)) == 0;
}

bool contains(const std::vector<IpNetwork>& networks, std::string_view address) {
  const std::optional<IpAddress> parsed = IpAddress::parse(address);
  return parsed && std::any_of(networks.begin(), networks.end(),
                               [&](const IpNetwork& n) { return n.contains(*parsed); });
}

std::string client_group(std::string_view address) {
  // The zone names an interface of this machine, not a client.
  const std::optional<IpAddress> parsed = IpAddress::parse(address.substr(0, address.find('%')));
  if (!parsed) return std::string(address);
  if (parsed->is_v4()) return parsed->text();
  auto bytes = parsed->bytes();
  std::array<char, INET6_ADDRSTRLEN> text{};
  std::fill(bytes.begin() + kGroupBytes, bytes.end(), std::uint8_t{0});
  ::inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  return fmt::format("{}/64", text.data());
}

std::vector<IpNetwork> loopback_networks() {
  return {IpNetwork::parse("127.0.0.0/8").value(), IpNetwork::parse("::1").value()};
}

}  // namespace netml::net
