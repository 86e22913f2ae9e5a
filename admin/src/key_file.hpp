// The files of secret keys in the data directory, `node.key` and `signing.key`, mode 0600:
//
//   NMK1      4 bytes
//   key       32 bytes
//   checksum  4 bytes: CRC32C of the 36 bytes before it, little-endian
//
// Earlier versions stored the 32 bytes of the key alone; such a file is read as it is.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/catalog.hpp"
#include "wal/storage.hpp"

namespace netml::admin {

inline constexpr std::string_view kNodeKeyFile = "node.key";
inline constexpr std::string_view kSigningKeyFile = "signing.key";

inline constexpr std::size_t kSecretKeyBytes = 32;
using SecretKey = std::array<std::byte, kSecretKeyBytes>;

inline constexpr std::size_t kKeyFileBytesMax = 4 + kSecretKeyBytes + 4;

std::vector<std::byte> encode_key_file(const SecretKey& key);
// Nothing unless the bytes are what was stored, or a key of an earlier version.
std::optional<SecretKey> decode_key_file(std::span<const std::byte> bytes);

// Errc::not_found when there is none, Errc::denied when others may read it, Errc::corruption when
// it is damaged.
Result<SecretKey> read_key_file(wal::Storage& data, std::string_view name);
// Durably.
Status write_key_file(wal::Storage& data, std::string_view name, const SecretKey& key);

// Those that are there and cannot be used, for people to read.
std::vector<std::string> damaged_keys(wal::Storage& data);
// Those that can be used and fit nothing that was made with them: a key of an earlier version that
// is damaged, or the key of another node.
std::vector<std::string> misfit_keys(wal::Storage& data, const engine::Catalog& catalog);

// What tokens and accounts keep sealed, and whether a key opens any of it.
struct SealedTexts {
  std::size_t count = 0;
  bool opened = false;
};
SealedTexts try_sealed_texts(const SecretKey& key, const engine::Catalog& catalog);

}  // namespace netml::admin
