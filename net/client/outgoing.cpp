#include "net/client/outgoing.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/base/guarded.hpp"
#include "net/client/detail/socket.hpp"

namespace netml::net {

namespace {

constexpr const char* kForbidden[] = {
    "0.0.0.0/8",       // this host
    "169.254.0.0/16",  // link-local, with 169.254.169.254
    "192.0.0.0/24",    // protocol assignments, with a second address of clouds' secrets
    "224.0.0.0/3",     // multicast, reserved, broadcast
    "::",              // unspecified
    "fe80::/10",       // link-local
    "fd00:ec2::254",   // metadata of a cloud
    "ff00::/8",        // multicast
};
constexpr const char* kInternal[] = {
    "127.0.0.0/8",   "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10",
    "198.18.0.0/15", "::1",        "fc00::/7",      "fec0::/10",
};
// An IPv4 address stands in them, from that byte on.
struct Embedding {
  const char* network;
  std::size_t offset;
};
constexpr Embedding kEmbeddings[] = {
    {"64:ff9b::/96", 12}, {"64:ff9b:1::/48", 12}, {"2002::/16", 2}, {"::/96", 12}};

bool is_in(std::span<const char* const> networks, const IpAddress& address) {
  return std::ranges::any_of(
      networks, [&](const char* text) { return IpNetwork::parse(text).value().contains(address); });
}

// Whatever address may stand in it.
AddressKind kind_of_itself(const IpAddress& address) {
  if (is_in(kForbidden, address)) return AddressKind::forbidden;
  return is_in(kInternal, address) ? AddressKind::internal : AddressKind::everybodys;
}

std::string text_of_v4(const IpAddress& address, std::size_t offset) {
  const std::uint8_t* bytes = address.bytes().data() + offset;
  return fmt::format("{}.{}.{}.{}", bytes[0], bytes[1], bytes[2], bytes[3]);
}

// Nothing when it may be reached.
std::optional<OutgoingError> objection(const IpAddress& address, const OutgoingRules& rules) {
  const AddressKind kind = kind_of(address);
  if (kind == AddressKind::everybodys) return std::nullopt;
  if (kind == AddressKind::forbidden)
    return OutgoingError{OutgoingProblem::address,
                         fmt::format("the address {} is never polled", address.text())};
  const auto allows = [&](const IpNetwork& network) { return network.contains(address); };
  if (rules.internal_allowed || std::ranges::any_of(rules.allowed, allows)) return std::nullopt;
  return OutgoingError{
      OutgoingProblem::address,
      fmt::format("the address {0} is of an internal network, which is polled only when allowed: "
                  "--poll-allow {0}",
                  address.text())};
}

// Shared by who waits for the answer of a look-up and the thread that gets it, since either may end
// first.
struct LookUp {
  std::mutex mutex;
  std::condition_variable_any answered;
  std::optional<Result<std::vector<IpAddress>>> answer;  // guarded by mutex
};

tl::expected<std::vector<IpAddress>, OutgoingError> look_up(const std::string& host,
                                                            const OutgoingRules& rules,
                                                            const std::stop_token& stop) {
  const auto shared = std::make_shared<LookUp>();
  const Status begun = guarded([&]() -> Status {
    std::thread([shared, host, resolve = rules.resolve] {
      auto answer = guarded([&] { return resolve(host); });
      const std::lock_guard lock(shared->mutex);
      shared->answer = std::move(answer);
      shared->answered.notify_all();
    }).detach();
    return {};
  });
  if (!begun) return problem(OutgoingProblem::name, begun.error().message);
  std::unique_lock lock(shared->mutex);
  shared->answered.wait_for(lock, stop, rules.connect_max,
                            [&] { return shared->answer.has_value(); });
  if (!shared->answer)
    return problem(OutgoingProblem::time_out, fmt::format("{}: not found in time", host));
  if (!*shared->answer) return problem(OutgoingProblem::name, shared->answer->error().message);
  return **std::move(shared->answer);
}

tl::expected<std::unique_ptr<Socket>, OutgoingError> connect_to_any(
    const std::vector<IpAddress>& addresses, const Peer& peer, const Clock& clock,
    std::chrono::nanoseconds end, const std::stop_token& stop) {
  OutgoingError last{OutgoingProblem::time_out, "no connection in time"};
  for (const IpAddress& address : addresses) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - clock.steady());
    if (left.count() <= 0) break;
    auto socket = connected({address.text(), peer.port}, left, stop);
    if (socket) return std::move(*socket);
    const bool late = clock.steady() >= end;
    last = {late ? OutgoingProblem::time_out : OutgoingProblem::connection, socket.error().message};
  }
  return tl::unexpected(std::move(last));
}

}  // namespace

AddressKind kind_of(const IpAddress& address) {
  const AddressKind kind = kind_of_itself(address);
  if (kind != AddressKind::everybodys) return kind;
  for (const Embedding& embedding : kEmbeddings)
    if (IpNetwork::parse(embedding.network).value().contains(address))
      return kind_of_itself(IpAddress::parse(text_of_v4(address, embedding.offset)).value());
  return kind;
}

Result<std::vector<IpAddress>> resolve_by_system(const std::string& host) {
  if (const auto address = IpAddress::parse(host)) return std::vector{*address};
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (error != 0) return fail(Errc::not_found, fmt::format("{}: {}", host, ::gai_strerror(error)));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  std::vector<IpAddress> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next)
    if (const auto address = IpAddress::of(*each->ai_addr)) addresses.push_back(*address);
  return addresses;
}

const char* problem_name(OutgoingProblem problem) {
  constexpr const char* kNames[] = {"name",     "address",     "connection",
                                    "time_out", "certificate", "tls"};
  return kNames[static_cast<std::size_t>(problem)];
}

tl::expected<std::unique_ptr<ByteChannel>, OutgoingError> connect_to_peer(
    const Peer& peer, const OutgoingRules& rules, const Clock& clock, const std::stop_token& stop) {
  const auto end = clock.steady() + rules.connect_max;
  const auto addresses = look_up(peer.host, rules, stop);
  if (!addresses) return tl::unexpected(addresses.error());
  if (addresses->empty())
    return problem(OutgoingProblem::name, fmt::format("{}: it has no address", peer.host));
  for (const IpAddress& address : *addresses)
    if (auto refused = objection(address, rules)) return tl::unexpected(std::move(*refused));
  auto socket = connect_to_any(*addresses, peer, clock, end, stop);
  if (!socket) return tl::unexpected(std::move(socket.error()));
  return peer.tls ? encrypted(*std::move(socket), peer, rules.tls_max) : plain(*std::move(socket));
}

}  // namespace netml::net
