#include "tests/net/support/raw_client.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace netml::net {
namespace {

// A test that waits longer hangs; it fails then instead of blocking the run.
void limit_waiting(int socket) {
  const timeval limit{60, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

std::size_t number_at(std::string_view text, int base) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

}  // namespace

std::string RawResponse::field(std::string_view name) const {
  const std::string key = "\r\n" + std::string(name) + ": ";
  const std::size_t begin = head.find(key);
  if (begin == std::string::npos) return {};
  return head.substr(begin + key.size(), head.find("\r\n", begin + 2) - begin - key.size());
}

RawClient::RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  limit_waiting(socket_.get());
}

RawClient::RawClient(const std::string& unix_path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, unix_path.c_str(), sizeof address.sun_path - 1);
  EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  limit_waiting(socket_.get());
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool RawClient::read_more() {
  char piece[16384];
  const ssize_t got = ::recv(socket_.get(), piece, sizeof piece, 0);
  if (got <= 0) return false;
  received_.append(piece, static_cast<std::size_t>(got));
  return true;
}

std::optional<RawResponse> RawClient::receive(bool head_only) {
  while (received_.find("\r\n\r\n") == std::string::npos) {
    if (!read_more()) return std::nullopt;
  }
  RawResponse response;
  response.head = received_.substr(0, received_.find("\r\n\r\n") + 2);
  received_.erase(0, response.head.size() + 2);
  response.status = static_cast<int>(number_at(response.head.substr(9, 3), 10));
  const bool bodiless = head_only || response.status < 200 || response.status == 304;
  if (bodiless) return response;
  if (response.field("Transfer-Encoding") == "chunked") {
    for (;;) {
      while (received_.find("\r\n") == std::string::npos) {
        if (!read_more()) return std::nullopt;
      }
      const std::size_t line = received_.find("\r\n") + 2;
      const std::size_t size = number_at(received_, 16);
      while (received_.size() < line + size + 2) {
        if (!read_more()) return std::nullopt;
      }
      response.body += received_.substr(line, size);
      received_.erase(0, line + size + 2);
      if (size == 0) return response;
    }
  }
  if (response.field("Content-Length").empty()) {
    response.body = receive_rest();
    return response;
  }
  const std::size_t length = number_at(response.field("Content-Length"), 10);
  while (received_.size() < length) {
    if (!read_more()) return std::nullopt;
  }
  response.body = received_.substr(0, length);
  received_.erase(0, length);
  return response;
}

std::optional<std::string> RawClient::receive_until(std::string_view text) {
  std::size_t found = received_.find(text);
  while (found == std::string::npos) {
    const std::size_t looked_at = received_.size() - std::min(received_.size(), text.size());
    if (!read_more()) return std::nullopt;
    found = received_.find(text, looked_at);
  }
  std::string all = received_.substr(0, found + text.size());
  received_.erase(0, all.size());
  return all;
}

std::string RawClient::receive_rest() {
  while (read_more()) {
  }
  return std::exchange(received_, {});
}

bool RawClient::at_end() {
  return received_.empty() && !read_more();
}

void RawClient::stop_sending() {
  ::shutdown(socket_.get(), SHUT_WR);
}

void RawClient::abort() {
  const linger at_once{1, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket_.reset();
}

RawResponse ask_once(std::uint16_t port, std::string_view bytes) {
  RawClient client(port);
  client.send(bytes);
  std::optional<RawResponse> response = client.receive();
  EXPECT_TRUE(response.has_value()) << "no answer";
  return response.value_or(RawResponse{});
}

}  // namespace netml::net
