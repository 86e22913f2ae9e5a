// The key that signs checkpoints: `signing.key` in the data directory, in no backup
// (docs/format/signatures.md). There need not be one.
#pragma once

#include <optional>

#include "engine/base/ed25519.hpp"
#include "engine/base/random.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

// Errc::corruption when it is damaged.
Result<std::optional<Ed25519Seed>> read_signing_key(wal::Storage& data);
// Errc::conflict when there is one, which is named by its public half.
Result<Ed25519Seed> make_signing_key(wal::Storage& data, Random& random);

}  // namespace netml::admin
