#include "admin/src/signing_key.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/sha256.hpp"

namespace netml::admin {

namespace {
constexpr std::string_view kFile = "signing.key";
}  // namespace

Result<std::optional<Ed25519Seed>> read_signing_key(wal::Storage& data) {
  const Status secret = data.check_secret(kFile);
  if (!secret && secret.error().code == Errc::not_found) return std::nullopt;
  NETML_TRY_VOID(secret);
  Ed25519Seed seed;
  NETML_TRY(const std::vector<std::byte> bytes, read_file(data, kFile, seed.size()));
  if (bytes.size() != seed.size())
    return fail(Errc::corruption,
                fmt::format("{}/{} is not a key of {} bytes: put back a copy, or move it away and "
                            "make another with netml key create",
                            data.path(), kFile, seed.size()));
  std::ranges::copy(bytes, seed.begin());
  return seed;
}

Result<Ed25519Seed> make_signing_key(wal::Storage& data, Random& random) {
  NETML_TRY(const std::optional<Ed25519Seed> present, read_signing_key(data));
  if (present)
    return fail(Errc::conflict,
                fmt::format("there is a signing key, with the public key {}; nothing was changed. "
                            "To have another, move {}/{} away and stop the server first",
                            to_hex(ed25519_public_key(*present)), data.path(), kFile));
  Ed25519Seed seed;
  random.fill(seed);
  NETML_TRY_VOID(replace_file(data, kFile, seed));
  return seed;
}

}  // namespace netml::admin
