// The payloads that end something in the journal: COMMIT, ABORT and SEAL.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/time.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/format/journal.hpp"

namespace netml::wal {

// What the EFFECTS frames of a transaction amount to.
struct EffectsTotals {
  std::uint64_t frames = 0;
  std::uint64_t bytes = 0;
  Sha256 payloads_hash{};
  bool operator==(const EffectsTotals&) const = default;
};

// What a COMMIT frame says.
struct Commit {
  EffectsTotals totals;
  engine::ChangeCounts counts;
  engine::Provenance provenance;
  RecordId next_id;
  RecordNumber next_number;
  engine::Digest digest;  // of the state afterwards
};

struct Abort {
  std::string reason;
  std::uint64_t frames = 0;
  std::uint64_t bytes = 0;
};

struct Seal {
  std::uint64_t frames = 0;  // before it in its segment
  std::uint64_t bytes = 0;   // of the file
};

Status encode(const Commit& commit, MessageScratch& scratch, const PayloadConsumer& consume);
Status encode(const Abort& abort, MessageScratch& scratch, const PayloadConsumer& consume);
Status encode(const Seal& seal, MessageScratch& scratch, const PayloadConsumer& consume);
Result<Commit> decode_commit(std::span<const std::byte> payload);
Result<Abort> decode_abort(std::span<const std::byte> payload);
Result<Seal> decode_seal(std::span<const std::byte> payload);

// Of every SEAL payload, so that room for it can be kept.
inline constexpr std::size_t kSealPayloadBytes = 24;

// Errc::too_large when the texts of a provenance exceed what a COMMIT frame takes.
Status check_encodable(const engine::Provenance& provenance);

}  // namespace netml::wal
