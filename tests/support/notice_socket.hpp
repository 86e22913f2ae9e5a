// Takes the notices that a service manager is sent, as systemd does: a datagram socket at a path.
// Thread: one.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.hpp"
#include "net/http/unique_fd.hpp"
#include "net/http/unix_address.hpp"

namespace netml::test {

class NoticeSocket {
 public:
  explicit NoticeSocket(std::string path)
      : path_(std::move(path)), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const auto address = net::unix_address(path_);
    NETML_ASSERT(address && ::bind(socket_.get(), address->get(), address->size()) == 0);
  }

  const std::string& path() const { return path_; }
  // The next one, whole; nothing when none came in time.
  std::optional<std::string> next() const {
    constexpr std::chrono::milliseconds kPatience{120'000};  // only bounds a failure
    pollfd wanted{socket_.get(), POLLIN, 0};
    if (::poll(&wanted, 1, static_cast<int>(kPatience.count())) != 1) return std::nullopt;
    std::array<char, 4096> notice;
    const ssize_t got = ::recv(socket_.get(), notice.data(), notice.size(), 0);
    if (got < 0) return std::nullopt;
    return std::string(notice.data(), static_cast<std::size_t>(got));
  }
  // Passes over others until one begins so.
  std::optional<std::string> wait_for(std::string_view begin) const {
    while (auto notice = next())
      if (notice->starts_with(begin)) return notice;
    return std::nullopt;
  }

 private:
  const std::string path_;
  net::UniqueFd socket_;
};

}  // namespace netml::test
