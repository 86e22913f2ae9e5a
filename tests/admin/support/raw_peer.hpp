// A peer that sends exactly the bytes that it is given, at the speed that it is given.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "engine/base/result.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::admin::testing {

class RawPeer {
 public:
  // One connection, after its request has come.
  class Connection {
   public:
    explicit Connection(int socket) : socket_(socket) {}
    // False when the other side has gone.
    bool send(std::string_view bytes) const {
      while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      }
      return true;
    }
    // That long, or until the other side goes.
    void wait(std::chrono::milliseconds length) const {
      pollfd entry{socket_, POLLRDHUP, 0};
      ::poll(&entry, 1, static_cast<int>(length.count()));
    }

   private:
    int socket_;
  };
  using Script = std::function<void(const Connection&)>;

  RawPeer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const auto generic = reinterpret_cast<sockaddr*>(&address);
    NETML_ASSERT(::bind(listener_.get(), generic, size) == 0);
    NETML_ASSERT(::listen(listener_.get(), 16) == 0);
    NETML_ASSERT(::getsockname(listener_.get(), generic, &size) == 0);
    port = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~RawPeer() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;

  // The script runs on the thread of the peer and may end after the poller has its answer: it owns
  // what it sends.
  void play(Script script) {
    const std::lock_guard lock(mutex_);
    script_ = std::move(script);
  }

  std::uint16_t port = 0;

 private:
  void run() {
    while (true) {
      const net::UniqueFd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!socket) return;
      std::string request;
      char byte = 0;
      while (!request.ends_with("\r\n\r\n") && ::recv(socket.get(), &byte, 1, 0) == 1)
        request += byte;
      const Script script = [this] {
        const std::lock_guard lock(mutex_);
        return script_;
      }();
      if (script) script(Connection(socket.get()));
    }
  }

  net::UniqueFd listener_;
  std::mutex mutex_;
  Script script_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace netml::admin::testing
