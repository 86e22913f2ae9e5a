// How much memory an import takes, estimated from the file's format and size before it is begun
// (docs/operation.md, "Memory", has what was measured and the command that repeats it).
//
// Thread: any (pure functions).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "codecs/formats/file_format.hpp"

namespace netml::admin {

// Beside what was read: what waits to be written, which its spool accounts for.
inline constexpr std::uint64_t kImportBuffersMax = 16ULL << 20;

// Of what was read.
inline std::uint64_t import_document_bytes(const codecs::FileFormat& format,
                                           std::uint64_t file_bytes) {
  return format.memory_for_byte * file_bytes;
}
// Of it all.
inline std::uint64_t import_memory_bytes(const codecs::FileFormat& format,
                                         std::uint64_t file_bytes) {
  return import_document_bytes(format, file_bytes) + std::min(file_bytes, kImportBuffersMax);
}

}  // namespace netml::admin
