#include "admin/node/key_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/base/key_texts.hpp"
#include "engine/base/sha256.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::admin {

namespace {

constexpr std::array kKeyFileMagic{std::byte{'N'}, std::byte{'M'}, std::byte{'K'}, std::byte{'1'}};
constexpr std::size_t kKeyFileCrcAt = kKeyFileMagic.size() + kSecretKeyBytes;

std::array<std::byte, 4> key_file_checksum(std::span<const std::byte> bytes) {
  const std::uint32_t crc = wal::crc32c(bytes);
  std::array<std::byte, 4> stored;
  for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = static_cast<std::byte>(crc >> 8 * i);
  return stored;
}

// What follows where there is no copy of it.
std::string_view without_it(std::string_view name) {
  if (name == kSigningKeyFile)
    return "no checkpoint is signed then until netml key create makes another";
  return "another is made at the next start, and tokens, accounts and passwords of peers must be "
         "made anew";
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
              fmt::format("{}/{}{}put back a copy of it. Only where there is "
                          "none, move it away: {}",
                          data.path(), name, cli::kDamagedKeyText, without_it(name)));
}

Status write_key_file(wal::Storage& data, std::string_view name, const SecretKey& key) {
  return wal::replace_file(data, name, encode_key_file(key));
}

Result<std::optional<Ed25519Seed>> read_signing_key(wal::Storage& data) {
  const Result<Ed25519Seed> key = read_key_file(data, kSigningKeyFile);
  if (!key && key.error().code == Errc::not_found) return std::nullopt;
  NETML_TRY_VOID(key);
  return *key;
}

Result<Ed25519Seed> make_signing_key(wal::Storage& data, Random& random) {
  NETML_TRY(const std::optional<Ed25519Seed> present, read_signing_key(data));
  if (present)
    return fail(Errc::conflict,
                fmt::format("there is a signing key, with the public key {}; nothing was changed. "
                            "To have another, move {}/{} away and stop the server first",
                            to_hex(ed25519_public_key(*present)), data.path(), kSigningKeyFile));
  Ed25519Seed seed;
  random.fill(seed);
  NETML_TRY_VOID(write_key_file(data, kSigningKeyFile, seed));
  return seed;
}

}  // namespace netml::admin
