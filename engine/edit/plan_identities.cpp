#include "engine/edit/plan_identities.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/edit/plan_access.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::engine {

namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("@.+-_").find(c) != std::string_view::npos;
}

bool continues_a_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

std::uint64_t account_called(const Catalog& catalog, std::string_view name) {
  return catalog.accounts.find_in_any_case<&Account::name>(name);
}

// 0: none that is free.
std::uint64_t account_made_before(const Catalog& catalog, std::string_view eppn) {
  const std::uint64_t number = account_called(catalog, eppn);
  return catalog.identities.find_with<&ExternalIdentity::account>(number) == 0 ? number : 0;
}

// "name", "name2", "name3", ...
std::string free_account_name(const Catalog& catalog, std::string_view eppn) {
  const std::string wanted = account_name_of(eppn);
  std::string name = wanted;
  for (std::uint64_t count = 2; account_called(catalog, name) != 0; ++count) {
    const std::string suffix = std::to_string(count);
    name = wanted.substr(0, characters_max(&Account::name) - suffix.size()) + suffix;
  }
  return name;
}

Account new_account(const Catalog& catalog, std::string_view eppn, Instant now) {
  Account account;
  account.name = free_account_name(catalog, eppn);
  account.enabled = false;
  account.created = now;
  return account;
}

// Gives the identity its account.
void bring_account(Transaction& transaction, const State& state, ExternalIdentity& identity,
                   bool listed, Instant now) {
  const Table<Account>& accounts = state.catalog.accounts;
  if (accounts.find(identity.account) == nullptr)
    identity.account = account_made_before(state.catalog, identity.eppn);
  const auto before = accounts.find(identity.account);
  Account account = before ? *before : new_account(state.catalog, identity.eppn, now);
  if (account.email.empty()) account.email = identity.email;
  if (listed) {
    account.role = Role::admin;
    account.enabled = true;
  }
  if (before == nullptr) {
    identity.account = accounts.next_number();
    add_entry(transaction, state, std::move(account));
    return;
  }
  if (account == *before) return;
  if (account.role != before->role || account.enabled != before->enabled)
    end_sessions_of(transaction, state, identity.account, now);
  put_entry(transaction, state, identity.account, std::move(account));
}

tl::unexpected<Error> no_such_identity(std::uint64_t number) {
  return fail(Errc::not_found, fmt::format("there is no identity {}", number));
}

tl::unexpected<Error> is_known(std::string_view eppn) {
  return fail(Errc::conflict, "eppn", fmt::format("there is an identity \"{}\"", eppn));
}

}  // namespace

std::string account_name_of(std::string_view eppn) {
  std::string name;
  for (const char c : eppn)
    if (!continues_a_character(c)) name += is_name_character(c) ? c : '_';
  return name;
}

std::uint64_t find_identity(const Catalog& catalog, std::string_view eppn) {
  return catalog.identities.find_in_any_case<&ExternalIdentity::eppn>(eppn);
}

Transaction plan_identity_sign_in(const State& state, ExternalIdentity identity, bool listed,
                                  Instant now) {
  const Table<ExternalIdentity>& identities = state.catalog.identities;
  const std::uint64_t number = find_identity(state.catalog, identity.eppn);
  const auto before = identities.find(number);
  identity.account = before ? before->account : 0;
  if (before) identity.eppn = before->eppn;
  Transaction transaction = empty_transaction(state);
  bring_account(transaction, state, identity, listed, now);
  if (before == nullptr)
    add_entry(transaction, state, std::move(identity));
  else if (identity != *before)
    put_entry(transaction, state, number, std::move(identity));
  return transaction;
}

Result<Transaction> plan_identity_create(const State& state, ExternalIdentity identity, bool listed,
                                         Instant now) {
  if (find_identity(state.catalog, identity.eppn) != 0) return is_known(identity.eppn);
  return plan_identity_sign_in(state, std::move(identity), listed, now);
}

Result<Transaction> plan_identity_update(const State& state, std::uint64_t number,
                                         ExternalIdentity identity) {
  const Table<ExternalIdentity>& identities = state.catalog.identities;
  const auto before = identities.find(number);
  if (before == nullptr) return no_such_identity(number);
  const std::uint64_t holder = find_identity(state.catalog, identity.eppn);
  if (holder != 0 && holder != number) return is_known(identity.eppn);
  identity.account = before->account;
  return entry_replaced(state, number, std::move(identity));
}

Result<Transaction> plan_identity_delete(const State& state, std::uint64_t number) {
  const Table<ExternalIdentity>& identities = state.catalog.identities;
  if (identities.find(number) == nullptr) return no_such_identity(number);
  return entry_removed<ExternalIdentity>(state, number);
}

}  // namespace netml::engine
