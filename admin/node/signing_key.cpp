#include "admin/node/signing_key.hpp"

#include <fmt/format.h>

#include "admin/node/key_file.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin {

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
