// Replay trusts nothing that it can check: the frames of a transaction are held against what its
// COMMIT counts, and the state that they lead to against the digest that it names. So a fault of
// the program that wrote, or of this one, ends the replay at the transaction where it shows.
#include "wal/journal/replay.hpp"

#include <fmt/format.h>

namespace netml::wal {

using format::FrameKind;

Status Replay::add(const Frame& frame, std::span<const std::byte> content) {
  if (frame.header.is(FrameKind::commit)) return commit(frame);
  if (frame.header.is(FrameKind::abort)) {
    clear();
    ++aborted_;
    return {};
  }
  ++totals_.frames;
  totals_.bytes += frame.payload.size();
  open_content_bytes_ += content_bytes(frame.header, frame.payload);
  payload_hashes_.add(frame.payload_hash);
  // Effects that do not fit the state are damage only if they count: an aborted transaction may
  // have been aborted for that.
  if (decoded_) decoded_ = decode(frame, content);
  return {};
}

Status Replay::decode(const Frame& frame, std::span<const std::byte> content) {
  if (content.empty()) {
    NETML_TRY(content, unpacker_.content(frame.header, frame.payload));
  }
  return decoder_.decode(content, state_->graph, transaction_);
}

Status Replay::commit(const Frame& frame) {
  const Lsn lsn = frame.header.position.lsn;
  NETML_TRY_VOID(decoded_);
  NETML_TRY(const Commit commit, decode_commit(frame.payload));
  totals_.payloads_hash = payload_hashes_.finish();
  // That the frames are all there and in order was checked by the walk. This is what only COMMIT
  // knows.
  if (!(commit.totals == totals_))
    return fail(Errc::corruption, fmt::format("the COMMIT of LSN {} counts {} frames with {} bytes,"
                                              " but there are {} with {}",
                                              lsn.value, commit.totals.frames, commit.totals.bytes,
                                              totals_.frames, totals_.bytes));
  transaction_.provenance = commit.provenance;
  transaction_.next_id = commit.next_id;
  transaction_.next_number = commit.next_number;
  if (!(engine::count_changes(transaction_) == commit.counts))
    return fail(Errc::corruption,
                fmt::format("the COMMIT of LSN {} counts other changes", lsn.value));
  // The same function as when it was committed, so equal effects give an equal state; the digest
  // says whether they did.
  NETML_TRY(engine::State next, engine::apply(*state_, transaction_, lsn));
  if (!(next.digest() == commit.digest))
    return fail(Errc::corruption,
                fmt::format("LSN {} leads to another state than the one it names", lsn.value));
  const auto after = std::make_shared<const engine::State>(std::move(next));
  if (observer_) observer_(transaction_, state_, after);
  state_ = after;
  ++applied_;
  clear();
  return {};
}

void Replay::clear() {
  transaction_ = {};
  totals_ = {};
  open_content_bytes_ = 0;
  decoded_ = {};
  payload_hashes_.finish();
}

}  // namespace netml::wal
