#include "admin/webhooks/detail/webhook_signature.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <span>
#include <vector>

namespace netml::admin {

namespace {

constexpr std::string_view kSecretPrefix = "whsec_";
constexpr std::size_t kSecretBytes = 32;

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string base64(std::span<const unsigned char> bytes) {
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the zero at its end
  return text;
}

Result<std::vector<unsigned char>> key_of(std::string_view secret) {
  std::vector<unsigned char> key(secret.size());
  std::size_t length = 0;
  if (secret.starts_with(kSecretPrefix)) {
    const std::string_view text = secret.substr(kSecretPrefix.size());
    const int decoded = sodium_base642bin(key.data(), key.size(), text.data(), text.size(), nullptr,
                                          &length, nullptr, sodium_base64_VARIANT_ORIGINAL);
    if (decoded != 0) length = 0;
  }
  if (length == 0) return fail(Errc::corruption, "the secret is not one that was made here");
  key.resize(length);
  return key;
}

}  // namespace

std::string make_webhook_secret(Random& random) {
  std::array<unsigned char, kSecretBytes> bytes;
  random.fill(std::as_writable_bytes(std::span(bytes)));
  return std::string(kSecretPrefix) + base64(bytes);
}

Result<std::string> webhook_signature(std::string_view secret, std::string_view id,
                                      std::int64_t seconds, std::string_view body) {
  NETML_TRY(const std::vector<unsigned char> key, key_of(secret));
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, key.data(), key.size());
  const std::string before = fmt::format("{}.{}.", id, seconds);
  crypto_auth_hmacsha256_update(&state, octets(before), before.size());
  crypto_auth_hmacsha256_update(&state, octets(body), body.size());
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> mac;
  crypto_auth_hmacsha256_final(&state, mac.data());
  return "v1," + base64(mac);
}

}  // namespace netml::admin
