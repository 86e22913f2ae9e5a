#include "engine/edit/plan_access.hpp"

#include <fmt/format.h>

#include "engine/edit/plan_edit.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::engine {

namespace {

// Those that are not over yet.
void end_sessions(Transaction& transaction, const State& state, Instant now,
                  const ChooseSession& chosen) {
  const Table<WebSession>& sessions = state.catalog.sessions;
  sessions.for_each_with<&WebSession::ended>(
      Instant(), [&](std::uint64_t number, const WebSession& session) {
        if (!chosen(number, session)) return;
        WebSession ended = session;
        ended.ended = now;
        transaction.sessions.push_back(replaced(sessions, number, std::move(ended)));
      });
}

Status check_is_free(const State& state, const AllowedOrigin& origin, std::uint64_t own_number) {
  const auto is_free = [own_number](std::uint64_t holder) {
    return holder == 0 || holder == own_number;
  };
  const Table<AllowedOrigin>& origins = state.catalog.origins;
  if (!is_free(origins.find_with<&AllowedOrigin::origin>(origin.origin)))
    return fail(Errc::conflict, "origin", fmt::format("{} is listed already", origin.origin));
  if (!is_free(origins.find_with<&AllowedOrigin::name>(origin.name)))
    return fail(Errc::conflict, "name", fmt::format("an origin \"{}\" exists", origin.name));
  return {};
}

tl::unexpected<Error> no_such_origin(std::uint64_t number) {
  return fail(Errc::not_found, fmt::format("there is no allowed origin {}", number));
}

}  // namespace

// Walks all sessions, which are those that go on and one of each account: the newest one tells when
// somebody was here last.
Transaction plan_session_begin(const State& state, WebSession session, Instant forgotten_before) {
  const Table<WebSession>& sessions = state.catalog.sessions;
  Transaction transaction = empty_transaction(state);
  sessions.for_each([&](std::uint64_t number, const WebSession& old) {
    const bool over = old.ended != Instant() || old.created < forgotten_before;
    if (over && (old.account == session.account ||
                 sessions.newest_with<&WebSession::account>(old.account) != number))
      transaction.sessions.push_back(removed(sessions, number));
  });
  transaction.sessions.push_back(added(sessions, std::move(session)));
  return transaction;
}

Transaction plan_sessions_end(const State& state, Instant now, const ChooseSession& chosen) {
  Transaction transaction = empty_transaction(state);
  end_sessions(transaction, state, now, chosen);
  return transaction;
}

void end_sessions_of(Transaction& transaction, const State& state, std::uint64_t account,
                     Instant now) {
  end_sessions(transaction, state, now, [account](std::uint64_t, const WebSession& session) {
    return session.account == account;
  });
}

Result<Transaction> plan_token_update(const State& state, std::uint64_t number, Token token) {
  const auto before = state.catalog.tokens.find(number);
  if (before == nullptr) return fail(Errc::not_found, fmt::format("there is no token {}", number));
  const std::uint64_t holder =
      state.catalog.tokens.find_with<&Token::client_name>(token.client_name);
  if (holder != 0 && holder != number)
    return fail(Errc::conflict, "name",
                fmt::format("a token for \"{}\" exists", token.client_name));
  Transaction transaction = empty_transaction(state);
  if (token == *before) return transaction;
  transaction.tokens.push_back(replaced(state.catalog.tokens, number, std::move(token)));
  return transaction;
}

bool is_allowed_origin(const Catalog& catalog, std::string_view origin) {
  const auto entry =
      catalog.origins.find(catalog.origins.find_with<&AllowedOrigin::origin>(origin));
  return entry != nullptr && entry->active;
}

Result<Transaction> plan_origin_create(const State& state, AllowedOrigin origin) {
  NETML_TRY_VOID(check_is_free(state, origin, 0));
  Transaction transaction = empty_transaction(state);
  transaction.origins.push_back(added(state.catalog.origins, std::move(origin)));
  return transaction;
}

Result<Transaction> plan_origin_update(const State& state, std::uint64_t number,
                                       AllowedOrigin origin) {
  const auto before = state.catalog.origins.find(number);
  if (before == nullptr) return no_such_origin(number);
  NETML_TRY_VOID(check_is_free(state, origin, number));
  Transaction transaction = empty_transaction(state);
  if (origin == *before) return transaction;
  transaction.origins.push_back(replaced(state.catalog.origins, number, std::move(origin)));
  return transaction;
}

Result<Transaction> plan_origin_delete(const State& state, std::uint64_t number) {
  if (state.catalog.origins.find(number) == nullptr) return no_such_origin(number);
  Transaction transaction = empty_transaction(state);
  transaction.origins.push_back(removed(state.catalog.origins, number));
  return transaction;
}

}  // namespace netml::engine
