// Bearer tokens (docs/requirements/http-api.md, section 4; rules A1 to A4).
//
// Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "admin/base/minute_counts.hpp"
#include "admin/node/node.hpp"
#include "net/endpoints/ports.hpp"

namespace netml::admin {

class Tokens : public net::TokenChecker {
 public:
  explicit Tokens(Node& node) : node_(node), refused_(node.clock()) {}

  // The value, which is made once and never changes. Errc::conflict when the name is taken.
  Result<std::string> create(const Caller& caller, std::string client_name, engine::TokenKind kind);
  // A value of somebody else's choice, of at most 32 characters. Errc::conflict when the name or
  // the value is taken.
  Status store(const Caller& caller, std::string client_name, engine::TokenKind kind,
               const std::string& value);
  Status remove(const Caller& caller, const std::string& client_name);

  // By their numbers; Errc::not_found.
  Status update(const Caller& caller, std::uint64_t number, std::string client_name,
                engine::TokenKind kind);
  // The new value; the former one opens nothing any more.
  Result<std::string> regenerate(const Caller& caller, std::uint64_t number);
  // The value, for an administrator. It is told once the journal has that it was shown, to whom and
  // where (A19). Errc::conflict when it is kept nowhere (TOKEN_DISPLAY) or cannot be decrypted.
  Result<std::string> show(const Caller& caller, std::uint64_t number);

  std::optional<net::Identity> check(std::string_view value, net::TokenKind wanted) override;
  // Logged at most twice a minute for each address; too many are more than 100 a minute (A8).
  bool refused(std::string_view client_address) override;

 private:
  Node& node_;
  MinuteCounts refused_;
};

// "polling" and "import", or an alias: netml_export, grenml_import and their kin.
Result<engine::TokenKind> parse_token_kind(std::string_view text);
const char* token_kind_name(engine::TokenKind kind);

}  // namespace netml::admin
