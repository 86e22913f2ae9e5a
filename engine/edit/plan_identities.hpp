// Planning what changes when somebody comes in whom a web server in front knows
// (docs/requirements/administration.md, section 1): their identity, with what that server says of
// them, and the account that it belongs to.
//
// An identity is found by its eppn without regard to case. Its account is the one that it had; if
// that is gone or there was none, the one that an administrator made beforehand and called like the
// eppn, as long as no other identity has it; otherwise a new one, which is switched off until an
// administrator has seen it. `listed`: named at the start as an administrator, which grants the
// role and activity; nothing here ever takes a right away.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// What an account is called for that eppn: what the name of an account cannot hold becomes "_".
std::string account_name_of(std::string_view eppn);

// The identity's number; 0 if nobody has that eppn.
std::uint64_t find_identity(const Catalog& catalog, std::string_view eppn);

// What it says of them replaces what was known, absent parts too; of the account only an empty
// address is filled. Sign-ins of an account whose rights change end (A10). Nothing changes when all
// is known. In each of these `identity.account` is not looked at.
Transaction plan_identity_sign_in(const State& state, ExternalIdentity identity, bool listed,
                                  Instant now);
// The same manually, before they come. Errc::conflict when there is one of that eppn.
Result<Transaction> plan_identity_create(const State& state, ExternalIdentity identity, bool listed,
                                         Instant now);
// It keeps its account. Errc::not_found; Errc::conflict when another one has the eppn.
Result<Transaction> plan_identity_update(const State& state, std::uint64_t number,
                                         ExternalIdentity identity);
// The account stays. Errc::not_found.
Result<Transaction> plan_identity_delete(const State& state, std::uint64_t number);

}  // namespace netml::engine
