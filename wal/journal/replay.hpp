// Turns frames back into transactions and applies them: the mirror of committing, with the same
// engine::apply.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/transaction/state.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/effects_decoder.hpp"
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
  // (J7, P6).
  Status add(const Frame& frame);

  const engine::StatePtr& state() const { return state_; }
  std::uint64_t open_bytes() const { return totals_.bytes; }
  std::uint64_t applied() const { return applied_; }
  std::uint64_t aborted() const { return aborted_; }

 private:
  Status commit(const Frame& frame);
  void clear();

  engine::StatePtr state_;
  ReplayObserver observer_;
  EffectsDecoder decoder_;
  engine::Transaction transaction_;
  EffectsTotals totals_;
  Status decoded_;  // of the open transaction's effects
  Sha256Hasher payload_hashes_;
  std::uint64_t applied_ = 0;
  std::uint64_t aborted_ = 0;
};

}  // namespace netml::wal
