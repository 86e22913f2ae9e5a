// The way back from payloads to the effects of a transaction.
#pragma once

#include <cstddef>
#include <span>

#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/format/record_codec.hpp"

namespace netml::wal {

// Thread: its owner.
class EffectsDecoder {
 public:
  // Adds the effects in `payload` to `transaction`. `graph` is the state before the transaction:
  // updates take from it what they do not hold. Errc::corruption.
  Status decode(std::span<const std::byte> payload, const engine::Graph& graph,
                engine::Transaction& transaction);

 private:
  RecordDecoder records_;
};

}  // namespace netml::wal
