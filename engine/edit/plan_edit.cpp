#include "engine/edit/plan_edit.hpp"

#include <fmt/format.h>

#include "engine/transaction/entry_changes.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

namespace {

AttributesPtr named(Kind kind, std::string_view id, std::string_view name, Instant version,
                    bool main) {
  AttributeFields fields;
  fields.kind = kind;
  fields.main = main;
  fields.id = id;
  fields.name = name;
  fields.version = version;
  return Attributes::make(fields);
}

std::uint64_t setting_number(const State& state, std::string_view name) {
  return state.catalog.settings.find_with<&Setting::name>(name);
}

Result<std::uint64_t> account_number(const State& state, std::string_view name) {
  const std::uint64_t number = find_account(state.catalog, name);
  if (number == 0) return fail(Errc::not_found, fmt::format("there is no account \"{}\"", name));
  return number;
}

}  // namespace

Result<Transaction> plan_root_topology(const State& state, const RootTopology& root) {
  if (state.graph.count(Kind::topology) != 0)
    return fail(Errc::conflict, "the store already has topologies; import into it instead");
  Workspace workspace(state);
  const RecordId topology = workspace.create(
      {named(Kind::topology, root.topology_id, root.topology_name, root.version, true),
       Relations::make(RelationFields{})});
  const RecordId owner = workspace.create(
      {named(Kind::institution, root.owner_id, root.owner_name, root.version, false),
       Relations::make({.topologies = std::span(&topology, 1)})});
  workspace.put_relations(topology, {.owners = std::span(&owner, 1)});
  workspace.number(topology);
  workspace.number(owner);
  return workspace.finish();
}

Transaction plan_import_records_delete(const State& state,
                                       const std::function<bool(const ImportRecord&)>& chosen) {
  Transaction transaction = empty_transaction(state);
  state.catalog.imports.for_each([&](std::uint64_t number, const ImportRecord& record) {
    if (chosen(record)) remove_entry<ImportRecord>(transaction, state, number);
  });
  return transaction;
}

Transaction plan_old_imports_delete(const State& state, Instant oldest, std::size_t count_max) {
  const auto named = [&catalog = state.catalog](std::uint64_t number) {
    return catalog.poll_records.find_with<&PollRecord::import_record>(number) != 0 ||
           catalog.plans.find_with<&KeptPlan::import_record>(number) != 0;
  };
  Transaction transaction = empty_transaction(state);
  state.catalog.imports.for_each([&](std::uint64_t number, const ImportRecord& record) {
    const bool ended = record.status != ImportStatus::in_progress;
    if (transaction.imports.size() < count_max && ended && record.imported_at < oldest &&
        !named(number))
      remove_entry<ImportRecord>(transaction, state, number);
  });
  return transaction;
}

Result<std::shared_ptr<const KeptPlan>> find_kept_plan(const Catalog& catalog,
                                                       std::uint64_t number) {
  if (auto plan = catalog.plans.find(number)) return plan;
  return fail(Errc::not_found,
              fmt::format("there is no plan {}; `netml plan list` shows them", number));
}

Status replace_kept_plan(Transaction& transaction, const State& state, std::uint64_t number,
                         KeptPlan plan) {
  NETML_TRY_VOID(find_kept_plan(state.catalog, number));
  put_entry(transaction, state, number, std::move(plan));
  return {};
}

Status delete_kept_plan(Transaction& transaction, const State& state, std::uint64_t number) {
  NETML_TRY_VOID(find_kept_plan(state.catalog, number));
  remove_entry<KeptPlan>(transaction, state, number);
  return {};
}

Result<Transaction> plan_token_create(const State& state, Token token) {
  if (state.catalog.tokens.find_with<&Token::client_name>(token.client_name) != 0)
    return fail(Errc::conflict,
                fmt::format("a token for \"{}\" exists; delete it first", token.client_name));
  return entry_added(state, std::move(token));
}

Result<Transaction> plan_token_delete(const State& state, std::string_view client_name) {
  const std::uint64_t number = state.catalog.tokens.find_with<&Token::client_name>(client_name);
  if (number == 0)
    return fail(Errc::not_found, fmt::format("there is no token for \"{}\"", client_name));
  return entry_removed<Token>(state, number);
}

Result<Transaction> plan_account_create(const State& state, Account account) {
  if (find_account(state.catalog, account.name) != 0)
    return fail(Errc::conflict, fmt::format("an account \"{}\" exists", account.name));
  return entry_added(state, std::move(account));
}

Result<Transaction> plan_account_update(const State& state, std::string_view name,
                                        const AccountUpdate& update) {
  NETML_TRY(const std::uint64_t number, account_number(state, name));
  const auto before = state.catalog.accounts.find(number);
  Account account = *before;
  if (update.sealed_password) account.sealed_password = *update.sealed_password;
  if (update.email) account.email = *update.email;
  if (update.role) account.role = *update.role;
  if (update.enabled) account.enabled = *update.enabled;
  return entry_replaced(state, number, std::move(account));
}

Result<Transaction> plan_account_delete(const State& state, std::string_view name) {
  NETML_TRY(const std::uint64_t number, account_number(state, name));
  return entry_removed<Account>(state, number);
}

Transaction plan_setting_set(const State& state, std::string name, std::string value) {
  const std::uint64_t number = setting_number(state, name);
  Setting setting{std::move(name), std::move(value)};
  return number == 0 ? entry_added(state, std::move(setting))
                     : entry_replaced(state, number, std::move(setting));
}

Transaction plan_setting_reset(const State& state, std::string_view name) {
  const std::uint64_t number = setting_number(state, name);
  return number == 0 ? empty_transaction(state) : entry_removed<Setting>(state, number);
}

Result<Transaction> plan_published_delete(const State& state, std::uint64_t number) {
  if (state.catalog.published.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no published item {}", number));
  if (number == latest_published(state.catalog))
    return fail(Errc::conflict,
                fmt::format("published item {} is the one being served; publish a newer one first",
                            number));
  return entry_removed<PublishedItem>(state, number);
}

}  // namespace netml::engine
