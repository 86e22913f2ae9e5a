// How much memory an import takes, estimated from the file's kind and size before it is begun
// (docs/operation.md, "Memory", has what was measured and the command that repeats it).
//
// Thread: any (pure functions).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "codecs/formats/file_format.hpp"

namespace netml::admin {

// The document, the transaction and the next version share the texts, so a file takes about its own
// size; a workbook is a compressed one.
inline constexpr std::uint64_t kImportMemoryOfText = 1;
inline constexpr std::uint64_t kImportMemoryOfWorkbook = 16;
// Beside that: what waits to be written, which its spool accounts for.
inline constexpr std::uint64_t kImportBuffersMax = 16ULL << 20;

// Of what was read; `file_name` decides the kind.
inline std::uint64_t import_document_bytes(std::string_view file_name, std::uint64_t file_bytes) {
  const bool workbook = codecs::format_of(file_name) == codecs::FileFormat::xlsx;
  return (workbook ? kImportMemoryOfWorkbook : kImportMemoryOfText) * file_bytes;
}
// Of it all.
inline std::uint64_t import_memory_bytes(std::string_view file_name, std::uint64_t file_bytes) {
  return import_document_bytes(file_name, file_bytes) + std::min(file_bytes, kImportBuffersMax);
}

}  // namespace netml::admin
