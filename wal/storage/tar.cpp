#include "wal/storage/tar.hpp"

#include <fmt/format.h>

#include <cstring>

#include "wal/storage/bytes.hpp"

namespace netml::wal {

namespace {

// Offset and length, as POSIX has them.
struct HeaderField {
  std::size_t at;
  std::size_t length;
};
constexpr HeaderField kName{0, 100};
constexpr HeaderField kMode{100, 8};
constexpr HeaderField kOwner{108, 8};
constexpr HeaderField kGroup{116, 8};
constexpr HeaderField kSize{124, 12};
constexpr HeaderField kTime{136, 12};
constexpr HeaderField kChecksum{148, 8};
constexpr HeaderField kType{156, 1};
constexpr HeaderField kMagic{257, 8};

constexpr std::string_view kUstar("ustar\00000", 8);
constexpr std::uint64_t kOctalSizes = 1ULL << 33;  // from here on a size has no room in octal
constexpr std::byte kBase256{0x80};

void put(TarBlock& block, HeaderField field, std::string_view text) {
  NETML_ASSERT(text.size() <= field.length);
  std::memcpy(block.data() + field.at, text.data(), text.size());
}

std::string octal(std::uint64_t value, HeaderField field) {
  return fmt::format("{:0{}o}", value, field.length - 1);
}

void put_size(TarBlock& block, std::uint64_t bytes) {
  if (bytes < kOctalSizes) return put(block, kSize, octal(bytes, kSize));
  for (std::size_t i = 0; i < sizeof bytes; ++i)
    block[kSize.at + kSize.length - 1 - i] = static_cast<std::byte>(bytes >> (8 * i));
  block[kSize.at] = kBase256;
}

// The sum of all bytes, with blanks where it stands itself.
std::uint64_t checksum(std::span<const std::byte> block) {
  std::uint64_t sum = kChecksum.length * std::uint64_t{' '};
  for (std::size_t i = 0; i < block.size(); ++i)
    if (i < kChecksum.at || i >= kChecksum.at + kChecksum.length)
      sum += std::to_integer<std::uint64_t>(block[i]);
  return sum;
}

std::string_view text(std::span<const std::byte> block, HeaderField field) {
  const std::string_view all(reinterpret_cast<const char*>(block.data()) + field.at, field.length);
  return all.substr(0, all.find('\0'));
}

std::optional<std::uint64_t> number(std::span<const std::byte> block, HeaderField field) {
  std::uint64_t value = 0;
  if (block[field.at] == kBase256) {
    for (const std::byte digit : block.subspan(field.at + 1, field.length - 1)) {
      if (value >> 56 != 0) return std::nullopt;
      value = value << 8 | std::to_integer<std::uint64_t>(digit);
    }
    return value;
  }
  std::string_view digits = text(block, field);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  for (const char digit : digits) {
    if (digit < '0' || digit > '7') return std::nullopt;
    value = value << 3 | static_cast<std::uint64_t>(digit - '0');
  }
  return value;
}

}  // namespace

TarBlock encode_tar_header(const TarMember& member) {
  TarBlock block{};
  NETML_ASSERT(member.name.size() < kName.length);
  put(block, kName, member.name);
  put(block, kMode, octal(0600, kMode));
  put(block, kOwner, octal(0, kOwner));
  put(block, kGroup, octal(0, kGroup));
  put_size(block, member.bytes);
  put(block, kTime, octal(0, kTime));
  put(block, kType, "0");
  put(block, kMagic, kUstar);
  put(block, kChecksum, fmt::format("{:06o}", checksum(block)));
  block[kChecksum.at + kChecksum.length - 1] = static_cast<std::byte>(' ');
  return block;
}

Result<std::optional<TarMember>> decode_tar_header(std::span<const std::byte> block) {
  NETML_ASSERT(block.size() == kTarBlockBytes);
  if (all_zero(block)) return std::nullopt;
  const auto sum = number(block, kChecksum);
  const auto bytes = number(block, kSize);
  if (!sum || *sum != checksum(block) || !bytes)
    return fail(Errc::invalid_input, "the header of a member is damaged");
  const std::string_view type = text(block, kType);
  if (!type.empty() && type != "0")
    return fail(Errc::invalid_input, fmt::format("\"{}\" is no regular file", text(block, kName)));
  return TarMember{std::string(text(block, kName)), *bytes};
}

}  // namespace netml::wal
