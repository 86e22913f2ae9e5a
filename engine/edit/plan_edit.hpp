// Planning changes other than imports: each is a pure function from the state to a transaction
// without provenance, which the caller fills in.
//
// Thread: any (pure functions).
#pragma once

#include <functional>
#include <string>

#include "engine/catalog/import_log.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// A root topology with its owner, for a node that starts from nothing (decision 14).
// Errc::conflict when there are topologies already.
struct RootTopology {
  std::string topology_id;
  std::string topology_name;
  std::string owner_id;
  std::string owner_name;
  Instant version;
};
Result<Transaction> plan_root_topology(const State& state, const RootTopology& root);

// Deletes all import records for which `chosen` holds.
Transaction plan_import_records_delete(const State& state,
                                       const std::function<bool(const ImportRecord&)>& chosen);

// Deletes those that ended before `oldest`, unless a poll record or a plan names them; at most
// `count_max` of them.
Transaction plan_old_imports_delete(const State& state, Instant oldest, std::size_t count_max);

// Errc::not_found when there is none.
Result<std::shared_ptr<const KeptPlan>> find_kept_plan(const Catalog& catalog,
                                                       std::uint64_t number);
// The plan's new value takes the place of the one that is stored. Errc::not_found.
Status replace_kept_plan(Transaction& transaction, const State& state, std::uint64_t number,
                         KeptPlan plan);
// Errc::not_found.
Status delete_kept_plan(Transaction& transaction, const State& state, std::uint64_t number);

// Errc::conflict when a token of that client name exists.
Result<Transaction> plan_token_create(const State& state, Token token);
// Errc::not_found when there is none.
Result<Transaction> plan_token_delete(const State& state, std::string_view client_name);

// Errc::conflict when an account of that name exists.
Result<Transaction> plan_account_create(const State& state, Account account);
// What is to be different. Errc::not_found when there is no account of that name.
struct AccountUpdate {
  std::optional<std::string> email = {};
  std::optional<std::string> sealed_password = {};
  std::optional<Role> role = {};
  std::optional<bool> enabled = {};
};
Result<Transaction> plan_account_update(const State& state, std::string_view name,
                                        const AccountUpdate& update);
// Errc::not_found when there is none.
Result<Transaction> plan_account_delete(const State& state, std::string_view name);

Transaction plan_setting_set(const State& state, std::string name, std::string value);
// Back to the default; changes nothing when it has no stored value.
Transaction plan_setting_reset(const State& state, std::string_view name);

// Errc::not_found; Errc::conflict for the item that is being served.
Result<Transaction> plan_published_delete(const State& state, std::uint64_t number);

}  // namespace netml::engine
