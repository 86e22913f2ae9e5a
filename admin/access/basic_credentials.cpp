#include "admin/access/basic_credentials.hpp"

#include <sodium.h>

#include "engine/base/texts.hpp"

namespace netml::admin {

std::optional<Credentials> basic_credentials(const net::Headers& headers) {
  constexpr std::string_view kScheme = "Basic ";
  constexpr std::size_t kCredentialBytesMax = 1024;
  const std::string_view value = headers.get("Authorization");
  if (value.size() <= kScheme.size() || value.size() > kCredentialBytesMax ||
      !equals_ignoring_case(value.substr(0, kScheme.size()), kScheme))
    return std::nullopt;
  const std::string_view encoded = value.substr(kScheme.size());
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

}  // namespace netml::admin
