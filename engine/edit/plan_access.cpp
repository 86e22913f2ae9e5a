#include "engine/edit/plan_access.hpp"

#include <fmt/format.h>

#include <map>

#include "engine/edit/plan_edit.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::engine {

namespace {

// The newest sign-in of each account: it tells when somebody was here last.
std::map<std::uint64_t, std::uint64_t> newest_by_account(const Table<WebSession>& sessions) {
  std::map<std::uint64_t, std::uint64_t> newest;
  sessions.for_each(
      [&](std::uint64_t number, const WebSession& session) { newest[session.account] = number; });
  return newest;
}

void end_sessions(Transaction& transaction, const State& state, Instant now,
                  const ChooseSession& chosen) {
  state.catalog.sessions.for_each([&](std::uint64_t number, const WebSession& session) {
    if (session.ended != Instant() || !chosen(number, session)) return;
    WebSession ended = session;
    ended.ended = now;
    transaction.sessions.push_back(replaced(state.catalog.sessions, number, std::move(ended)));
  });
}

Status check_is_free(const State& state, const AllowedOrigin& origin, std::uint64_t own_number) {
  Status status;
  state.catalog.origins.for_each([&](std::uint64_t number, const AllowedOrigin& other) {
    if (number == own_number) return;
    if (other.name == origin.name)
      status = fail(Errc::conflict, "name", fmt::format("an origin \"{}\" exists", origin.name));
    if (other.origin == origin.origin)
      status = fail(Errc::conflict, "origin", fmt::format("{} is listed already", origin.origin));
  });
  return status;
}

tl::unexpected<Error> no_such_origin(std::uint64_t number) {
  return fail(Errc::not_found, fmt::format("there is no allowed origin {}", number));
}

}  // namespace

Transaction plan_session_begin(const State& state, WebSession session, Instant forgotten_before) {
  Transaction transaction = empty_transaction(state);
  auto newest = newest_by_account(state.catalog.sessions);
  newest.erase(session.account);
  state.catalog.sessions.for_each([&](std::uint64_t number, const WebSession& old) {
    const bool over = old.ended != Instant() || old.created < forgotten_before;
    const auto last = newest.find(old.account);
    if (over && (last == newest.end() || last->second != number))
      transaction.sessions.push_back(removed(state.catalog.sessions, number));
  });
  transaction.sessions.push_back(added(state.catalog.sessions, std::move(session)));
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
  const std::uint64_t holder = state.catalog.tokens.find_if(
      [&](const Token& other) { return other.client_name == token.client_name; });
  if (holder != 0 && holder != number)
    return fail(Errc::conflict, "name",
                fmt::format("a token for \"{}\" exists", token.client_name));
  Transaction transaction = empty_transaction(state);
  if (token == *before) return transaction;
  transaction.tokens.push_back(replaced(state.catalog.tokens, number, std::move(token)));
  return transaction;
}

bool is_allowed_origin(const Catalog& catalog, std::string_view origin) {
  const auto matches = [&](const AllowedOrigin& entry) {
    return entry.active && entry.origin == origin;
  };
  return catalog.origins.find_if(matches) != 0;
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
