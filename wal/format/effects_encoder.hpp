// Turns the effects of a transaction, or the content of a checkpoint, into payloads of bounded
// size, one after another: memory does not grow with the transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <tuple>

#include "engine/transaction/transaction.hpp"
#include "wal/format/frame.hpp"
#include "wal/format/message.hpp"

namespace netml::wal {

// Some of the effects of a transaction; what it shows must outlive it.
template <class T>
using ChangesSpan = std::span<const engine::EntryChange<T>>;
struct EffectsView : engine::CatalogTables<ChangesSpan> {
  std::span<const engine::RecordChange> records;
  std::span<const engine::Numbering> numberings;
  std::span<const engine::Renumbering> renumberings;

  static EffectsView of(const engine::Transaction& transaction);
  bool empty() const;
  // All of a view's spans, in the order in which they are written.
  template <class View>
  static auto lists_of(View& view) {
    return std::tuple_cat(
        std::tie(view.records, view.numberings, view.renumberings),
        std::apply([&](const auto... table) { return std::tie(view.*table...); }, all()));
  }
};

// Large enough that frames cost little, small enough to stay in the processor's cache while it is
// encoded, checksummed, hashed and written.
inline constexpr std::size_t kPayloadBytesAimed = 256 << 10;

// Cuts effects into pieces that each fit a payload. Thread: its owner.
class EffectsSlicer {
 public:
  explicit EffectsSlicer(const EffectsView& effects, std::size_t bytes_aimed = kPayloadBytesAimed)
      : rest_(effects), words_aimed_(bytes_aimed / sizeof(std::uint64_t)) {}

  bool done() const { return rest_.empty(); }
  struct Slice {
    EffectsView effects;
    std::size_t words = 0;  // upper bound of its encoding
  };
  // At least one effect, so a slice is larger than aimed when an effect is. Not when done().
  Slice next();

 private:
  template <class T>
  void take(std::span<const T>& from, std::span<const T>& into, std::size_t& words);

  EffectsView rest_;
  std::size_t words_aimed_;
};

// Calls consume(payload); the payload is valid during that call only.
using PayloadConsumer = std::function<Status(std::span<const std::byte>)>;
Status encode_effects(const EffectsSlicer::Slice& slice, MessageScratch& scratch,
                      const PayloadConsumer& consume);

// For whoever outlives the memory it was encoded in.
OwnedPayload encode_owned(const EffectsSlicer::Slice& slice, MessageScratch& scratch);

// That of the oldest program which can read the effects.
std::uint16_t format_of(const EffectsView& effects);

// Errc::too_large when an effect alone exceeds the payload limit, Errc::internal when an update
// changes a record's kind: to be asked before anything of the transaction is written.
Status check_encodable(const EffectsView& effects);

}  // namespace netml::wal
