#include "admin/access/request_credentials.hpp"

#include <sodium.h>

#include "engine/base/texts.hpp"

namespace netml::admin {

namespace {

// What stands behind the scheme, one space between them; empty where it is another one.
std::string_view authorization(const net::Headers& headers, std::string_view scheme) {
  std::string_view value = headers.get("Authorization");
  return equals_ignoring_case(take_until(value, ' '), scheme) ? value : std::string_view();
}

}  // namespace

std::string_view bearer_token(const net::Headers& headers) {
  const std::string_view token = authorization(headers, "Bearer");
  return token.find_first_of(" \t") == token.npos ? token : std::string_view();
}

std::optional<Credentials> basic_credentials(const net::Headers& headers) {
  constexpr std::size_t kEncodedBytesMax = 1024;
  const std::string_view encoded = authorization(headers, "Basic");
  if (encoded.empty() || encoded.size() > kEncodedBytesMax) return std::nullopt;
  std::string text(encoded.size(), '\0');
  std::size_t length = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(text.data()), text.size(), encoded.data(),
                        encoded.size(), nullptr, &length, nullptr,
                        sodium_base64_VARIANT_ORIGINAL) != 0)
    return std::nullopt;
  text.resize(length);
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  return Credentials{text.substr(0, colon), text.substr(colon + 1)};
}

net::Response access_denied() {
  return net::refusal(403, "Failed access control check");
}

}  // namespace netml::admin
