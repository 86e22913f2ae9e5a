// Turns frames back into transactions and applies them: the mirror of committing, with the same
// engine::apply.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engine/transaction/state.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/effects_decoder.hpp"
#include "wal/format/packed_payload.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

// Is shown each transaction with the states before and after it.
using ReplayObserver = std::function<void(const engine::Transaction&, const engine::StatePtr&,
                                          const engine::StatePtr&)>;

// Thread: its owner.
class Replay {
 public:
  explicit Replay(engine::StatePtr start, ReplayObserver observer = {})
      : state_(std::move(start)), observer_(std::move(observer)) {}

  // The next frame in the order, from a JournalWalk. Applies the transaction when it is a COMMIT,
  // after checking that the frames are what it counts and that the state becomes the one it names
  // (J7, P6). `content`: its payload, if it was compressed and is unpacked already.
  Status add(const Frame& frame, std::span<const std::byte> content = {});

  const engine::StatePtr& state() const { return state_; }
  // The effects so far of the transaction that is open.
  const engine::Transaction& open() const { return transaction_; }
  std::uint64_t open_bytes() const { return totals_.bytes; }
  // The same, unpacked.
  std::uint64_t open_content_bytes() const { return open_content_bytes_; }
  std::uint64_t applied() const { return applied_; }
  std::uint64_t aborted() const { return aborted_; }

 private:
  Status decode(const Frame& frame, std::span<const std::byte> content);
  Status commit(const Frame& frame);
  void clear();

  engine::StatePtr state_;
  ReplayObserver observer_;
  EffectsDecoder decoder_;
  PayloadUnpacker unpacker_;
  engine::Transaction transaction_;
  EffectsTotals totals_;
  std::uint64_t open_content_bytes_ = 0;
  Status decoded_;  // of the open transaction's effects
  Sha256Hasher payload_hashes_;
  std::uint64_t applied_ = 0;
  std::uint64_t aborted_ = 0;
};

}  // namespace netml::wal
