#include "engine/base/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <new>
#include <utility>

#include "engine/base/hex.hpp"
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
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(2 * bytes.size(), '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = std::to_integer<std::size_t>(bytes[i]);
    text[2 * i] = kDigits[byte >> 4];
    text[2 * i + 1] = kDigits[byte & 0xf];
  }
  return text;
}

std::optional<Sha256> parse_sha256(std::string_view hex) {
  Sha256 hash{};
  return parse_hex(hex, hash) ? std::optional(hash) : std::nullopt;
}

std::string generated_id(Kind kind, std::string_view name, std::string_view short_name) {
  const std::string text = fmt::format("{}:{}:{}", kind_name(kind), name, short_name);
  return to_hex(Sha256Hasher().hash(std::as_bytes(std::span(text))));
}

}  // namespace netml
