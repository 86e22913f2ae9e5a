// A blocking socket that sends exactly the bytes that it is given, for requests no client would
// make.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "net/http/unique_fd.hpp"

namespace netml::net {

struct RawResponse {
  int status = 0;
  std::string head;
  std::string body;
  // Of the first field of that name (case as sent by the server).
  std::string field(std::string_view name) const;
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t port);  // 127.0.0.1
  explicit RawClient(const std::string& unix_path);

  // False: the other side does not take any more.
  bool send(std::string_view bytes);
  // Reads one answer; `head_only` for answers to HEAD. Nothing when the connection ended first.
  std::optional<RawResponse> receive(bool head_only = false);
  // Everything up to and with that text. Nothing when the connection ended first.
  std::optional<std::string> receive_until(std::string_view text);
  // Everything up to the end of the connection, beyond what was received before.
  std::string receive_rest();
  // Whether the other side has ended the connection; waits for the next byte.
  bool at_end();
  void stop_sending();
  // Ends with a reset instead of an orderly end.
  void abort();

 private:
  bool read_more();

  UniqueFd socket_;
  std::string received_;
};

// One request on a connection of its own; the answer must come.
RawResponse ask_once(std::uint16_t port, std::string_view bytes);

}  // namespace netml::net
