// A segment compressed with Zstandard, and read as if it were not.
#pragma once

#include <memory>

#include "engine/base/ids.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

// Packs the first `bytes` of `from` into `to`; the SHA-256 of what was compressed. Not synced.
Result<Sha256> pack(File& from, std::uint64_t bytes, File& to);

// `bytes`: of the content, unpacked. It is unpacked as far as it is read, and kept: random access
// costs memory, not time. Errc::corruption when `compressed` is damaged.
std::unique_ptr<File> unpacked(std::unique_ptr<File> compressed, std::uint64_t bytes);

}  // namespace netml::wal
