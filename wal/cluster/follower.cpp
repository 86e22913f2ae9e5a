#include "wal/cluster/follower.hpp"

#include "wal/checkpoint/named_files.hpp"
#include "wal/cluster/published_states.hpp"
#include "wal/cluster/shared_files.hpp"

namespace netml::wal {

namespace {
// What is read at once, and so about what the writer is kept for.
constexpr std::uint64_t kReadBytes = 8 << 20;
}  // namespace

// Who cannot write reads nothing: it would ask for the same over and over, and keep the store from
// the idle time in which that looks for room.
Result<bool> Follower::step(SharedLog& log) {
  if (!store_.writable()) return fail(Errc::no_space, "the own journal cannot be written");
  const ReadPlace place =
      group_ ? ReadPlace{group_->before().lsn, next_piece_} : ReadPlace{store_.head().lsn, 0};
  const std::chrono::nanoseconds asked = clock_.steady();
  auto pieces = log.read_from(place, kReadBytes);
  if (!pieces) group_.reset();  // the log may have been refilled meanwhile
  if (!pieces) return tl::make_unexpected(std::move(pieces).error());
  if (pieces->empty()) {
    group_.reset();
    standing_.note_newest(asked);
    return false;
  }
  Status taken = store_.run([&](Store& store) { return take(store, log, *pieces); });
  standing_.note_own(store_.head());
  if (taken) return true;
  group_.reset();
  return tl::make_unexpected(std::move(taken).error());
}

// What was good before an error is kept.
Status Follower::take(Store& store, SharedLog& log, const std::vector<SharedPiece>& pieces) {
  Status taken;
  for (const SharedPiece& piece : pieces) {
    taken = take_piece(store, log, piece);
    if (!taken) break;
  }
  const Status synced = store.sync();
  if (!taken || !synced) return taken ? synced : taken;
  return keep_published_states(store, *data_.root);
}

Status Follower::take_piece(Store& store, SharedLog& log, const SharedPiece& piece) {
  if (!group_) {
    group_.emplace(cluster_, piece.before, piece.after);
    next_piece_ = 0;
    NETML_TRY_VOID(store.log().begin_following(piece.before));
  }
  if (piece.before != group_->before() || piece.number != next_piece_)
    return fail(Errc::corruption, "the shared log: pieces are out of order");
  const auto before = [&](const engine::Transaction& transaction) {
    return fetch_files(store, log, transaction);
  };
  NETML_TRY_VOID(group_->add(
      piece.bytes, [&](const Frame& frame) { return store.log().take_shared(frame, before); }));
  ++next_piece_;
  if (next_piece_ < piece.count) return {};
  NETML_TRY_VOID(group_->finish());
  standing_.note_group(group_->after());
  group_.reset();
  return {};
}

// Durable before the transaction that names them. On a full disk the store waits for room, or they
// would be fetched over and over.
Status Follower::fetch_files(Store& store, SharedLog& log, const engine::Transaction& transaction) {
  for (const Sha256& hash : files_brought(transaction)) {
    if (is_stored(*data_.uploads, hash)) continue;
    Status fetched = fetch_one(store, log, hash);
    if (fetched) continue;
    const bool full = fetched.error().code == Errc::no_space;
    if (!full || store.write_state() != WriteState::writable) return fetched;
    return store.log().latching([&] { return std::move(fetched); });
  }
  return {};
}

// What the leader did not have either, nobody misses.
Status Follower::fetch_one(Store& store, SharedLog& log, const Sha256& hash) {
  const Result<FetchedFile> file = fetch_file(log, data_, hash);
  if (!file && file.error().code == Errc::not_found) return {};
  if (!file) return tl::make_unexpected(file.error());
  return store.keep_upload(file->name, hash, file->how);
}

}  // namespace netml::wal
