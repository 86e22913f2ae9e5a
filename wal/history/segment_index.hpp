// What a closed segment says about its transactions (docs/audit.md): where each lies, and which
// frames change a record, an identifier, a topology or an import record. Derived data: losing it
// costs the time to read the segment again.
//
// Thread: a SegmentIndex any once it is made; the functions any.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "wal/format/journal.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

inline constexpr std::string_view kIndexDirectory = "index";

// Offsets in the segment's file.
struct TransactionPlace {
  std::uint32_t first = 0;  // of its first frame; 0 = in an earlier segment
  std::uint32_t close = 0;  // of its COMMIT or ABORT
};

// Something with a number (a record, a topology, an import record), and the EFFECTS frame that
// speaks of it.
struct NumberPlace {
  std::uint32_t number = 0;
  std::uint32_t frame = 0;
  auto operator<=>(const NumberPlace&) const = default;
};

struct IdentifierPlace {
  std::uint64_t hash = 0;  // see identifier_hash()
  std::uint32_t record = 0;
  std::uint32_t frame = 0;
  auto operator<=>(const IdentifierPlace&) const = default;
};
// 64 bits: whoever looks must compare the identifier itself.
std::uint64_t identifier_hash(std::string_view identifier);

struct SegmentIndex {
  Lsn first_lsn;                               // of transactions[0]; the others follow without gaps
  std::vector<TransactionPlace> transactions;  // closed in the segment, aborted ones too
  std::uint32_t open = 0;  // first frame of one that goes on in the next segment; 0 = none

  // Ascending, each once.
  std::vector<NumberPlace> records;          // changed
  std::vector<IdentifierPlace> identifiers;  // of records created, deleted, renamed
  std::vector<NumberPlace> topologies;       // changed, joined, left or renumbered
  std::vector<NumberPlace> imports;          // changed

  Lsn end_lsn() const { return Lsn{first_lsn.value + transactions.size()}; }  // after the last one
  bool closes(Lsn lsn) const { return first_lsn <= lsn && lsn < end_lsn(); }
};

// Which segment an index is of: one for another is not used.
struct SegmentIdentity {
  NodeUuid node;
  SegmentNumber number;
  Sha256 chain{};  // after its last frame
};

std::vector<std::byte> encode_segment_index(const SegmentIndex& index,
                                            const SegmentIdentity& identity);
// Nothing when the bytes are damaged, of another version or of another segment.
std::optional<SegmentIndex> decode_segment_index(std::span<const std::byte> bytes,
                                                 const SegmentIdentity& identity);

// "0000000001.index"
std::string segment_index_name(SegmentNumber number);

}  // namespace netml::wal
