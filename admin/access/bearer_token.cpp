#include "admin/access/bearer_token.hpp"

#include "engine/base/texts.hpp"

namespace netml::admin {

std::string_view bearer_token(const net::Headers& headers) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view value = headers.get("Authorization");
  if (value.size() <= kScheme.size() ||
      !equals_ignoring_case(value.substr(0, kScheme.size()), kScheme))
    return {};
  const std::string_view token = value.substr(kScheme.size());
  return token.find_first_of(" \t") == token.npos ? token : std::string_view();
}

net::Response access_denied() {
  return net::refusal(403, "Failed access control check");
}

}  // namespace netml::admin
