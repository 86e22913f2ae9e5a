// The state digest: a fingerprint of the whole state that is kept up to date change by change.
//
// It is a sum (modulo 2^64, in two lanes) of one hash for each record, number and catalog entry,
// so adding, removing or changing one costs that one. Equal states have equal digests; it proves
// that a replay took the right course and finds damage. It is no protection against an intruder:
// that is the journal's hash chain. Which bytes are hashed: docs/format/digest.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace netml::engine {

struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const Digest&) const = default;

  Digest& operator+=(const Digest& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
  Digest& operator-=(const Digest& other) {
    low -= other.low;
    high -= other.high;
    return *this;
  }
};

// What the hashed bytes are, so that equal bytes in different roles do not cancel out.
enum class DigestRole : std::uint8_t {
  attributes = 1,
  relations = 2,
  number = 3,
  planned_effect = 12,  // in no state: engine/transaction/planned_effects.hpp
  // 4 to 11, 13 to 17, 19, 23 to 27: entries of the catalog (EntryKind::role)
};

// The contribution of one thing; `key` is its identity within its role.
Digest digest_of(DigestRole role, std::uint64_t key, std::span<const std::byte> bytes);

// The same for a RecordNumber, without hashing bytes: there are as many as records, and an import
// changes all of them.
Digest digest_of_number(std::uint64_t record, std::uint64_t number);

}  // namespace netml::engine
