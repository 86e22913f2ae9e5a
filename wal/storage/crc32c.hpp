// CRC32C (Castagnoli, reflected polynomial 0x82F63B78): what every checksum on disk is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace netml::wal {

// The checksum of `bytes` following what gave `previous`; 0 for a fresh start.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t previous = 0);

// The same by table, whatever the processor: what crc32c falls back to.
std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t previous = 0);

}  // namespace netml::wal
