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
#include <string_view>
#include <vector>

#include "engine/base/ed25519.hpp"
#include "engine/base/random.hpp"
#include "wal/storage/storage.hpp"

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

// The key that signs checkpoints (docs/format/signatures.md). There need not be one.
// Errc::corruption when it is damaged.
Result<std::optional<Ed25519Seed>> read_signing_key(wal::Storage& data);
// Errc::conflict when there is one, which is named by its public half.
Result<Ed25519Seed> make_signing_key(wal::Storage& data, Random& random);

}  // namespace netml::admin
