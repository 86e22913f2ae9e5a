#include "admin/access/sessions.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <span>

#include "engine/base/sha256.hpp"
#include "engine/edit/plan_access.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kSecretBytes = 32;

std::string base64url(std::span<const std::byte> bytes) {
  std::string text(
      sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  text.pop_back();  // the terminating zero
  return text;
}

Sha256 hash_of(std::string_view secret) {
  return Sha256Hasher().hash(std::as_bytes(std::span(secret)));
}

std::int64_t seconds(std::chrono::seconds time) {
  return time.count();
}

}  // namespace

Result<Sessions::Begun> Sessions::begin(const Caller& caller, std::uint64_t account,
                                        std::uint64_t former) {
  std::array<std::byte, kSecretBytes> random{};
  node_.random().fill(random);
  Begun begun{base64url(random), {}};
  engine::WebSession session;
  session.secret_hash = hash_of(begun.secret);
  session.account = account;
  session.address = caller.source;
  std::uint64_t number = 0;
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    const auto entry = state.catalog.accounts.find(account);
    if (entry == nullptr || !entry->enabled)
      return fail(Errc::not_found, "the account is not there any more");
    session.created = now.instant();
    number = state.catalog.sessions.next_number();
    begun.who.account = entry;
    engine::Transaction transaction =
        plan_session_begin(state, session, Instant{session.created.seconds - seconds(kAgeMax)});
    for (auto& ended : plan_sessions_end(state, session.created, [&](std::uint64_t each, auto&) {
                         return each == former;
                       }).sessions) {
      const bool deleted = std::ranges::any_of(
          transaction.sessions, [&](const auto& other) { return other.number == ended.number; });
      if (!deleted) transaction.sessions.push_back(std::move(ended));
    }
    return transaction;
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::session, plan));
  {
    const std::lock_guard lock(mutex_);
    uses_.erase(former);
    const std::chrono::nanoseconds now = node_.clock().steady();
    uses_[number] = {now, now, {}};
  }
  begun.who = signed_in(number, session, begun.who.account);
  return begun;
}

SignedIn Sessions::signed_in(std::uint64_t number, const engine::WebSession& session,
                             std::shared_ptr<const engine::Account> account) const {
  SignedIn who;
  who.session = number;
  who.number = session.account;
  who.account = std::move(account);
  who.expires = Instant{session.created.seconds + seconds(kAgeMax)};
  const auto* hash = reinterpret_cast<const char*>(session.secret_hash.data());
  who.csrf =
      base64url(node_.secrets().mac("csrf " + std::string(hash, session.secret_hash.size())));
  return who;
}

std::optional<Sessions::Use> Sessions::use_of(std::uint64_t number,
                                              const engine::WebSession& session) const {
  const std::chrono::nanoseconds now = node_.clock().steady();
  Use use;
  if (const auto found = uses_.find(number); found != uses_.end()) {
    use = found->second;
  } else {
    const std::chrono::seconds age(node_.clock().wall().instant().seconds -
                                   session.created.seconds);
    if (age < std::chrono::seconds(0)) return std::nullopt;
    use.began = use.last = now - age;
  }
  if (now - use.began >= kAgeMax || now - use.last > kIdleMax) return std::nullopt;
  return use;
}

bool Sessions::goes_on(std::uint64_t number, const engine::WebSession& session) const {
  const std::lock_guard lock(mutex_);
  return session.ended == Instant() && use_of(number, session).has_value();
}

bool Sessions::used_in_time(std::uint64_t number, const engine::WebSession& session) {
  const std::lock_guard lock(mutex_);
  auto use = use_of(number, session);
  if (!use) return false;
  use->last = node_.clock().steady();
  uses_[number] = *use;
  return true;
}

std::optional<SignedIn> Sessions::find(std::string_view secret) {
  if (secret.empty()) return std::nullopt;
  const engine::StatePtr state = node_.version().state;
  const engine::Table<engine::WebSession>& sessions = state->catalog.sessions;
  const std::uint64_t number =
      sessions.find_with<&engine::WebSession::secret_hash>(hash_of(secret));
  const auto session = sessions.find(number);
  if (session == nullptr || session->ended != Instant()) return std::nullopt;
  auto account = state->catalog.accounts.find(session->account);
  if (account == nullptr || !account->enabled || !used_in_time(number, *session))
    return std::nullopt;
  return signed_in(number, *session, std::move(account));
}

Status Sessions::end(const Caller& caller, std::uint64_t session) {
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    return plan_sessions_end(state, now.instant(),
                             [&](std::uint64_t each, auto&) { return each == session; });
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::session, plan));
  const std::lock_guard lock(mutex_);
  uses_.erase(session);
  return {};
}

Status Sessions::end_others(const Caller& caller, std::uint64_t account, std::uint64_t kept) {
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    return plan_sessions_end(state, now.instant(),
                             [&](std::uint64_t each, const engine::WebSession& session) {
                               return session.account == account && each != kept;
                             });
  };
  return node_.commit(caller, engine::Cause::session, plan);
}

void Sessions::confirm(std::uint64_t session) {
  const std::lock_guard lock(mutex_);
  uses_[session].confirmed_until = node_.clock().steady() + kConfirmedFor;
}

bool Sessions::is_confirmed(std::uint64_t session) const {
  const std::lock_guard lock(mutex_);
  const auto use = uses_.find(session);
  return use != uses_.end() && node_.clock().steady() < use->second.confirmed_until;
}

}  // namespace netml::admin
