#include "admin/access/tokens.hpp"

#include <fmt/format.h>

#include "admin/settings/settings.hpp"
#include "engine/edit/plan_access.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::admin {

namespace {
constexpr std::size_t kClientNameCharactersMax =
    engine::characters_max(&engine::Token::client_name);
constexpr std::size_t kValueCharactersMax = 32;
constexpr std::uint64_t kRefusedPerMinute = 100;

// Whether values can be shown later on (A4).
bool keeps_values(const engine::State& state) {
  return setting_value(state.catalog, kTokenDisplay) != kTokenDisplayOnce;
}
// Whether a token of that kind may be bound to the view.
Status may_show(const engine::State& state, engine::TokenKind kind, std::uint64_t view) {
  if (view == 0) return {};
  if (kind != engine::TokenKind::polling)
    return fail(Errc::invalid_input, "view", "is of polling tokens only; others show no map");
  if (state.catalog.views.find(view) != nullptr) return {};
  return fail(Errc::invalid_input, "view", fmt::format("there is no view {}", view));
}
}  // namespace

Result<engine::TokenKind> parse_token_kind(std::string_view text) {
  if (text == "polling" || text == "netml_export" || text == "grenml_export")
    return engine::TokenKind::polling;
  if (text == "import" || text == "netml_import" || text == "grenml_import")
    return engine::TokenKind::import;
  return fail(Errc::invalid_input, "the kind of a token is polling or import");
}

const char* token_kind_name(engine::TokenKind kind) {
  switch (kind) {
    case engine::TokenKind::polling:
      return "polling";
    case engine::TokenKind::import:
      return "import";
    case engine::TokenKind::none:
      break;
  }
  return "none";
}

Result<std::string> Tokens::create(const Caller& caller, std::string client_name,
                                   engine::TokenKind kind, std::uint64_t view) {
  std::string value = make_token_value(node_.random());
  NETML_TRY_VOID(store(caller, std::move(client_name), kind, value, view));
  return value;
}

Status Tokens::store(const Caller& caller, std::string client_name, engine::TokenKind kind,
                     const std::string& value, std::uint64_t view) {
  if (client_name.empty() || engine::character_count(client_name) > kClientNameCharactersMax)
    return fail(Errc::invalid_input, fmt::format("the name of a token has 1 to {} characters",
                                                 kClientNameCharactersMax));
  if (value.empty() || engine::character_count(value) > kValueCharactersMax)
    return fail(Errc::invalid_input,
                fmt::format("a token has 1 to {} characters", kValueCharactersMax));
  engine::Token token;
  token.client_name = std::move(client_name);
  token.kind = kind;
  token.view = view;
  token.mac = node_.secrets().mac(value);
  token.ciphertext = node_.secrets().seal(value, node_.random());
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    if (state.catalog.tokens.find_with<&engine::Token::mac>(token.mac) != 0)
      return fail(Errc::conflict, "another client has this token");
    NETML_TRY_VOID(may_show(state, kind, view));
    token.created = now.instant();
    if (!keeps_values(state)) token.ciphertext.clear();
    return plan_token_create(state, token);
  };
  return node_.commit(caller, engine::Cause::token, plan);
}

Status Tokens::remove(const Caller& caller, const std::string& client_name) {
  const auto plan = [&](const engine::State& state, WallTime) {
    return plan_token_delete(state, client_name);
  };
  return node_.commit(caller, engine::Cause::token, plan);
}

namespace {

tl::unexpected<Error> no_such_token(std::uint64_t number) {
  return fail(Errc::not_found, fmt::format("there is no token {}", number));
}

}  // namespace

Status Tokens::update(const Caller& caller, std::uint64_t number, std::string client_name,
                      engine::TokenKind kind, std::uint64_t view) {
  if (client_name.empty() || engine::character_count(client_name) > kClientNameCharactersMax)
    return fail(Errc::invalid_input, "name",
                fmt::format("has 1 to {} characters", kClientNameCharactersMax));
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    const auto before = state.catalog.tokens.find(number);
    if (before == nullptr) return no_such_token(number);
    engine::Token token = *before;
    token.client_name = client_name;
    token.kind = kind;
    token.view = view;
    NETML_TRY_VOID(may_show(state, kind, view));
    return plan_token_update(state, number, std::move(token));
  };
  return node_.commit(caller, engine::Cause::token, plan);
}

Result<std::string> Tokens::regenerate(const Caller& caller, std::uint64_t number) {
  std::string value = make_token_value(node_.random());
  const auto plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    const auto before = state.catalog.tokens.find(number);
    if (before == nullptr) return no_such_token(number);
    engine::Token token = *before;
    token.mac = node_.secrets().mac(value);
    token.ciphertext = keeps_values(state) ? node_.secrets().seal(value, node_.random()) : "";
    token.created = now.instant();
    return plan_token_update(state, number, std::move(token));
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::token, plan));
  return value;
}

Result<std::string> Tokens::show(const Caller& caller, std::uint64_t number) {
  std::string value;
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    const auto before = state.catalog.tokens.find(number);
    if (before == nullptr) return no_such_token(number);
    if (before->ciphertext.empty())
      return fail(Errc::conflict, "the value is shown when it is made, and kept nowhere");
    auto opened = node_.secrets().open(before->ciphertext);
    if (!opened)
      return fail(Errc::conflict,
                  "the value was encrypted under a key that is lost; make a new one");
    value = *std::move(opened);
    engine::Token token = *before;
    ++token.shown;
    return plan_token_update(state, number, std::move(token));
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::token, plan));
  node_.events().warning("token", fmt::format("the value of token {} was shown to {} at {}", number,
                                              net::excerpt(caller.actor), caller.source));
  return value;
}

// Looked up by its HMAC, which tells nothing of the value to who does not have the key, then
// compared in constant time (A2, A3).
std::optional<TokenHolder> Tokens::check(std::string_view value, engine::TokenKind wanted) {
  const engine::StatePtr state = node_.version().state;
  const auto mac = node_.secrets().mac(value);
  const std::uint64_t number = state->catalog.tokens.find_with<&engine::Token::mac>(mac);
  if (number == 0) return std::nullopt;
  const auto token = state->catalog.tokens.find(number);
  if (!Secrets::equal(token->mac, mac) || token->kind != wanted) return std::nullopt;
  return TokenHolder{token->client_name, number, token->view};
}

bool Tokens::refused(std::string_view client_address) {
  const std::uint64_t count = refused_.add(client_address);
  if (count == 1)
    node_.events().warning(
        "token", fmt::format("a token from {} opens nothing; more of them within a minute are "
                             "counted",
                             client_address));
  if (count == kRefusedPerMinute + 1)
    node_.events().warning(
        "token", fmt::format("more than {} tokens from {} open nothing; for the rest of the minute "
                             "its connections end with each such answer",
                             kRefusedPerMinute, client_address));
  return count > kRefusedPerMinute;
}

}  // namespace netml::admin
