// Slows down who guesses passwords (rule A8): after five failures of one account each further try
// waits twice as long as the one before, up to 15 minutes; an address has 20 failures a minute and
// all together have 100. Nobody is locked out for good: addresses that somebody has signed in from
// are not held to what all together have, so strangers cannot use that up for them. IPv6 clients
// are counted by network (net::client_group).
//
// All waiting is measured on the steady clock (O9). What concerns accounts is kept in a file of the
// data directory (admin/access/throttle_file.hpp), so a restart forgets nothing of it; time that
// passed meanwhile counts as measured by the wall clock, and a wrong one makes nobody wait longer
// than the longest delay. A file that cannot be believed is reported, and counting begins anew.
//
// Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "admin/node/node.hpp"

namespace netml::admin {

class SignInThrottle {
 public:
  explicit SignInThrottle(Node& node);

  // How long the next try must wait; zero = it may be made now.
  std::chrono::seconds wait(const std::string& name, const std::string& address);
  void failed(const std::string& name, const std::string& address);
  void succeeded(const std::string& name, const std::string& address);

 private:
  using Moment = std::chrono::nanoseconds;  // on the steady clock
  struct Failures {
    std::uint64_t count = 0;
    Moment last{};
  };
  using Window = std::deque<Moment>;  // when failures were; never empty in addresses_

  std::string key(const std::string& name) const;
  void load();
  void store(Moment now);
  void forget_old(Moment now);
  void remember(const std::string& group, Moment now);
  static std::chrono::nanoseconds wait_of(const Window& window, std::size_t max, Moment now);
  static void add_to(Window& window, Moment now);

  Node& node_;
  std::mutex mutex_;
  // All below guarded by mutex_.
  std::map<std::string, Failures> accounts_;  // by key()
  std::map<std::string, Window> addresses_;   // by net::client_group
  std::map<std::string, Moment> known_;       // the same: when somebody signed in from there
  Window all_;
};

}  // namespace netml::admin
