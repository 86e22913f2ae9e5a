#include "admin/access/passwords.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <array>

#include "engine/base/texts.hpp"
#include "engine/graph/record.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kPasswordCharactersMax = 128;
constexpr std::size_t kTestCharactersMin = 8;
constexpr std::size_t kCharactersMin = 12;

// Those of the usual lists that are long enough to pass otherwise.
constexpr std::array<std::string_view, 24> kCommon{"password1234",
                                                   "passwordpassword",
                                                   "password12345",
                                                   "password123456",
                                                   "123456789012",
                                                   "qwertyuiop12",
                                                   "qwertyuiop123",
                                                   "qwertyuiopas",
                                                   "qwerty123456",
                                                   "1q2w3e4r5t6y",
                                                   "1qaz2wsx3edc",
                                                   "iloveyou1234",
                                                   "adminadmin12",
                                                   "administrator",
                                                   "administrator1",
                                                   "letmeinletmein",
                                                   "welcome12345",
                                                   "changeme1234",
                                                   "abcdefghijkl",
                                                   "abcd12345678",
                                                   "superman1234",
                                                   "netmlnetml12",
                                                   "correcthorsebatterystaple",
                                                   "asdfghjkl123"};

class Held {
 public:
  explicit Held(std::counting_semaphore<2>& semaphore) : semaphore_(semaphore) {
    semaphore_.acquire();
  }
  ~Held() { semaphore_.release(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  std::counting_semaphore<2>& semaphore_;
};

bool is_common(std::string_view password) {
  const bool listed = std::ranges::any_of(
      kCommon, [&](std::string_view common) { return equals_ignoring_case(password, common); });
  const bool one_character =
      std::ranges::all_of(password, [&](char c) { return c == password[0]; });
  const bool digits = std::ranges::all_of(password, [](char c) { return c >= '0' && c <= '9'; });
  return listed || one_character || digits;
}

}  // namespace

Status check_password(std::string_view password, std::string_view account_name, PasswordRule rule) {
  const std::size_t length = engine::character_count(password);
  const std::size_t least = rule == PasswordRule::test_mode ? kTestCharactersMin : kCharactersMin;
  if (length < least || length > kPasswordCharactersMax)
    return fail(Errc::invalid_input,
                fmt::format("a password has {} to {} characters", least, kPasswordCharactersMax));
  if (rule == PasswordRule::test_mode) return {};
  if (equals_ignoring_case(password, account_name))
    return fail(Errc::invalid_input, "the password is the name of the account; choose another");
  if (is_common(password))
    return fail(Errc::invalid_input, "the password is one that is tried first; choose another");
  return {};
}

// The library draws the salt from the system's generator itself.
Result<std::string> PasswordHasher::hash(const std::string& password) {
  const Held held(free_);
  ++runs_;
  std::array<char, crypto_pwhash_STRBYTES> text{};
  if (crypto_pwhash_str_alg(text.data(), password.data(), password.size(), cost_.passes,
                            cost_.memory_bytes, crypto_pwhash_ALG_ARGON2ID13) != 0)
    return fail(Errc::unavailable, "there is not enough memory to hash a password; try again");
  return std::string(text.data());
}

bool PasswordHasher::matches(const std::string& hash, const std::string& password) {
  const Held held(free_);
  ++runs_;
  return crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

bool PasswordHasher::outdated(const std::string& hash) const {
  return crypto_pwhash_str_needs_rehash(hash.c_str(), cost_.passes, cost_.memory_bytes) != 0;
}

std::string PasswordHasher::decoy() const {
  constexpr std::size_t kKibibyte = 1024;
  return fmt::format("$argon2id$v=19$m={},t={},p=1${}${}", cost_.memory_bytes / kKibibyte,
                     cost_.passes, std::string(22, 'A'), std::string(43, 'A'));
}

}  // namespace netml::admin
