#include "engine/base/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <new>
#include <utility>

#include "engine/base/result.hpp"

namespace netml {

namespace {

EVP_MD_CTX* begun() {
  EVP_MD_CTX* const context = EVP_MD_CTX_new();
  if (context != nullptr && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1) return context;
  EVP_MD_CTX_free(context);
  throw std::bad_alloc();
}

}  // namespace

Sha256Hasher::Sha256Hasher() : context_(begun()) {}

Sha256Hasher::~Sha256Hasher() {
  EVP_MD_CTX_free(context_);
}

// Where there is no memory for that now, it begins when it is used again.
void Sha256Hasher::start() {
  if (EVP_DigestInit_ex(context_, nullptr, nullptr) != 1)
    EVP_MD_CTX_free(std::exchange(context_, nullptr));
}

void Sha256Hasher::add(std::span<const std::byte> bytes) {
  if (context_ == nullptr) context_ = begun();
  NETML_ASSERT(EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1);
}

Sha256 Sha256Hasher::finish() {
  if (context_ == nullptr) context_ = begun();
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
