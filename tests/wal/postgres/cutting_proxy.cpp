#include "tests/wal/postgres/cutting_proxy.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/result.hpp"

namespace netml::wal::test {

namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

net::UniqueFd new_socket() {
  return net::UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

bool send_all(int socket, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(socket, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

CuttingProxy::CuttingProxy(std::uint16_t server) : server_(server), listener_(new_socket()) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  NETML_ASSERT(::bind(listener_.get(), generic, size) == 0);
  NETML_ASSERT(::listen(listener_.get(), 8) == 0);
  NETML_ASSERT(::getsockname(listener_.get(), generic, &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

CuttingProxy::~CuttingProxy() {
  stop_ = true;
  thread_.join();
}

void CuttingProxy::cut_after(Direction direction, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  armed_ = true;
  direction_ = direction;
  left_ = bytes;
}

// How many of `bytes` still pass is left there.
bool CuttingProxy::is_cut(Direction direction, std::uint64_t& bytes) {
  const std::lock_guard lock(mutex_);
  if (!armed_ || direction != direction_) return false;
  const bool cut = bytes >= left_;
  bytes = std::min(bytes, left_);
  left_ -= bytes;
  armed_ = !cut;
  return cut;
}

void CuttingProxy::run() {
  constexpr int kLookUp = 20;  // milliseconds, for the end
  while (!stop_) {
    std::vector<pollfd> waits{{listener_.get(), POLLIN, 0}};
    for (const Pair& each : pairs_) {
      waits.push_back({each.client.get(), POLLIN, 0});
      waits.push_back({each.server.get(), POLLIN, 0});
    }
    ::poll(waits.data(), waits.size(), kLookUp);
    std::size_t at = 1;
    for (auto pair = pairs_.begin(); pair != pairs_.end(); at += 2) {
      bool goes_on = true;
      if (waits[at].revents != 0) goes_on = pass(*pair, Direction::to_server);
      if (goes_on && waits[at + 1].revents != 0) goes_on = pass(*pair, Direction::to_client);
      pair = goes_on ? std::next(pair) : pairs_.erase(pair);
    }
    if (waits[0].revents != 0) accept();
  }
}

void CuttingProxy::accept() {
  Pair pair{net::UniqueFd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)),
            new_socket()};
  const sockaddr_in address = loopback(server_);
  if (::connect(pair.server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
      0)
    pairs_.push_back(std::move(pair));
}

bool CuttingProxy::pass(const Pair& pair, Direction direction) {
  const bool to_server = direction == Direction::to_server;
  std::array<char, 1 << 16> buffer{};
  const ssize_t got =
      ::recv((to_server ? pair.client : pair.server).get(), buffer.data(), buffer.size(), 0);
  if (got <= 0) return false;
  auto bytes = static_cast<std::uint64_t>(got);
  const bool cut = is_cut(direction, bytes);
  if (!to_server) to_client_ += bytes;
  return send_all((to_server ? pair.server : pair.client).get(), buffer.data(), bytes) && !cut;
}

}  // namespace netml::wal::test
