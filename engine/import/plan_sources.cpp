#include "engine/import/plan_sources.hpp"

#include <fmt/format.h>

#include "engine/edit/plan_edit.hpp"
#include "engine/import/plan_polls.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::engine {

namespace {

Status check_name_is_free(const State& state, std::string_view name, std::uint64_t own_number) {
  const std::uint64_t holder = find_source(state.catalog, name);
  if (holder == 0 || holder == own_number) return {};
  return fail(Errc::conflict, "name", fmt::format("a source \"{}\" exists", name));
}

}  // namespace

Result<Transaction> plan_source_create(const State& state, PollingSource source) {
  NETML_TRY_VOID(check_name_is_free(state, source.name, 0));
  Transaction transaction = empty_transaction(state);
  transaction.sources.push_back(added(state.catalog.sources, std::move(source)));
  return transaction;
}

Result<Transaction> plan_source_update(const State& state, std::uint64_t number,
                                       PollingSource source) {
  const auto before = state.catalog.sources.find(number);
  if (before == nullptr) return fail(Errc::not_found, fmt::format("there is no source {}", number));
  NETML_TRY_VOID(check_name_is_free(state, source.name, number));
  Transaction transaction = empty_transaction(state);
  if (source == *before) return transaction;
  transaction.sources.push_back(replaced(state.catalog.sources, number, std::move(source)));
  if (const auto peer = state.catalog.peer_states.find(number); peer && peer->waits_until) {
    PeerState again = *peer;
    again.waits_until.reset();
    set_peer_state(transaction, state, number, std::move(again));
  }
  return transaction;
}

Result<Transaction> plan_source_delete(const State& state, std::string_view name) {
  const std::uint64_t number = find_source(state.catalog, name);
  if (number == 0) return fail(Errc::not_found, fmt::format("there is no source \"{}\"", name));
  Transaction transaction = empty_transaction(state);
  transaction.sources.push_back(removed(state.catalog.sources, number));
  if (state.catalog.peer_states.find(number))
    transaction.peer_states.push_back(removed(state.catalog.peer_states, number));
  remove_records_of_source(transaction, state, number);
  return transaction;
}

}  // namespace netml::engine
