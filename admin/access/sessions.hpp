// Sign-ins of the administration site (rule A10): who holds which cookie.
//
// A session begins and ends with a transaction, so the journal tells who was here from where. What
// the browser holds is 32 random bytes, of which the catalog keeps the SHA-256. It is over after
// 30 minutes without a request, 12 hours in all, or when it was ended: by signing out, with the
// password, role or activity of the account. Both spans are measured on the steady clock (O9).
//
// When it was used last is not stored. After a restart it counts as not used since it began, which
// only the wall clock tells then: so those of the last 30 minutes go on, and none does that began
// in the future.
//
// Thread: any.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "admin/node/node.hpp"

namespace netml::admin {

// Who asks.
struct SignedIn {
  std::uint64_t session = 0;  // its number; 0: by password with this very request
  std::uint64_t number = 0;   // of the account
  std::shared_ptr<const engine::Account> account;
  Instant expires;   // at the latest
  std::string csrf;  // what changes must carry (A12); empty without a session
};

class Sessions {
 public:
  static constexpr std::chrono::minutes kIdleMax{30};
  static constexpr std::chrono::hours kAgeMax{12};
  static constexpr std::chrono::minutes kConfirmedFor{5};

  explicit Sessions(Node& node) : node_(node) {}

  struct Begun {
    std::string secret;  // for the cookie
    SignedIn who;
  };
  // The session that the caller had before, if any, ends. Errc::not_found when there is no such
  // account any more.
  Result<Begun> begin(const Caller& caller, std::uint64_t account, std::uint64_t former = 0);
  // Whose cookie that is, if it counts; it was used now.
  std::optional<SignedIn> find(std::string_view secret);

  Status end(const Caller& caller, std::uint64_t session);
  // All of the account but `kept`.
  Status end_others(const Caller& caller, std::uint64_t account, std::uint64_t kept);

  // The password was given again: the session may do for a while what asks for that (A13).
  void confirm(std::uint64_t session);
  bool is_confirmed(std::uint64_t session) const;

  // Neither ended nor over.
  bool goes_on(std::uint64_t number, const engine::WebSession& session) const;

 private:
  // On the steady clock.
  struct Use {
    std::chrono::nanoseconds began{};
    std::chrono::nanoseconds last{};
    std::chrono::nanoseconds confirmed_until{};
  };
  SignedIn signed_in(std::uint64_t number, const engine::WebSession& session,
                     std::shared_ptr<const engine::Account> account) const;
  // With mutex_ held; nothing when the session is over.
  std::optional<Use> use_of(std::uint64_t number, const engine::WebSession& session) const;
  bool used_in_time(std::uint64_t number, const engine::WebSession& session);

  Node& node_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Use> uses_;  // by session number; guarded by mutex_
};

}  // namespace netml::admin
