// Small integers that must not be mixed up, each a type of its own.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace netml {

// The stable identity of a record: given once, from 1, never reused, kept through re-imports and
// replacements. It is also the record's vertex in the graph. 0 means "none".
// Limit: 2^32 - 1 creations in the life of one data directory; creation is refused beyond it.
struct RecordId {
  std::uint32_t value = 0;
  auto operator<=>(const RecordId&) const = default;
  explicit operator bool() const { return value != 0; }
};

// The number clients see (`pk`): unique over all kinds, never reused, larger means newer.
// 0 means "none".
struct RecordNumber {
  std::uint64_t value = 0;
  auto operator<=>(const RecordNumber&) const = default;
  explicit operator bool() const { return value != 0; }
};

// The place of a transaction in the one order, consecutive from 1. 0 is the empty state before
// the first transaction.
struct Lsn {
  std::uint64_t value = 0;
  auto operator<=>(const Lsn&) const = default;
  Lsn next() const { return Lsn{value + 1}; }
};

enum class Kind : std::uint8_t { topology = 0, institution = 1, node = 2, link = 3 };
inline constexpr std::size_t kKindCount = 4;
inline constexpr std::array<Kind, kKindCount> kKinds{Kind::topology, Kind::institution, Kind::node,
                                                     Kind::link};

// "Topology", "Institution", "Node", "Link": as in the exchange format.
constexpr const char* kind_name(Kind kind) {
  constexpr std::array<const char*, kKindCount> kNames{"Topology", "Institution", "Node", "Link"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "?";
}

using Sha256 = std::array<std::byte, 32>;

}  // namespace netml

template <>
struct std::hash<netml::RecordId> {
  std::size_t operator()(netml::RecordId id) const noexcept { return id.value; }
};
