#include "engine/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "engine/result.hpp"

namespace netml {

Sha256Hasher::Sha256Hasher() : context_(EVP_MD_CTX_new()) {
  NETML_ASSERT(context_ != nullptr);
  NETML_ASSERT(EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1);
}

Sha256Hasher::~Sha256Hasher() {
  EVP_MD_CTX_free(context_);
}

void Sha256Hasher::start() {
  NETML_ASSERT(EVP_DigestInit_ex(context_, nullptr, nullptr) == 1);
}

void Sha256Hasher::add(std::span<const std::byte> bytes) {
  NETML_ASSERT(EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1);
}

Sha256 Sha256Hasher::finish() {
  Sha256 hash;
  NETML_ASSERT(
      EVP_DigestFinal_ex(context_, reinterpret_cast<unsigned char*>(hash.data()), nullptr) == 1);
  start();
  return hash;
}

Sha256 Sha256Hasher::hash(std::span<const std::byte> bytes) {
  add(bytes);
  return finish();
}

std::string to_hex(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<int>(byte));
  return text;
}

std::string generated_id(Kind kind, std::string_view name, std::string_view short_name) {
  const std::string text = fmt::format("{}:{}:{}", kind_name(kind), name, short_name);
  return to_hex(Sha256Hasher().hash(std::as_bytes(std::span(text))));
}

}  // namespace netml
