#include "engine/edit/plan_access.hpp"

#include <fmt/format.h>

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
        put_entry(transaction, state, number, std::move(ended));
      });
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
      remove_entry<WebSession>(transaction, state, number);
  });
  add_entry(transaction, state, std::move(session));
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
  return entry_replaced(state, number, std::move(token));
}

bool is_allowed_origin(const Catalog& catalog, std::string_view origin) {
  const auto entry =
      catalog.origins.find(catalog.origins.find_with<&AllowedOrigin::origin>(origin));
  return entry != nullptr && entry->active;
}

}  // namespace netml::engine
