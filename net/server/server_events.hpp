// What happened in a server, for logs and metrics.
//
// Owner: whoever wires the server; it outlives it.
// Threads: called on worker and I/O threads, several at once; must not block.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace netml::net {

struct AccessRecord {
  std::string_view request_id;
  std::string_view client_address;
  std::string_view client;  // Response::client
  std::string_view method;  // as sent, at most 16 bytes
  std::string_view path;    // as sent when it could not be parsed; never the query
  int status = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;
  std::chrono::nanoseconds duration{0};
  std::string_view limit;  // that a refusal names (engine/base/wording.hpp); mostly none
};

enum class ServerEvent : std::uint8_t {
  connection_refused,  // over a limit; detail: which
  connection_timed_out,
  tls_handshake_failed,
  control_peer_refused,  // a stranger on the control socket
  handler_failed,        // an exception escaped; detail: its text
  body_source_failed,    // an answer was cut short; detail: the error
  accept_failed,         // out of descriptors and the like; detail: errno text
  io_thread_failed,      // an exception reached an I/O thread (X1)
};

// What is empty is not known, or there is none.
struct EventRecord {
  ServerEvent what;
  std::string_view client_address = {};
  std::string_view detail = {};
  std::string_view request_id = {};  // of the request under way, once its head is there
  std::string_view client = {};      // Response::client, once there is an answer
  // Since the head of that request began; where there is none, of a time-out: of the wait.
  std::optional<std::chrono::nanoseconds> duration = {};
};

class ServerEvents {
 public:
  virtual ~ServerEvents() = default;
  virtual void answered(const AccessRecord& record) = 0;
  virtual void event(const EventRecord& record) = 0;
};

}  // namespace netml::net
