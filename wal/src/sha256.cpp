#include "wal/src/sha256.hpp"

#include <openssl/evp.h>

#include "engine/result.hpp"

namespace netml::wal {

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

}  // namespace netml::wal
