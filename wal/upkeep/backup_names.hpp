// Names of a backup's members beside those of the data directory (docs/format/backup.md).
#pragma once

#include <string_view>

namespace netml::wal {

inline constexpr std::string_view kBackupHead = "head";
inline constexpr std::string_view kBackupSums = "SHA256SUMS";

}  // namespace netml::wal
