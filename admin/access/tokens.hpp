// Bearer tokens (docs/requirements/http-api.md, section 4; rules A1 to A4).
//
// Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "admin/base/minute_counts.hpp"
#include "admin/node/node.hpp"

namespace netml::admin {

// Whose token it is.
struct TokenHolder {
  std::string client_name;
  std::uint64_t token = 0;  // table number
  std::uint64_t view = 0;   // that it shows the map through; 0: all of it
};

class Tokens {
 public:
  explicit Tokens(Node& node) : node_(node), refused_(node.clock()) {}

  // The value, which is made once and never changes. Errc::conflict when the name is taken.
  Result<std::string> create(const Caller& caller, std::string client_name, engine::TokenKind kind,
                             std::uint64_t view = 0);
  // A value of somebody else's choice, of at most 32 characters. Errc::conflict when the name or
  // the value is taken.
  Status store(const Caller& caller, std::string client_name, engine::TokenKind kind,
               const std::string& value, std::uint64_t view = 0);
  Status remove(const Caller& caller, const std::string& client_name);

  // By their numbers; Errc::not_found. A view is a table number, 0 for all of the map.
  Status update(const Caller& caller, std::uint64_t number, std::string client_name,
                engine::TokenKind kind, std::uint64_t view = 0);
  // The new value; the former one opens nothing any more.
  Result<std::string> regenerate(const Caller& caller, std::uint64_t number);
  // The value, for an administrator. It is given once the journal has that it was shown, to whom
  // and where (A19). Errc::conflict when it is kept nowhere (TOKEN_DISPLAY) or cannot be decrypted.
  Result<std::string> show(const Caller& caller, std::uint64_t number);

  // Who holds this token, if it is of that kind and valid now. In constant time with regard to the
  // value (A3). `value` is empty when the request had no well-formed bearer token; the look-up is
  // made all the same, so that the answer's time tells nothing (A2).
  std::optional<TokenHolder> check(std::string_view value, engine::TokenKind wanted);
  // Of credentials that opened nothing. True: there were too many from that address, so the
  // connection ends with the answer; good tokens from there go on opening. Logged at most twice a
  // minute for each address; too many are more than 100 a minute (A8).
  bool refused(std::string_view client_address);

 private:
  Node& node_;
  MinuteCounts refused_;
};

// "polling" and "import", or an alias: netml_export, grenml_import and their kin.
Result<engine::TokenKind> parse_token_kind(std::string_view text);
const char* token_kind_name(engine::TokenKind kind);

}  // namespace netml::admin
