// Makes frames of transactions, wherever they go: the payloads, their order, and the chain of
// hashes. A segment (journal_writer.hpp) and a group for the shared log (held_group.hpp) are sinks
// for them. Thread: its owner.
//
// A sink has
//   std::uint16_t format() const       what it writes has to have, unless a payload says otherwise
//   Status raise_format(format)        what follows cannot be written in less
//   Status make_room(bytes)            before each frame, which then has room
//   Status put(payload, hash)          the frame at frames.next(), in that room
// and is known at compile time: a frame costs no call that cannot be inlined.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/pipeline.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/format/frame.hpp"
#include "wal/format/message.hpp"
#include "wal/format/packed_payload.hpp"
#include "wal/journal/journal_options.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

// Kind, flags, version and bytes of a frame to be.
struct FramePayload {
  format::FrameKind kind;
  std::uint8_t flags = 0;
  std::span<const std::byte> bytes;
  std::uint16_t version = 0;      // 0: that of the sink
  std::size_t content_bytes = 0;  // before it was compressed; 0: it was not
};

// Where frames go on, and where they can go back to.
struct FrameOrder {
  Position next;
  Sha256 chain{};                        // before `next`
  std::uint64_t transaction_frames = 0;  // of the open transaction
  std::uint64_t transaction_bytes = 0;
};

// Puts the whole frame behind what `out` holds; length and checksum of the payload are set here.
void add_frame(std::vector<std::byte>& out, FrameHeader header, const FramePlace& place,
               std::span<const std::byte> payload, const Sha256& hash);
// The fields that frames of a transaction have wherever they are.
FrameHeader header_of(const FramePayload& payload, std::uint16_t version, const Position& position);

class FrameWriter {
 public:
  FrameWriter(const FrameOrder& start, const JournalOptions& options)
      : options_(options), order_(start), chain_(start.chain) {}

  const Position& next() const { return order_.next; }
  bool transaction_open() const { return order_.next.ordinal != 0; }
  Lsn last_closed() const { return Lsn{order_.next.lsn.value - 1}; }
  const Sha256& chain() const { return chain_.head(); }

  template <class Sink>
  Status append_effects(const engine::Transaction& transaction, Sink& sink);
  // The same, encoding on one core what is compressed, checksummed, hashed and put on another.
  template <class Sink>
  Status append_effects(const engine::Transaction& transaction, Parallel& parallel, Sink& sink);
  template <class Sink>
  Result<Lsn> append_commit(const engine::Transaction& transaction, const engine::Digest& after,
                            Sink& sink);
  template <class Sink>
  Status append_abort(const std::string& reason, Sink& sink);
  // One that was made before and whose hashes were checked to continue the chain here.
  template <class Sink>
  Status append_again(const Frame& frame, Sink& sink);

  FrameOrder mark() const;
  // Frames behind the mark are forgotten. The hash over the payloads of an open transaction is,
  // too: what follows then is its ABORT, or comes by append_again().
  void back_to(const FrameOrder& mark);

 private:
  template <class Sink>
  Status check_format(const engine::Transaction& transaction, Sink& sink);
  std::unique_ptr<PayloadPacker> make_packer(std::uint16_t format) const;
  template <class Sink>
  Status append_effects_payload(std::span<const std::byte> payload, PayloadPacker* packer,
                                Sink& sink);
  template <class Sink>
  Status append(const FramePayload& payload, Sink& sink);
  template <class Sink>
  Status put_in_order(const FramePayload& payload, Sink& sink);
  Commit commit_of(const engine::Transaction& transaction, const engine::Digest& after);
  void advance(const FramePayload& payload, const Sha256& payload_hash, const Sha256& hash);

  const JournalOptions options_;
  FrameOrder order_;  // `chain` is in chain_
  Chain chain_;
  Sha256Hasher payload_hashes_;  // of the open transaction
  MessageScratch scratch_;
};

// ---- what follows is inline for the sinks ----

// An older program has to refuse the directory before it would misread a frame of it (C3).
template <class Sink>
Status FrameWriter::check_format(const engine::Transaction& transaction, Sink& sink) {
  if (sink.format() >= format::kVersion3) return {};  // the last that changed frames
  const std::uint16_t needed = format_of(EffectsView::of(transaction));
  return needed > sink.format() ? sink.raise_format(needed) : Status();
}

template <class Sink>
Status FrameWriter::append_effects(const engine::Transaction& transaction, Sink& sink) {
  NETML_TRY_VOID(check_format(transaction, sink));
  EffectsSlicer slicer(EffectsView::of(transaction));
  const auto packer = options_.compresses_small ? make_packer(sink.format()) : nullptr;
  while (!slicer.done())
    NETML_TRY_VOID(encode_effects(slicer.next(), scratch_, [&](std::span<const std::byte> payload) {
      return append_effects_payload(payload, packer.get(), sink);
    }));
  return {};
}

template <class Sink>
Status FrameWriter::append_effects(const engine::Transaction& transaction, Parallel& parallel,
                                   Sink& sink) {
  NETML_TRY_VOID(check_format(transaction, sink));
  EffectsSlicer slicer(EffectsView::of(transaction));
  const auto encode_next = [&]() -> Result<std::optional<OwnedPayload>> {
    if (slicer.done()) return std::nullopt;
    return encode_owned(slicer.next(), scratch_);
  };
  const auto packer = make_packer(sink.format());
  return run_pipeline<OwnedPayload>(parallel, encode_next, [&](const OwnedPayload& payload) {
    return append_effects_payload(bytes_of(payload), packer.get(), sink);
  });
}

// Compressed on the side that makes checksums and hashes: what is smaller leaves it less to do.
template <class Sink>
Status FrameWriter::append_effects_payload(std::span<const std::byte> payload,
                                           PayloadPacker* packer, Sink& sink) {
  FramePayload frame{format::FrameKind::effects, {}, payload};
  if (!transaction_open()) frame.flags = format::kFirstOfTransaction;
  if (packer == nullptr) return append(frame, sink);
  NETML_TRY(const auto compressed, packer->pack(payload));
  if (!compressed) return append(frame, sink);
  frame.flags |= format::kCompressed;
  frame.bytes = *compressed;
  frame.content_bytes = payload.size();
  return append(frame, sink);
}

template <class Sink>
Result<Lsn> FrameWriter::append_commit(const engine::Transaction& transaction,
                                       const engine::Digest& after, Sink& sink) {
  const Lsn lsn = order_.next.lsn;
  const std::uint8_t first = transaction_open() ? 0 : format::kFirstOfTransaction;
  NETML_TRY_VOID(
      encode(commit_of(transaction, after), scratch_, [&](std::span<const std::byte> payload) {
        return append({format::FrameKind::commit,
                       static_cast<std::uint8_t>(first | format::kLastOfTransaction), payload},
                      sink);
      }));
  return lsn;
}

template <class Sink>
Status FrameWriter::append_abort(const std::string& reason, Sink& sink) {
  NETML_ASSERT(transaction_open());
  const Abort abort{reason, order_.transaction_frames, order_.transaction_bytes};
  return encode(abort, scratch_, [&](std::span<const std::byte> payload) {
    return append({format::FrameKind::abort, format::kLastOfTransaction, payload}, sink);
  });
}

template <class Sink>
Status FrameWriter::append_again(const Frame& frame, Sink& sink) {
  NETML_ASSERT(frame.header.position == order_.next);
  const FramePayload payload{static_cast<format::FrameKind>(frame.header.kind), frame.header.flags,
                             frame.payload, frame.header.version};
  NETML_TRY_VOID(sink.make_room(frame_bytes(payload.bytes.size())));
  NETML_TRY_VOID(sink.put(payload, frame.hash));
  advance(payload, frame.payload_hash, frame.hash);
  return {};
}

template <class Sink>
Status FrameWriter::append(const FramePayload& payload, Sink& sink) {
  NETML_TRY_VOID(sink.make_room(frame_bytes(payload.bytes.size())));
  return put_in_order(payload, sink);
}

template <class Sink>
Status FrameWriter::put_in_order(const FramePayload& payload, Sink& sink) {
  const std::uint16_t version = payload.version != 0 ? payload.version : sink.format();
  const Sha256 payload_hash = chain_.hash_payload(payload.bytes);
  const Sha256 hash = chain_.next(header_of(payload, version, order_.next), payload_hash);
  NETML_TRY_VOID(sink.put(payload, hash));
  advance(payload, payload_hash, hash);
  return {};
}

}  // namespace netml::wal
