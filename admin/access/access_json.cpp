#include "admin/access/access_json.hpp"

#include <boost/json.hpp>

#include "admin/access/tokens.hpp"

namespace netml::admin {

namespace json = boost::json;

json::object token_json(std::uint64_t number, const engine::Token& token) {
  return {{"id", number},
          {"client_name", token.client_name},
          {"kind", token_kind_name(token.kind)},
          {"created", format_instant(token.created)}};
}

json::object account_json(std::uint64_t number, const engine::Account& account) {
  return {{"id", number},
          {"name", account.name},
          {"email", account.email},
          {"role", role_name(account.role)},
          {"enabled", account.enabled},
          {"created", format_instant(account.created)}};
}

}  // namespace netml::admin
