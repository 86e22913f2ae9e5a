#include "admin/node/secrets.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <cstring>
#include <span>
#include <type_traits>

#include "admin/node/key_file.hpp"

namespace netml::admin {

namespace {

unsigned char* bytes(std::byte* data) {
  return reinterpret_cast<unsigned char*>(data);
}
const unsigned char* bytes(const std::byte* data) {
  return reinterpret_cast<const unsigned char*>(data);
}
const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

static_assert(std::is_same_v<Secrets::Key, SecretKey>, "it is what the file holds");

Secrets::Key derive(const Secrets::Key& key, std::uint64_t number) {
  Secrets::Key derived;
  crypto_kdf_derive_from_key(bytes(derived.data()), derived.size(), number, "netmlkey",
                             bytes(key.data()));
  return derived;
}

Result<Secrets::Key> make_key(wal::Storage& data, Random& random) {
  Secrets::Key key;
  random.fill(key);
  NETML_TRY_VOID(write_key_file(data, kNodeKeyFile, key));
  return key;
}

}  // namespace

SystemRandom::SystemRandom() {
  const int ready = sodium_init();  // does nothing when it was called before
  NETML_ASSERT(ready >= 0);
}

void SystemRandom::fill(std::span<std::byte> target) {
  randombytes_buf(target.data(), target.size());
}

std::string make_token_value(Random& random) {
  std::array<std::byte, 24> raw;
  random.fill(raw);
  std::array<char, 33> text;
  sodium_bin2base64(text.data(), text.size(), bytes(raw.data()), raw.size(),
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  return text.data();
}

Secrets::Secrets(const Key& key) : mac_key_(derive(key, 1)), seal_key_(derive(key, 2)) {}

Result<Secrets> Secrets::load(wal::Storage& data, Random& random, KeyIfMissing if_missing) {
  const Result<Key> stored = read_key_file(data, kNodeKeyFile);
  if (stored) return Secrets(*stored);
  if (stored.error().code != Errc::not_found) return tl::make_unexpected(stored.error());
  if (if_missing == KeyIfMissing::refuse)
    return fail(Errc::not_found, fmt::format("{}/{} is missing", data.path(), kNodeKeyFile));
  NETML_TRY(const Key key, make_key(data, random));
  return Secrets(key);
}

// Whoever looks at data without their key has none to copy.
Status Secrets::copy_key(wal::Storage& from, wal::Storage& to) {
  const Result<Key> key = read_key_file(from, kNodeKeyFile);
  if (!key && key.error().code == Errc::not_found) return {};
  if (!key) return tl::unexpected(key.error());
  return write_key_file(to, kNodeKeyFile, *key);
}

std::array<std::byte, 32> Secrets::mac(std::string_view value) const {
  std::array<std::byte, 32> result;
  crypto_auth_hmacsha256(bytes(result.data()), bytes(value), value.size(), bytes(mac_key_.data()));
  return result;
}

bool Secrets::equal(const std::array<std::byte, 32>& a, const std::array<std::byte, 32>& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string Secrets::seal(std::string_view text, Random& random) const {
  std::array<std::byte, crypto_aead_xchacha20poly1305_ietf_NPUBBYTES> nonce;
  random.fill(nonce);
  std::string sealed(nonce.size() + text.size() + crypto_aead_xchacha20poly1305_ietf_ABYTES, '\0');
  std::memcpy(sealed.data(), nonce.data(), nonce.size());
  crypto_aead_xchacha20poly1305_ietf_encrypt(
      reinterpret_cast<unsigned char*>(sealed.data()) + nonce.size(), nullptr, bytes(text),
      text.size(), nullptr, 0, nullptr, bytes(nonce.data()), bytes(seal_key_.data()));
  return sealed;
}

std::optional<std::string> Secrets::open(std::string_view sealed) const {
  constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
  constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;
  if (sealed.size() < kNonce + kTag) return std::nullopt;
  std::string text(sealed.size() - kNonce - kTag, '\0');
  const int valid = crypto_aead_xchacha20poly1305_ietf_decrypt(
      reinterpret_cast<unsigned char*>(text.data()), nullptr, nullptr, bytes(sealed) + kNonce,
      sealed.size() - kNonce, nullptr, 0, bytes(sealed), bytes(seal_key_.data()));
  if (valid != 0) return std::nullopt;
  return text;
}

}  // namespace netml::admin
