#include "engine/base/ed25519.hpp"

#include <openssl/evp.h>

#include <memory>

#include "engine/base/guarded.hpp"
#include "engine/base/result.hpp"

namespace netml {

namespace {

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Context = std::unique_ptr<EVP_MD_CTX, Free>;

const unsigned char* input(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* output(std::span<std::byte> bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

Key private_key(const Ed25519Seed& seed) {
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, input(seed), seed.size()));
  check_allocated(key != nullptr);
  return key;
}

}  // namespace

Ed25519PublicKey ed25519_public_key(const Ed25519Seed& seed) {
  const Key key = private_key(seed);
  Ed25519PublicKey result;
  std::size_t size = result.size();
  NETML_ASSERT(EVP_PKEY_get_raw_public_key(key.get(), output(result), &size) == 1);
  return result;
}

Ed25519Signature ed25519_sign(const Ed25519Seed& seed, std::span<const std::byte> message) {
  const Key key = private_key(seed);
  const Context context(EVP_MD_CTX_new());
  Ed25519Signature signature;
  std::size_t size = signature.size();
  check_allocated(context != nullptr);
  check_allocated(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
  check_allocated(
      EVP_DigestSign(context.get(), output(signature), &size, input(message), message.size()) == 1);
  return signature;
}

bool ed25519_verify(const Ed25519PublicKey& key, std::span<const std::byte> message,
                    const Ed25519Signature& signature) {
  const Key public_key(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, input(key), key.size()));
  const Context context(EVP_MD_CTX_new());
  if (public_key == nullptr) return false;  // no point of the curve
  check_allocated(context != nullptr);
  check_allocated(
      EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, public_key.get()) == 1);
  return EVP_DigestVerify(context.get(), input(signature), signature.size(), input(message),
                          message.size()) == 1;
}

}  // namespace netml
