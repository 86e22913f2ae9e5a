// The names of the files in uploads/, and what they hold (docs/format/stored-files.md): a file
// under its SHA-256 in hexadecimal, or compressed, with ".zst" behind that.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/ids.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

enum class StoredAs : std::uint8_t {
  itself,
  compressed,  // by a PackedWriter; in data directories of version 4 only
};

// `hash`: of the content, in both cases.
std::string stored_name(const Sha256& hash, StoredAs how);
// The hash in hexadecimal that the name of a stored file says.
std::string_view hash_in_name(std::string_view name);

// The content of the file `name`, for reading. Errc::corruption when it is compressed and damaged:
// now, or when the damaged part is read.
Result<std::unique_ptr<File>> open_stored(Storage& uploads, std::string_view name);
// That with this hash, however it is stored. Errc::not_found.
Result<std::unique_ptr<File>> open_stored(Storage& uploads, const Sha256& hash);
// Whether there is one, damaged or not.
bool is_stored(Storage& uploads, const Sha256& hash);

}  // namespace netml::wal
