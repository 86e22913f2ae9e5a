#include "net/server/detail/listener.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "net/http/unix_address.hpp"

namespace netml::net {
namespace {

constexpr int kBacklog = 1024;
constexpr int kSocketFlags = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

tl::unexpected<Error> failed(const std::string& what) {
  return fail(Errc::io_error, fmt::format("{}: {}", what, error_text(errno)));
}

// An IPv4 client of a listener for both is named by its IPv4 address, as everybody expects.
TcpAddress end_of(int socket, int (*which)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage storage{};
  auto& address = reinterpret_cast<sockaddr&>(storage);
  socklen_t size = sizeof storage;
  if (which(socket, &address, &size) != 0) return {};
  const std::optional<IpAddress> ip = IpAddress::of(address);
  if (!ip) return {};
  const bool v6 = storage.ss_family == AF_INET6;
  return {ip->text(), ntohs(v6 ? reinterpret_cast<const sockaddr_in6&>(storage).sin6_port
                               : reinterpret_cast<const sockaddr_in&>(storage).sin_port)};
}

Result<BoundTcp> bind_one(const addrinfo& candidate, const std::string& name) {
  BoundTcp bound;
  bound.family = candidate.ai_family;
  bound.socket = UniqueFd(::socket(candidate.ai_family, kSocketFlags, 0));
  if (!bound.socket) return failed(name);
  const int on = 1;
  ::setsockopt(bound.socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(bound.socket.get(), candidate.ai_addr, candidate.ai_addrlen) != 0 ||
      ::listen(bound.socket.get(), kBacklog) != 0)
    return failed(name);
  bound.address = end_of(bound.socket.get(), ::getsockname);
  return bound;
}

}  // namespace

Result<BoundTcp> bind_tcp(const TcpAddress& address) {
  const std::string name = fmt::format("{}:{}", address.host, address.port);
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0)
    return fail(Errc::invalid_input, fmt::format("{}: {}", name, ::gai_strerror(error)));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  return bind_one(*found, name);
}

Result<BoundTcp> adopt_tcp(UniqueFd socket) {
  const auto option = [&](int name) {
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(socket.get(), SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
  };
  BoundTcp bound;
  bound.family = option(SO_DOMAIN);
  if ((bound.family != AF_INET && bound.family != AF_INET6) || option(SO_TYPE) != SOCK_STREAM ||
      option(SO_ACCEPTCONN) != 1)
    return fail(Errc::invalid_input,
                fmt::format("descriptor {} is no TCP socket that listens", socket.get()));
  // Others that have the socket may take the connection first: nobody may wait in accept().
  const int flags = ::fcntl(socket.get(), F_GETFL);
  if (flags < 0 || ::fcntl(socket.get(), F_SETFL, flags | O_NONBLOCK) != 0 ||
      ::fcntl(socket.get(), F_SETFD, FD_CLOEXEC) != 0)
    return failed(fmt::format("descriptor {}", socket.get()));
  bound.address = end_of(socket.get(), ::getsockname);
  bound.socket = std::move(socket);
  return bound;
}

Result<UniqueFd> bind_unix(const std::string& path) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) == 0) {
    if (!S_ISSOCK(info.st_mode))
      return fail(Errc::conflict, fmt::format("{}: exists and is no socket", path));
    if (::unlink(path.c_str()) != 0) return failed(path);
  }
  NETML_TRY(const UnixAddress address, unix_address(path));
  UniqueFd socket(::socket(AF_UNIX, kSocketFlags, 0));
  if (!socket) return failed(path);
  // On Linux the file takes the mode of the unbound socket: no moment at which others could enter.
  if (::fchmod(socket.get(), S_IRUSR | S_IWUSR) != 0) return failed(path);
  if (::bind(socket.get(), address.get(), address.size()) != 0) return failed(path);
  if (::listen(socket.get(), kBacklog) != 0) return failed(path);
  return socket;
}

Accepted accept_one(int listener) {
  Accepted accepted;
  accepted.socket = UniqueFd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!accepted.socket) accepted.error = errno;
  return accepted;
}

RemoteEnd tcp_peer(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  RemoteEnd peer;
  peer.address = end_of(socket, ::getpeername).host;
  peer.local_address = end_of(socket, ::getsockname).host;
  return peer;
}

std::optional<std::uint32_t> peer_user(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
  return credentials.uid;
}

}  // namespace netml::net
