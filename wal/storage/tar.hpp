// Members of a tar archive (POSIX ustar), as far as a backup needs them: regular files with plain
// names (docs/format/backup.md). Sizes from 8 GiB on are written in base 256, as tar programs do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::wal {

inline constexpr std::size_t kTarBlockBytes = 512;
using TarBlock = std::array<std::byte, kTarBlockBytes>;

struct TarMember {
  std::string name;  // at most 99 bytes
  std::uint64_t bytes = 0;
};

TarBlock encode_tar_header(const TarMember& member);
// Nothing for a block of zeros, which ends an archive. Errc::invalid_input for what is no header of
// a regular file.
Result<std::optional<TarMember>> decode_tar_header(std::span<const std::byte> block);

// Zeros between a content of this length and the next header.
constexpr std::uint64_t tar_padding(std::uint64_t bytes) {
  return (kTarBlockBytes - bytes % kTarBlockBytes) % kTarBlockBytes;
}

}  // namespace netml::wal
