// The service manager that started this process, as systemd's protocols have it: what it hands over
// (sd_listen_fds(3)) and what it wants to hear (sd_notify(3), sd_watchdog_enabled(3)). They are a
// few datagrams and variables, so no library is linked for them.
//
// Failure: a notice that cannot be sent is an error for the log; the server goes on.
// Thread: one at a time, except notices, which any may send.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::admin {

// A socket that the service manager holds, too: connections wait there while no server runs.
struct HeldSocket {
  net::UniqueFd socket;
  std::string name;  // FileDescriptorName= of the socket unit
};

class ServiceManager {
 public:
  // The value of an environment variable.
  using Variables = std::function<std::optional<std::string>(const std::string& name)>;

  // Nobody: there is nothing to take, and notices go nowhere.
  ServiceManager() = default;
  // What is meant for another process (LISTEN_PID, WATCHDOG_PID) is passed over. The first of the
  // held descriptors is `first_descriptor`, other than in tests 3.
  static Result<ServiceManager> from(const Variables& variables, int first_descriptor = 3);

  // Those that were handed over, once.
  std::vector<HeldSocket> take_sockets() { return std::move(sockets_); }

  // ---- notices ----
  // Requests are answered as by an open node; `status` is a line for people.
  Status ready(std::string_view status) const;
  Status reloading(std::chrono::nanoseconds monotonic) const;
  Status stopping() const;
  Status alive() const;
  // How often it wants to hear alive(); none: it does not ask. Twice as often is right.
  std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

 private:
  Status tell(std::string_view notice) const;

  std::string address_;  // a path, or "@name"
  std::optional<std::chrono::microseconds> watchdog_;
  std::vector<HeldSocket> sockets_;
};

}  // namespace netml::admin
