#include "admin/src/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "engine/result.hpp"

namespace netml::admin {

Sha256Hasher::Sha256Hasher() : context_(EVP_MD_CTX_new()) {
  NETML_ASSERT(context_ != nullptr);
  const int ready = EVP_DigestInit_ex(context_, EVP_sha256(), nullptr);
  NETML_ASSERT(ready == 1);
}

Sha256Hasher::~Sha256Hasher() {
  EVP_MD_CTX_free(context_);
}

void Sha256Hasher::update(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(context_, bytes.data(), bytes.size());
}

Sha256 Sha256Hasher::finish() {
  Sha256 hash;
  EVP_DigestFinal_ex(context_, reinterpret_cast<unsigned char*>(hash.data()), nullptr);
  return hash;
}

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<int>(byte));
  return text;
}

std::string generated_id(Kind kind, std::string_view name, std::string_view short_name) {
  Sha256Hasher hasher;
  const std::string text = fmt::format("{}:{}:{}", kind_name(kind), name, short_name);
  hasher.update(std::as_bytes(std::span(text)));
  return hex(hasher.finish());
}

}  // namespace netml::admin
