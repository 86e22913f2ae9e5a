// The vocabulary of the journal (docs/format/journal.md).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/ids.hpp"

namespace netml::wal {

// Names one data directory for ever, so that a file of another one is not taken for its own.
struct NodeUuid {
  std::array<std::byte, 16> bytes{};
  bool operator==(const NodeUuid&) const = default;
};
// "8c2b0a3e-....": for messages.
std::string to_string(const NodeUuid& node);

// Segments are numbered from 1, without gaps.
struct SegmentNumber {
  std::uint64_t value = 0;
  auto operator<=>(const SegmentNumber&) const = default;
};

// A place in the one order: a transaction and a frame of it, both counted consecutively.
struct Position {
  Lsn lsn{1};
  std::uint64_t ordinal = 0;
  // The first frame of the transaction after `lsn`.
  static Position after(Lsn lsn) { return {lsn.next(), 0}; }
  auto operator<=>(const Position&) const = default;
};

// How far the journal goes and what its chain of hashes says there. Two journals with the same
// head have the same history.
struct Head {
  Lsn lsn;  // of the last transaction closed, committed or aborted
  Sha256 chain{};
  bool operator==(const Head&) const = default;
};
// "1234:9f86d081...": LSN and hash in hexadecimal.
std::string to_string(const Head& head);
// The same back; nothing when it is no head.
std::optional<Head> parse_head(std::string_view text);

}  // namespace netml::wal
