// Passwords: what is accepted, and Argon2id over it (rule A6).
//
// Thread: any. Hashing blocks while two others are at it: each takes 64 MiB for a while, and
// nobody who guesses passwords shall take the machine's memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <semaphore>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::admin {

enum class PasswordRule : std::uint8_t {
  production,  // 12 characters, none of the common ones
  test_mode,   // 8 characters, any: functional tests bring their own
};

// Errc::invalid_input says what is wanted; never holds the password.
Status check_password(std::string_view password, std::string_view account_name, PasswordRule rule);

struct PasswordCost {
  unsigned long long passes = 3;
  std::size_t memory_bytes = 64 << 20;
};

class PasswordHasher {
 public:
  explicit PasswordHasher(PasswordCost cost = {}) : cost_(cost) {}

  // A PHC string with its salt and cost. Errc::unavailable when there is no memory for it.
  Result<std::string> hash(const std::string& password);
  // `hash` is what hash() gave. Costs what it says, whether or not the password is right.
  bool matches(const std::string& hash, const std::string& password);
  // Whether it was made at another cost than the one in force.
  bool outdated(const std::string& hash) const;
  // A hash that no password has, at the cost in force: comparing with it takes as long.
  std::string decoy() const;
  // How often a password was hashed or compared so far.
  std::uint64_t runs() const { return runs_; }

 private:
  static constexpr int kAtOnceMax = 2;

  const PasswordCost cost_;
  std::atomic<std::uint64_t> runs_{0};
  std::counting_semaphore<kAtOnceMax> free_{kAtOnceMax};
};

}  // namespace netml::admin
