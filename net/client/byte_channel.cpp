// Blocking connections for the client.
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "net/client/http_client.hpp"
#include "net/http/unix_address.hpp"

namespace netml::net {
namespace {

tl::unexpected<Error> failed(Errc code, const std::string& what) {
  return fail(code, fmt::format("{}: {}", what, error_text(errno)));
}

// Retries after signals; the time-out then starts again, which bounds nothing less than a storm
// of signals would.
int poll_one(int fd, short events, std::chrono::milliseconds at_most, short& seen) {
  pollfd entry{fd, events, 0};
  int ready = -1;
  do {
    ready = ::poll(&entry, 1, static_cast<int>(at_most.count()));
  } while (ready < 0 && errno == EINTR);
  seen = entry.revents;
  return ready;
}

class SocketChannel : public ByteChannel {
 public:
  explicit SocketChannel(UniqueFd socket, std::stop_token stop = {})
      : socket_(std::move(socket)), ends_(std::move(stop), ShutDown{socket_.get()}) {}

  int socket() const { return socket_.get(); }
  Result<Ready> wait(bool to_write, std::chrono::milliseconds at_most) override {
    short seen = 0;
    const short wanted = to_write ? POLLIN | POLLOUT : POLLIN;
    const int ready = poll_one(socket_.get(), wanted, at_most, seen);
    if (ready < 0) return failed(Errc::io_error, "poll");
    if (ready == 0) return Ready::timed_out;
    // Errors and hang-ups are found by reading, after what still may be read.
    return (seen & ~POLLOUT) != 0 ? Ready::to_read : Ready::to_write;
  }
  Result<std::size_t> read_some(std::span<char> into) override {
    const ssize_t got = ::recv(socket_.get(), into.data(), into.size(), 0);
    if (got < 0) return failed(Errc::io_error, "receive");
    return static_cast<std::size_t>(got);
  }
  Result<std::size_t> write_some(std::string_view from) override {
    const ssize_t put = ::send(socket_.get(), from.data(), from.size(), MSG_NOSIGNAL);
    if (put < 0 && errno == EAGAIN) return std::size_t{0};
    if (put < 0) return failed(Errc::io_error, "send");
    return static_cast<std::size_t>(put);
  }

 private:
  // Wakes whoever waits for the socket, on any thread.
  struct ShutDown {
    int socket;
    void operator()() const { ::shutdown(socket, SHUT_RDWR); }
  };

  UniqueFd socket_;
  std::stop_callback<ShutDown> ends_;  // gone before the socket is closed
};

Status finish_connecting(int socket, const std::string& name, std::chrono::milliseconds at_most) {
  short seen = 0;
  if (poll_one(socket, POLLOUT, at_most, seen) <= 0)
    return fail(Errc::unavailable, fmt::format("{}: no connection in time", name));
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return fail(Errc::unavailable, fmt::format("{}: {}", name, error_text(error)));
  return {};
}

Result<std::unique_ptr<ByteChannel>> connect_one(const addrinfo& candidate, const std::string& name,
                                                 std::chrono::milliseconds at_most,
                                                 std::stop_token stop) {
  UniqueFd socket(::socket(candidate.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return failed(Errc::io_error, name);
  const bool connected = ::connect(socket.get(), candidate.ai_addr, candidate.ai_addrlen) == 0;
  if (!connected && errno != EINPROGRESS) return failed(Errc::unavailable, name);
  // Not before: a socket that was shut down too early would connect all the same.
  auto channel = std::make_unique<SocketChannel>(std::move(socket), std::move(stop));
  if (!connected) NETML_TRY_VOID(finish_connecting(channel->socket(), name, at_most));
  return channel;
}

}  // namespace

Result<std::unique_ptr<ByteChannel>> connect_tcp(const TcpAddress& address,
                                                 std::chrono::milliseconds at_most,
                                                 const std::stop_token& stop) {
  const std::string name = fmt::format("{}:{}", address.host, address.port);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0)
    return fail(Errc::unavailable, fmt::format("{}: {}", name, ::gai_strerror(error)));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  Error last;
  for (const addrinfo* candidate = found; candidate != nullptr; candidate = candidate->ai_next) {
    auto channel = connect_one(*candidate, name, at_most, stop);
    if (channel) return channel;
    last = channel.error();
  }
  return tl::make_unexpected(last);
}

Result<std::unique_ptr<ByteChannel>> connect_unix(const std::string& path) {
  NETML_TRY(const UnixAddress address, unix_address(path));
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return failed(Errc::io_error, path);
  // Local connections are made or refused at once.
  if (::connect(socket.get(), address.get(), address.size()) != 0)
    return failed(Errc::unavailable, path);
  if (::fcntl(socket.get(), F_SETFL, O_NONBLOCK) != 0) return failed(Errc::io_error, path);
  return std::make_unique<SocketChannel>(std::move(socket));
}

}  // namespace netml::net
