#include "admin/access/accounts.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>

#include "engine/edit/plan_access.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kAccountNameCharactersMax = engine::characters_max(&engine::Account::name);
constexpr std::size_t kEmailCharactersMax = engine::characters_max(&engine::Account::email);
constexpr std::chrono::minutes kRememberedFor{5};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("@.+-_").find(c) != std::string_view::npos;
}

Status check_account(const NewAccount& account) {
  if (account.name.empty() || account.name.size() > kAccountNameCharactersMax ||
      !std::ranges::all_of(account.name, is_name_character))
    return fail(Errc::invalid_input,
                fmt::format("the name of an account has 1 to {} letters, digits and @ . + - _",
                            kAccountNameCharactersMax));
  if (engine::character_count(account.email) > kEmailCharactersMax)
    return fail(Errc::invalid_input,
                fmt::format("an address has at most {} characters", kEmailCharactersMax));
  return {};
}

tl::unexpected<Error> no_such_account(std::uint64_t number) {
  return fail(Errc::not_found, fmt::format("there is no account {}", number));
}

// Nobody shall lock everybody out by mistake.
Status check_not_last_admin(const engine::Catalog& catalog, std::uint64_t number) {
  const auto account = catalog.accounts.find(number);
  if (account == nullptr || !account->enabled || account->role != engine::Role::admin) return {};
  std::size_t admins = 0;
  catalog.accounts.for_each_with<&engine::Account::role>(
      engine::Role::admin,
      [&](std::uint64_t, const engine::Account& each) { admins += each.enabled ? 1 : 0; });
  if (admins > 1) return {};
  return fail(Errc::conflict, "this is the only administrator");
}

}  // namespace

Accounts::Accounts(Node& node, PasswordCost cost) : node_(node), hasher_(cost) {
  node_.random().fill(remember_key_);
}

Result<std::string> Accounts::sealed(const std::string& password) {
  NETML_TRY(const std::string hash, hasher_.hash(password));
  return node_.secrets().seal(hash, node_.random());
}

// Whether there are others is seen by the writer, where one change follows the other.
Result<std::uint64_t> Accounts::create(const Caller& caller, NewAccount wanted, PasswordRule rule,
                                       Others others) {
  NETML_TRY_VOID(check_account(wanted));
  NETML_TRY_VOID(check_password(wanted.password, wanted.name, rule));
  engine::Account account;
  account.name = std::move(wanted.name);
  account.email = std::move(wanted.email);
  account.role = wanted.role;
  NETML_TRY(account.sealed_password, sealed(wanted.password));
  std::uint64_t number = 0;
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    if (others == Others::none && state.catalog.accounts.count() > 0)
      return fail(Errc::conflict, "this node has accounts already");
    account.created = now.instant();
    number = state.catalog.accounts.next_number();
    return plan_account_create(state, account);
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::account, plan));
  return number;
}

Status Accounts::set_password(const Caller& caller, const std::string& name,
                              const std::string& password, PasswordRule rule) {
  NETML_TRY_VOID(check_password(password, name, rule));
  return store_password(caller, name, password, Sessions::end);
}

Status Accounts::store_password(const Caller& caller, const std::string& name,
                                const std::string& password, Sessions sessions) {
  engine::AccountUpdate update;
  NETML_TRY(update.sealed_password, sealed(password));
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    NETML_TRY(engine::Transaction transaction, plan_account_update(state, name, update));
    if (sessions == Sessions::end)
      end_sessions_of(transaction, state, find_account(state.catalog, name), now.instant());
    return transaction;
  };
  return node_.commit(caller, engine::Cause::account, plan);
}

Status Accounts::remove(const Caller& caller, const std::string& name) {
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    NETML_TRY(engine::Transaction transaction, plan_account_delete(state, name));
    end_sessions_of(transaction, state, find_account(state.catalog, name), now.instant());
    return transaction;
  };
  return node_.commit(caller, engine::Cause::account, plan);
}

Status Accounts::update(const Caller& caller, std::uint64_t number, const Edit& edit,
                        PasswordRule rule) {
  engine::AccountUpdate update{.email = edit.email, .role = edit.role, .enabled = edit.enabled};
  if (edit.email && engine::character_count(*edit.email) > kEmailCharactersMax)
    return fail(Errc::invalid_input, "email", "is too long");
  if (edit.password) {
    const auto account = node_.version().state->catalog.accounts.find(number);
    if (account == nullptr) return no_such_account(number);
    if (const Status fine = check_password(*edit.password, account->name, rule); !fine)
      return fail(Errc::invalid_input, "password", fine.error().text());
    NETML_TRY(update.sealed_password, sealed(*edit.password));
  }
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    const auto before = state.catalog.accounts.find(number);
    if (before == nullptr) return no_such_account(number);
    const bool stays = edit.role.value_or(before->role) == engine::Role::admin &&
                       edit.enabled.value_or(before->enabled);
    if (!stays) NETML_TRY_VOID(check_not_last_admin(state.catalog, number));
    NETML_TRY(engine::Transaction transaction, plan_account_update(state, before->name, update));
    const bool role = edit.role && *edit.role != before->role;
    const bool activity = edit.enabled && *edit.enabled != before->enabled;
    if (role || activity || edit.password)
      end_sessions_of(transaction, state, number, now.instant());
    return transaction;
  };
  return node_.commit(caller, engine::Cause::account, plan);
}

Result<engine::Transaction> Accounts::plan_remove(const engine::State& state, std::uint64_t number,
                                                  WallTime now) {
  const auto before = state.catalog.accounts.find(number);
  if (before == nullptr) return no_such_account(number);
  NETML_TRY_VOID(check_not_last_admin(state.catalog, number));
  NETML_TRY(engine::Transaction transaction, plan_account_delete(state, before->name));
  end_sessions_of(transaction, state, number, now.instant());
  return transaction;
}

std::optional<AccountIdentity> Accounts::check(const std::string& name,
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
  return AccountIdentity{account->name, account->role != engine::Role::viewer};
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
  if (Status changed = store_password(caller, account.name, password, Sessions::go_on); !changed)
    node_.note_failure(caller, changed.error());
}

}  // namespace netml::admin
