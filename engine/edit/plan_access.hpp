// Planning changes of who may come in: sign-ins of the administration site, tokens, and the web
// pages elsewhere that may show the map. As in engine/edit/plan_edit.hpp each is a pure function
// from the state to a transaction without provenance.
//
// Thread: any (pure functions).
#pragma once

#include <functional>
#include <string_view>

#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// A new sign-in. Those that ended, or began before `forgotten_before`, are deleted with it, but for
// the newest of each account.
Transaction plan_session_begin(const State& state, WebSession session, Instant forgotten_before);
// All sessions that go on and for which `chosen(number, session)` holds end.
using ChooseSession = std::function<bool(std::uint64_t, const WebSession&)>;
Transaction plan_sessions_end(const State& state, Instant now, const ChooseSession& chosen);
// The same as a part of another change: all those of one account.
void end_sessions_of(Transaction& transaction, const State& state, std::uint64_t account,
                     Instant now);

// The token's new value takes the place of the one that is stored. Errc::not_found when there is
// none; Errc::conflict when another one has the new name.
Result<Transaction> plan_token_update(const State& state, std::uint64_t number, Token token);

// Whether an active entry has exactly this origin.
bool is_allowed_origin(const Catalog& catalog, std::string_view origin);
}  // namespace netml::engine
