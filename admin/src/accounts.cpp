#include "admin/services/accounts.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>

#include "engine/plan_edit.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kNameCharactersMax = 150;
constexpr std::size_t kEmailCharactersMax = 254;
constexpr std::chrono::minutes kRememberedFor{5};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("@.+-_").find(c) != std::string_view::npos;
}

Status check_account(const NewAccount& account) {
  if (account.name.empty() || account.name.size() > kNameCharactersMax ||
      !std::ranges::all_of(account.name, is_name_character))
    return fail(Errc::invalid_input,
                fmt::format("the name of an account has 1 to {} letters, digits and @ . + - _",
                            kNameCharactersMax));
  if (engine::character_count(account.email) > kEmailCharactersMax)
    return fail(Errc::invalid_input,
                fmt::format("an address has at most {} characters", kEmailCharactersMax));
  return {};
}

}  // namespace

Accounts::Accounts(Node& node, PasswordCost cost) : node_(node), hasher_(cost) {
  node_.random().fill(remember_key_);
}

Result<std::string> Accounts::sealed(const std::string& password) {
  NETML_TRY(const std::string hash, hasher_.hash(password));
  return node_.secrets().seal(hash, node_.random());
}

Result<std::uint64_t> Accounts::create(const Caller& caller, NewAccount wanted, PasswordRule rule) {
  NETML_TRY_VOID(check_account(wanted));
  NETML_TRY_VOID(check_password(wanted.password, wanted.name, rule));
  engine::Account account;
  account.name = std::move(wanted.name);
  account.email = std::move(wanted.email);
  account.role = wanted.role;
  NETML_TRY(account.sealed_password, sealed(wanted.password));
  std::uint64_t number = 0;
  Change change{.caller = caller, .cause = engine::Cause::account};
  change.plan = [&](const engine::State& state, WallTime now) {
    account.created = now.instant();
    number = state.catalog.accounts.next_number();
    return plan_account_create(state, account);
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  return number;
}

Status Accounts::set_password(const Caller& caller, const std::string& name,
                              const std::string& password, PasswordRule rule) {
  NETML_TRY_VOID(check_password(password, name, rule));
  return store_password(caller, name, password);
}

Status Accounts::store_password(const Caller& caller, const std::string& name,
                                const std::string& password) {
  engine::AccountUpdate update;
  NETML_TRY(update.sealed_password, sealed(password));
  Change change{.caller = caller, .cause = engine::Cause::account};
  change.plan = [&](const engine::State& state, WallTime) {
    return plan_account_update(state, name, update);
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  return {};
}

Status Accounts::remove(const Caller& caller, const std::string& name) {
  Change change{.caller = caller, .cause = engine::Cause::account};
  change.plan = [&](const engine::State& state, WallTime) {
    return plan_account_delete(state, name);
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  return {};
}

std::optional<net::AccountIdentity> Accounts::check(const std::string& name,
                                                    const std::string& password) {
  const engine::StatePtr state = node_.version().state;
  const std::uint64_t number = find_account(state->catalog, name);
  const auto account = state->catalog.accounts.find(number);
  const Mac mac = remembered_mac(name, password);
  if (account == nullptr || !is_remembered(number, account, mac)) {
    if (!password_matches(account.get(), password) || account == nullptr) return std::nullopt;
    const std::lock_guard lock(mutex_);
    remembered_[number] = {mac, account, node_.clock().steady() + kRememberedFor};
  }
  if (!account->enabled) return std::nullopt;
  return net::AccountIdentity{account->name, account->role != engine::Role::viewer};
}

Accounts::Mac Accounts::remembered_mac(const std::string& name, const std::string& password) const {
  // The name cannot hold the separator, so no two pairs give the same text.
  const std::string text = name + '\n' + password;
  Mac mac;
  crypto_auth_hmacsha256(reinterpret_cast<unsigned char*>(mac.data()),
                         reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                         reinterpret_cast<const unsigned char*>(remember_key_.data()));
  return mac;
}

bool Accounts::is_remembered(std::uint64_t number,
                             const std::shared_ptr<const engine::Account>& account,
                             const Mac& mac) {
  const std::lock_guard lock(mutex_);
  const auto found = remembered_.find(number);
  if (found == remembered_.end()) return false;
  const Remembered& remembered = found->second;
  return remembered.account == account && remembered.until > node_.clock().steady() &&
         Secrets::equal(remembered.mac, mac);
}

bool Accounts::password_matches(const engine::Account* account, const std::string& password) {
  std::optional<std::string> hash;
  if (account != nullptr) hash = node_.secrets().open(account->sealed_password);
  const bool matches = hasher_.matches(hash.value_or(hasher_.decoy()), password);
  if (!matches || !hash) return false;
  if (hasher_.outdated(*hash)) rehash(*account, password);
  return true;
}

// The cost was raised since. Signing in does not depend on it.
void Accounts::rehash(const engine::Account& account, const std::string& password) {
  const Caller caller{engine::ActorKind::account, account.name, "sign-in", {}};
  if (Status changed = store_password(caller, account.name, password); !changed)
    node_.note_failure(caller, changed.error());
}

}  // namespace netml::admin
