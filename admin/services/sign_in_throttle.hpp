// Slows down who guesses passwords (durability-and-security.md, A8): after five failures of one
// account each further try waits twice as long as the one before, up to 15 minutes; an address has
// 20 failures a minute and all together have 100. Nobody is locked out for good.
//
// What concerns accounts is kept in a file of the data directory, so a restart forgets nothing of
// it; names are kept as their HMAC. The file is no part of the data: without it counting begins
// anew.
//
// Thread: any.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "admin/services/node.hpp"

namespace netml::admin {

class SignInThrottle {
 public:
  static constexpr std::string_view kFile = "sign-in-throttle";

  explicit SignInThrottle(Node& node);

  // How long the next try must wait; zero = it may be made now.
  std::chrono::seconds wait(const std::string& name, const std::string& address);
  void failed(const std::string& name, const std::string& address);
  void succeeded(const std::string& name);

 private:
  struct Failures {
    std::uint64_t count = 0;
    std::int64_t last = 0;  // seconds since 1970
  };
  using Window = std::deque<std::int64_t>;  // when failures were, in the last minute

  std::string key(const std::string& name) const;
  void load();
  void store();
  void forget_old(std::int64_t now);
  static std::chrono::seconds wait_of(Window& window, std::size_t max, std::int64_t now);

  Node& node_;
  std::mutex mutex_;
  // All below guarded by mutex_.
  std::map<std::string, Failures> accounts_;  // by HMAC of the name
  std::map<std::string, Window> addresses_;
  Window all_;
};

}  // namespace netml::admin
