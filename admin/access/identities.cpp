#include "admin/access/identities.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/utf8.hpp"
#include "engine/edit/plan_identities.hpp"

namespace netml::admin {

namespace {

using engine::ExternalIdentity;

constexpr std::size_t kIdentityCharactersMax =
    engine::characters_max(&engine::ExternalIdentity::eppn);

bool is_text(std::string_view text) {
  const bool control =
      std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
  return !control && is_utf8(text) && engine::character_count(text) <= kIdentityCharactersMax;
}

Status check(const ExternalIdentity& identity) {
  struct Part {
    const char* name;
    const std::string& value;
  };
  if (identity.eppn.empty()) return fail(Errc::invalid_input, "eppn", "is needed");
  for (const Part& part :
       {Part{"eppn", identity.eppn}, Part{"email", identity.email},
        Part{"display_name", identity.display_name}, Part{"first_name", identity.given_name},
        Part{"last_name", identity.family_name}})
    if (!is_text(part.value))
      return fail(Errc::invalid_input, part.name,
                  fmt::format("has at most {} characters in UTF-8", kIdentityCharactersMax));
  return {};
}

}  // namespace

Result<std::uint64_t> Identities::sign_in(const Caller& caller, const ExternalIdentity& identity,
                                          Listed listed) {
  NETML_TRY_VOID(check(identity));
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    return plan_identity_sign_in(state, identity, listed == Listed::yes, now.instant());
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::account, plan));
  const engine::StatePtr state = node_.version().state;
  const auto known =
      state->catalog.identities.find(engine::find_identity(state->catalog, identity.eppn));
  if (known == nullptr) return fail(Errc::conflict, "the identity was deleted at once");
  return known->account;
}

Result<std::uint64_t> Identities::create(const Caller& caller, const ExternalIdentity& identity,
                                         Listed listed) {
  NETML_TRY_VOID(check(identity));
  std::uint64_t number = 0;
  const auto plan = [&](const engine::State& state, WallTime now) {
    number = state.catalog.identities.next_number();
    return plan_identity_create(state, identity, listed == Listed::yes, now.instant());
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::account, plan));
  return number;
}

Status Identities::update(const Caller& caller, std::uint64_t number,
                          const ExternalIdentity& identity) {
  NETML_TRY_VOID(check(identity));
  const auto plan = [&](const engine::State& state, WallTime) {
    return plan_identity_update(state, number, identity);
  };
  return node_.commit(caller, engine::Cause::account, plan);
}

}  // namespace netml::admin
