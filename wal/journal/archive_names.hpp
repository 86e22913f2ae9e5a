// Names of archived segments (docs/format/archive.md).
#pragma once

#include <string>
#include <string_view>

#include "wal/format/manifest.hpp"

namespace netml::wal {

inline constexpr std::string_view kCompressedSuffix = ".zst";
inline constexpr std::string_view kHashSuffix = ".sha256";

// In journal/, by what the manifest knows of it.
std::string segment_file_name(const SegmentEntry& entry);
inline std::string compressed_name(const SegmentEntry& entry) {
  return segment_file_name(entry) + std::string(kCompressedSuffix);
}

}  // namespace netml::wal
