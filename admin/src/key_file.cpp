#include "admin/src/key_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "admin/services/secrets.hpp"
#include "engine/ed25519.hpp"
#include "engine/sha256.hpp"
#include "wal/crc32c.hpp"
#include "wal/signatures.hpp"

namespace netml::admin {

namespace {

constexpr std::array kKeyFileMagic{std::byte{'N'}, std::byte{'M'}, std::byte{'K'}, std::byte{'1'}};
constexpr std::size_t kKeyFileCrcAt = kKeyFileMagic.size() + kSecretKeyBytes;
constexpr std::array kKeyFiles{kNodeKeyFile, kSigningKeyFile};

std::array<std::byte, 4> key_file_checksum(std::span<const std::byte> bytes) {
  const std::uint32_t crc = wal::crc32c(bytes);
  std::array<std::byte, 4> stored;
  for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = static_cast<std::byte>(crc >> 8 * i);
  return stored;
}

}  // namespace

std::vector<std::byte> encode_key_file(const SecretKey& key) {
  std::vector<std::byte> bytes(kKeyFileMagic.begin(), kKeyFileMagic.end());
  bytes.insert(bytes.end(), key.begin(), key.end());
  const auto checksum = key_file_checksum(bytes);
  bytes.insert(bytes.end(), checksum.begin(), checksum.end());
  return bytes;
}

std::optional<SecretKey> decode_key_file(std::span<const std::byte> bytes) {
  const bool has_magic = bytes.size() >= kKeyFileMagic.size() &&
                         std::ranges::equal(bytes.first(kKeyFileMagic.size()), kKeyFileMagic);
  const bool whole = has_magic && bytes.size() == kKeyFileBytesMax &&
                     std::ranges::equal(bytes.subspan(kKeyFileCrcAt),
                                        key_file_checksum(bytes.first(kKeyFileCrcAt)));
  // One of today that was cut is none of an earlier version.
  const bool earlier = !has_magic && bytes.size() == kSecretKeyBytes;
  if (!whole && !earlier) return std::nullopt;
  SecretKey key;
  std::ranges::copy(bytes.subspan(whole ? kKeyFileMagic.size() : 0, key.size()), key.begin());
  return key;
}

Result<SecretKey> read_key_file(wal::Storage& data, std::string_view name) {
  NETML_TRY_VOID(data.check_secret(name));
  const auto bytes = wal::read_file(data, name, kKeyFileBytesMax);
  if (!bytes && bytes.error().code != Errc::too_large) return tl::unexpected(bytes.error());
  if (bytes)
    if (const auto key = decode_key_file(*bytes)) return *key;
  return fail(Errc::corruption,
              fmt::format("{}/{} is damaged, so it is neither used nor replaced: put back a copy "
                          "of it. Only where there is none, move it away: another can be made "
                          "then, which opens nothing of what this one sealed",
                          data.path(), name));
}

Status write_key_file(wal::Storage& data, std::string_view name, const SecretKey& key) {
  return wal::replace_file(data, name, encode_key_file(key));
}

std::vector<std::string> damaged_keys(wal::Storage& data) {
  std::vector<std::string> findings;
  for (const std::string_view name : kKeyFiles) {
    const auto key = read_key_file(data, name);
    if (!key && key.error().code != Errc::not_found) findings.push_back(key.error().message);
  }
  return findings;
}

std::vector<std::string> misfit_keys(wal::Storage& data, const engine::Catalog& catalog) {
  std::vector<std::string> findings;
  if (const auto key = read_key_file(data, kNodeKeyFile)) {
    const SealedTexts sealed = try_sealed_texts(*key, catalog);
    if (sealed.count != 0 && !sealed.opened)
      findings.push_back(fmt::format(
          "{}/{} opens none of the {} tokens and accounts: it is damaged or that of another node, "
          "or those are of a key that was lost",
          data.path(), kNodeKeyFile, sealed.count));
  }
  if (const auto key = read_key_file(data, kSigningKeyFile)) {
    const auto signatures = wal::read_signatures(data);
    if (signatures && signatures->find(to_hex(ed25519_public_key(*key))) == std::string::npos)
      findings.push_back(
          fmt::format("{}/{} has signed no checkpoint yet: it is damaged or that of another node, "
                      "or it was made just now",
                      data.path(), kSigningKeyFile));
  }
  return findings;
}

SealedTexts try_sealed_texts(const SecretKey& key, const engine::Catalog& catalog) {
  const Secrets secrets(key);
  SealedTexts sealed;
  const auto look_at = [&](const std::string& text) {
    if (text.empty()) return;
    ++sealed.count;
    sealed.opened = sealed.opened || secrets.open(text).has_value();
  };
  catalog.tokens.for_each(
      [&](std::uint64_t, const engine::Token& token) { look_at(token.ciphertext); });
  catalog.accounts.for_each(
      [&](std::uint64_t, const engine::Account& account) { look_at(account.sealed_password); });
  return sealed;
}

}  // namespace netml::admin
