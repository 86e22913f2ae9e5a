// Accounts: who may sign in, with which role (decision 38; rules A6, A7 and A9). There are none
// until `netml user create` makes one.
//
// A password is kept as its Argon2id string, encrypted under the node key, so neither journal nor
// checkpoint gives anybody something to guess against.
//
// Thread: any. Checking a password blocks for as long as Argon2id takes.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "admin/access/passwords.hpp"
#include "admin/node/node.hpp"

namespace netml::admin {

struct NewAccount {
  std::string name;
  std::string email;
  engine::Role role = engine::Role::viewer;
  std::string password;
};

// Who gave the right password.
struct AccountIdentity {
  std::string name;
  bool staff = false;  // may change what the node holds
};

class Accounts {
 public:
  explicit Accounts(Node& node, PasswordCost cost = {});

  enum class Others : std::uint8_t { allowed, none };
  // Errc::invalid_input for a name or password that cannot be; Errc::conflict when the name is
  // taken, or there is an account where it must be the first. Returns the account's number.
  Result<std::uint64_t> create(const Caller& caller, NewAccount account,
                               PasswordRule rule = PasswordRule::production,
                               Others others = Others::allowed);
  Status set_password(const Caller& caller, const std::string& name, const std::string& password,
                      PasswordRule rule = PasswordRule::production);
  Status remove(const Caller& caller, const std::string& name);

  // What is to be different. Sign-ins of the account end when its password, role or activity
  // changes (A10). Errc::conflict when nobody would be left who is an administrator.
  struct Edit {
    std::optional<std::string> email = {};
    std::optional<engine::Role> role = {};
    std::optional<bool> enabled = {};
    std::optional<std::string> password = {};
  };
  Status update(const Caller& caller, std::uint64_t number, const Edit& edit,
                PasswordRule rule = PasswordRule::production);
  // What deletes it and ends its sessions; never the last administrator.
  static Result<engine::Transaction> plan_remove(const engine::State& state, std::uint64_t number,
                                                 WallTime now);

  // Who that is, if the password is theirs. Both may be empty: then nobody, at the same cost (A7).
  // A success is remembered for five minutes, so that a client that sends its password with every
  // request costs one run of Argon2id. A name that nobody has costs the same as a wrong password.
  std::optional<AccountIdentity> check(const std::string& name, const std::string& password);

  // How often Argon2id has run.
  std::uint64_t password_runs() const { return hasher_.runs(); }

 private:
  using Mac = std::array<std::byte, 32>;
  struct Remembered {
    Mac mac;
    std::shared_ptr<const engine::Account> account;  // as it was: any change forgets it
    std::chrono::nanoseconds until;
  };

  Mac remembered_mac(const std::string& name, const std::string& password) const;
  bool is_remembered(std::uint64_t number, const std::shared_ptr<const engine::Account>& account,
                     const Mac& mac);
  bool password_matches(const engine::Account* account, const std::string& password);
  void rehash(const engine::Account& account, const std::string& password);
  Result<std::string> sealed(const std::string& password);
  enum class Sessions : std::uint8_t { end, go_on };
  Status store_password(const Caller& caller, const std::string& name, const std::string& password,
                        Sessions sessions);

  Node& node_;
  PasswordHasher hasher_;
  std::array<std::byte, 32> remember_key_;  // of this process alone

  std::mutex mutex_;
  std::map<std::uint64_t, Remembered> remembered_;  // by account number; guarded by mutex_
};

}  // namespace netml::admin
