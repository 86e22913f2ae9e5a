#include "wal/commit/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/guarded.hpp"
#include "engine/base/sha256.hpp"
#include "wal/checkpoint/signatures.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/journal/archive_names.hpp"

namespace netml::wal {

using engine::State;
using engine::Transaction;

namespace {
// Below this, handing work to another thread costs more than it saves.
constexpr std::size_t kLargeTransaction = 2000;
}  // namespace

// ---- opening ----

Store::Store(Storage& data, const Clock& clock, const StoreOptions& options)
    : clock_(clock),
      options_(options),
      parallel_(options.parallel != nullptr ? *options.parallel : inline_),
      root_(data),
      signing_key_(options.signing_key) {}

Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(Storage& data, const Clock& clock, Random& random,
                                           const StoreOptions& options) {
  std::unique_ptr<Store> store(new Store(data, clock, options));
  NETML_TRY_VOID(store->recover_data(random));
  return store;
}

Status Store::recover_data(Random& random) {
  NETML_TRY_VOID(root_.check_private());
  NETML_TRY(const bool created, is_new(root_));
  if (created) NETML_TRY_VOID(initialise(root_, random, options_.mode));
  Result<DataDirectory> directory = open_data_directory(root_);
  if (!directory)
    return fail(Errc::corruption, fmt::format("{}: the data directory is not complete: {}",
                                              root_.path(), directory.error().message));
  data_ = std::move(*directory);
  // A run that was killed may have left names in the page cache only. What this start goes by must
  // outlast a power cut before anything is built on it, cut or deleted.
  NETML_TRY_VOID(root_.sync());
  NETML_TRY_VOID(data_.journal->sync());
  NETML_TRY(Recovered recovered, recover(data_, clock_, parallel_));
  recovered.report.created = created;
  return settle(std::move(recovered));
}

Status Store::settle(Recovered recovered) {
  NETML_TRY_VOID(remove_unfinished(data_));
  manifest_ = std::move(recovered.manifest);
  previous_manifest_ = std::move(recovered.previous_manifest);
  manifest_.incarnation = recovered.start.incarnation;
  earlier_ = std::move(recovered.earlier);
  NETML_TRY_VOID(delete_unreferenced());
  for (const EarlierSegment& segment : recovered.not_yet_cut) NETML_TRY_VOID(cut(segment));
  journal_ = std::make_unique<JournalWriter>(*data_.journal, options_.journal, recovered.start,
                                             static_cast<SegmentListener&>(*this));
  head_ = next_ = {recovered.state, recovered.head};
  if (recovered.tail != nullptr) NETML_TRY_VOID(settle_cut_off(recovered));
  report_ = std::move(recovered.report);
  check_published();

  checkpoint_lsn_ = report_.checkpoint;
  checkpoint_time_ = clock_.steady();
  const bool checkpoint_wanted = recovered.checkpoint_wanted;
  if (recovered.tail != nullptr) cut_off_ = std::make_unique<Recovered>(std::move(recovered));
  if (write_state_ != WriteState::writable) return {};
  // A checkpoint and the reserve can wait; whoever wants the data cannot.
  if (checkpoint_wanted)
    if (const Status taken = checkpoint(); !taken) {
      if (taken.error().code != Errc::no_space) return taken;
      report_.warnings.push_back("no checkpoint could be taken: " + taken.error().message);
    }
  if (const Status made = make_ballast(); !made)
    report_.warnings.push_back("there is no reserve for a full disk: " + made.error().message);
  return {};
}

// What a crash cut off is written again. Where there is no room even in the reserve it waits, and
// the data are there to be read (E1).
Status Store::settle_cut_off(Recovered& recovered) {
  Status settled = rewrite_cut_off(recovered);
  const auto full = [&] { return !settled && settled.error().code == Errc::no_space; };
  if (full() && recovered.tail != nullptr) {
    drop_ballast();
    settled = rewrite_cut_off(recovered);
  }
  if (!full()) return settled;
  write_state_ = WriteState::no_space;
  write_error_ = settled.error().message;
  recovered.report.warnings.push_back("nothing can be written until there is room: " +
                                      write_error_);
  return recovered.tail == nullptr ? Status() : keep_tail_in_place(data_, recovered);
}

Status Store::rewrite_cut_off(Recovered& recovered) {
  Status settled = settle_tail(data_, recovered, *journal_);
  head_.head = next_.head = recovered.head;
  return settled;
}

// In state no_space, when there seems to be room.
Status Store::settle_waiting() {
  if (cut_off_ == nullptr) return {};
  std::unique_ptr<Recovered> recovered = std::move(cut_off_);
  Status settled = guarded([&] { return rewrite_cut_off(*recovered); });
  if (recovered->tail != nullptr) cut_off_ = std::move(recovered);
  if (settled) return settled;
  write_error_ = settled.error().message;
  const bool passes =
      settled.error().code == Errc::no_space || settled.error().code == Errc::unavailable;
  if (!passes) write_state_ = WriteState::failed;
  return settled;
}

// Nothing may be built on what was not settled.
Status Store::check_settled() const {
  return cut_off_ == nullptr ? Status() : check_writable();
}

Status Store::cut(const EarlierSegment& segment) {
  NETML_TRY(const std::unique_ptr<File> file, data_.journal->open(segment.name, OpenMode::write));
  NETML_TRY_VOID(file->truncate(segment.bytes));
  return file->sync();
}

// ---- appending ----

// For whatever writes to the journal.
template <class Call>
auto Store::latching(Call&& call) -> decltype(call()) {
  auto result = guarded(call);
  if (!result) return tl::make_unexpected(latch(std::move(result).error()));
  return result;
}

Result<Lsn> Store::append(const Transaction& transaction) {
  NETML_TRY(State after, append_effects(transaction));
  return append_commit(transaction, std::move(after));
}

Result<State> Store::append_effects(const Transaction& transaction) {
  NETML_TRY_VOID(check_writable());
  NETML_TRY_VOID(check_encodable(EffectsView::of(transaction)));
  NETML_TRY_VOID(check_encodable(transaction.provenance));
  const bool large = transaction.records.size() >= kLargeTransaction;
  return large ? append_large(transaction) : append_small(transaction);
}

// Applied first: a transaction that does not fit leaves no trace.
Result<State> Store::append_small(const Transaction& transaction) {
  const Lsn lsn = journal_->next_lsn();
  NETML_TRY(State state, guarded([&] { return engine::apply(*next_.state, transaction, lsn); }));
  unsynced_ = true;
  NETML_TRY_VOID(latching([&] { return journal_->append_effects(transaction); }));
  return state;
}

// Applied while it is written; one that does not fit is closed with an ABORT frame.
Result<State> Store::append_large(const Transaction& transaction) {
  const Lsn lsn = journal_->next_lsn();
  std::optional<Result<State>> state;
  unsynced_ = true;
  NETML_TRY_VOID(latching([&]() -> Status {
    std::optional<Status> appended;
    const State& base = *next_.state;
    parallel_.run_both(
        [&] { appended = journal_->append_effects(transaction, parallel_); },
        [&] { state = guarded([&] { return engine::apply(base, transaction, lsn); }); });
    NETML_ASSERT(state && appended);
    return *std::move(appended);
  }));
  if (!*state) NETML_TRY_VOID(abort_open(state->error().message));
  return *std::move(state);
}

Result<Lsn> Store::append_commit(const Transaction& transaction, State after) {
  unsynced_ = true;
  return latching([&]() -> Result<Lsn> {
    auto state = std::make_shared<const State>(std::move(after));
    NETML_TRY(const Lsn lsn, journal_->append_commit(transaction, state->digest()));
    advance_head();
    next_ = {std::move(state), {lsn, journal_->chain()}};
    return lsn;
  });
}

Status Store::abort_open(const std::string& reason) {
  const Lsn lsn = journal_->next_lsn();
  NETML_TRY_VOID(latching([&] { return journal_->append_abort(reason); }));
  advance_head();
  next_.head = {lsn, journal_->chain()};
  return {};
}

Status Store::sync() {
  NETML_TRY_VOID(sync_frames());
  advance_head();
  return {};
}

Status Store::sync_frames() {
  NETML_TRY_VOID(check_writable());
  if (!unsynced_) return {};
  NETML_TRY_VOID(latching([&] { return journal_->sync(); }));
  unsynced_ = false;
  return {};
}

// A new segment, too, is begun when all before it is durable: the head may have to move before
// another version takes the place of the next one, and before what is not durable is undone.
void Store::advance_head() {
  if (journal_->durable() >= next_.head.lsn) head_ = next_;
}

Status Store::watermark() {
  NETML_TRY_VOID(check_writable());
  unsynced_ = true;
  return latching([&] { return journal_->append_watermark(); });
}

// ---- errors ----

Status Store::check_writable() const {
  switch (write_state_) {
    case WriteState::writable:
      return {};
    case WriteState::no_space:
      return fail(Errc::unavailable, "read-only until there is room: " + write_error_);
    case WriteState::failed:
      return fail(Errc::unavailable, "read-only until restart: " + write_error_);
  }
  NETML_ASSERT(false);
}

// What was not synced is undone. A full disk and a lack of memory can be waited for; after any
// other error nobody knows what is on the disk, and asking again may hide the loss.
Error Store::latch(Error error) {
  advance_head();
  next_ = head_;
  unsynced_ = false;
  write_error_ = error.message;
  write_state_ = WriteState::failed;
  if (error.code != Errc::no_space && error.code != Errc::unavailable) return error;
  if (error.code == Errc::no_space) drop_ballast();
  if (Status rewound = guarded([&] { return journal_->rewind(); }); !rewound)
    write_error_.append("; ").append(rewound.error().message);
  else
    write_state_ = WriteState::no_space;
  return error;
}

Status Store::resume() {
  if (write_state_ == WriteState::writable) return {};
  if (write_state_ == WriteState::failed) return check_writable();
  NETML_TRY(const Space space, root_.space());
  if (!has_room(space)) return check_writable();
  NETML_TRY_VOID(make_ballast());  // also the probe: written and synced
  NETML_TRY_VOID(settle_waiting());
  write_state_ = WriteState::writable;
  if (manifest_stale_) {
    NETML_TRY_VOID(latching([&] { return save(manifest_); }));
    manifest_stale_ = false;
  }
  if (!journal_->transaction_open()) return {};
  unsynced_ = true;
  NETML_TRY_VOID(abort_open("the disk was full"));
  return sync();
}

bool Store::has_room(const Space& space) const {
  const std::uint64_t floor = std::min(options_.free_bytes_min, space.total_bytes / 20);
  return space.free_bytes >= floor + options_.ballast_bytes;
}

// Under its name when it is whole: one that a crash or a full disk cut short is no reserve.
Status Store::make_ballast() {
  if (options_.ballast_bytes == 0) return {};
  NETML_TRY(const bool there, has_ballast());
  if (there) return {};
  NETML_TRY(const Space space, root_.space());
  if (!has_room(space)) return {};
  const std::string temporary = temporary_name(kBallastFile);
  if (Status filled = fill_ballast(temporary); !filled) {
    static_cast<void>(root_.unlink(temporary).has_value());  // gives the space back
    return filled;
  }
  return root_.rename(temporary, kBallastFile);
}

Result<bool> Store::has_ballast() {
  const Result<std::unique_ptr<File>> file = root_.open(kBallastFile, OpenMode::read);
  if (!file) {
    if (file.error().code == Errc::not_found) return false;
    return tl::make_unexpected(file.error());
  }
  NETML_TRY(const std::uint64_t size, (*file)->size());
  return size == options_.ballast_bytes;
}

Status Store::fill_ballast(const std::string& name) {
  NETML_TRY(const std::unique_ptr<File> file, root_.open(name, OpenMode::create_empty));
  const std::vector<std::byte> zeros(std::min<std::uint64_t>(options_.ballast_bytes, 1 << 20));
  for (std::uint64_t at = 0; at < options_.ballast_bytes; at += zeros.size())
    NETML_TRY_VOID(file->write(
        at, std::span(zeros).first(std::min(zeros.size(), options_.ballast_bytes - at))));
  return file->sync();
}

void Store::drop_ballast() {
  // Best effort: it may be gone already, and there is nothing to do about another failure.
  static_cast<void>(root_.unlink(kBallastFile).has_value());
}

// ---- the manifest ----

namespace {
void note_sealed(SegmentEntry& entry, std::uint64_t bytes, const Sha256& chain) {
  entry.sealed = true;
  entry.bytes = bytes;
  entry.chain = chain;
}
}  // namespace

Status Store::segment_started(const SegmentStarted& started,
                              const std::optional<SegmentSealed>& sealed) {
  Manifest next = manifest_;
  next.clean_stop = false;
  if (!next.segments.empty()) {
    SegmentEntry& before = next.segments.back();
    if (sealed)
      note_sealed(before, sealed->bytes, sealed->chain);
    else if (earlier_)
      note_sealed(before, earlier_->bytes, earlier_->chain);
    NETML_ASSERT(before.sealed);
  }
  next.segments.push_back({started.number, started.first_lsn, false, 0, {}});
  manifest_stale_ = true;
  NETML_TRY_VOID(save(std::move(next)));
  manifest_stale_ = false;
  return cut_earlier();
}

// The last segment of an earlier run, once this run has one of its own.
Status Store::cut_earlier() {
  if (!earlier_) return {};
  NETML_TRY_VOID(cut(*earlier_));
  earlier_.reset();
  return {};
}

namespace {
// Absence is excused until the file is there again: what is lost after that is missed.
void drop_present_files(Manifest& manifest, Storage& uploads) {
  std::erase_if(manifest.absent_files, [&](const AbsentFile& file) {
    return uploads.open(to_hex(file.sha256), OpenMode::read).has_value();
  });
}
}  // namespace

// The generation before the last is overwritten.
Status Store::save(Manifest next) {
  NETML_TRY_VOID(check_settled());
  drop_present_files(next, *data_.uploads);
  next.durable = std::max(next.durable, journal_->durable());
  ++next.generation;
  if (Status saved = save_manifest(root_, next); !saved) {
    --next.generation;
    manifest_ = std::move(next);  // what resume() saves
    return saved;
  }
  const std::optional<Manifest> replaced = std::exchange(previous_manifest_, std::move(manifest_));
  manifest_ = std::move(next);
  if (replaced) delete_left(*replaced);
  return {};
}

namespace {
bool names(const Manifest& manifest, const std::string& file) {
  return std::ranges::any_of(manifest.checkpoints, [&](const CheckpointEntry& entry) {
    return entry.graph.name == file || entry.catalog.name == file;
  });
}
}  // namespace

// A file goes one generation after it left the manifest: until then the generation before may be
// needed. One that cannot be deleted now is deleted at the next start.
void Store::delete_left(const Manifest& replaced) {
  bool deleted = false;
  for (const CheckpointEntry& entry : replaced.checkpoints)
    for (const std::string& file : {entry.graph.name, entry.catalog.name})
      if (!names(manifest_, file) && !names(*previous_manifest_, file))
        deleted |= data_.checkpoints->unlink(file).has_value();
  if (deleted) static_cast<void>(data_.checkpoints->sync().has_value());
}

// At the start: files that no manifest names, because a crash came before the one that would have,
// or after the one that did not any more.
Status Store::delete_unreferenced() {
  if (!previous_manifest_) return {};
  NETML_TRY(const std::vector<DirectoryEntry> entries, data_.checkpoints->list());
  for (const DirectoryEntry& entry : entries)
    if (!entry.directory && !names(manifest_, entry.name) &&
        !names(*previous_manifest_, entry.name))
      NETML_TRY_VOID(data_.checkpoints->unlink(entry.name));
  return {};
}

// ---- checkpoints ----

CheckpointSource Store::checkpoint_source() const {
  return {manifest_.node, head_.head, head_.state};
}

bool Store::checkpoint_due() const {
  if (head_.head.lsn == checkpoint_lsn_) return false;
  return journal_->bytes_appended() - checkpoint_bytes_ >= options_.checkpoint_bytes ||
         clock_.steady() - checkpoint_time_ >= options_.checkpoint_interval;
}

Status Store::checkpoint() {
  NETML_TRY(const CheckpointFiles files,
            write_checkpoint(*data_.checkpoints, checkpoint_source(), parallel_));
  return install_checkpoint(files);
}

Status Store::install_checkpoint(const CheckpointFiles& files) {
  NETML_TRY_VOID(sign(files));
  Manifest next = manifest_;
  add_checkpoint(next, files, &CheckpointEntry::recovery_base);
  drop_old_checkpoints(next);
  NETML_TRY_VOID(save(std::move(next)));
  checkpoint_lsn_ = files.lsn;
  checkpoint_tried();
  return {};
}

Status Store::sign(const CheckpointFiles& files) {
  NETML_TRY_VOID(check_settled());
  if (!signing_key_) return {};
  const SignedCheckpoint checkpoint{to_string(manifest_.node),
                                    {files.lsn, files.chain},
                                    files.graph.sha256,
                                    files.catalog.sha256};
  return add_signature(root_, checkpoint, *signing_key_);
}

void Store::checkpoint_tried() {
  checkpoint_bytes_ = journal_->bytes_appended();
  checkpoint_time_ = clock_.steady();
}

// Two checkpoints at one LSN have the same bytes and the same names: one entry, both roles.
void Store::add_checkpoint(Manifest& manifest, const CheckpointFiles& files,
                           bool CheckpointEntry::* role) const {
  auto place = std::ranges::find_if(
      manifest.checkpoints, [&](const CheckpointEntry& entry) { return entry.lsn <= files.lsn; });
  if (place == manifest.checkpoints.end() || place->lsn != files.lsn) {
    place = manifest.checkpoints.insert(place, CheckpointEntry());
    place->lsn = files.lsn;
    place->created_at = clock_.wall();
  }
  place->graph = files.graph;
  place->catalog = files.catalog;
  (*place).*role = true;
}

namespace {
void drop_unused(Manifest& manifest) {
  std::erase_if(manifest.checkpoints, [](const CheckpointEntry& entry) {
    return !entry.recovery_base && !entry.published;
  });
}
}  // namespace

void Store::drop_old_checkpoints(Manifest& manifest) const {
  std::size_t bases = 0;
  const std::size_t kept = std::max<std::size_t>(options_.checkpoints_kept, 2);
  for (CheckpointEntry& entry : manifest.checkpoints)
    if (entry.recovery_base && ++bases > kept) entry.recovery_base = false;
  drop_unused(manifest);
}

// ---- published states ----

Status Store::publish(const CheckpointFiles& files) {
  NETML_TRY_VOID(sign(files));
  Manifest next = manifest_;
  drop_unnamed_published(next);
  add_checkpoint(next, files, &CheckpointEntry::published);
  return save(std::move(next));
}

Status Store::release_published() {
  Manifest next = manifest_;
  drop_unnamed_published(next);
  return next == manifest_ ? Status() : save(std::move(next));
}

void Store::drop_unnamed_published(Manifest& manifest) const {
  std::set<Lsn> named;
  head_.state->catalog.published.for_each(
      [&](std::uint64_t, const engine::PublishedItem& item) { named.insert(item.lsn); });
  for (CheckpointEntry& entry : manifest.checkpoints)
    entry.published = entry.published && named.contains(entry.lsn);
  drop_unused(manifest);
}

// At the start: a crash may have come between a published state and the item that was to name it.
// The next manifest saved leaves it out; until then nothing needs to be written.
void Store::check_published() {
  drop_unnamed_published(manifest_);
  head_.state->catalog.published.for_each([&](std::uint64_t number,
                                              const engine::PublishedItem& item) {
    if (item.status == engine::PublishedStatus::success &&
        find_published(manifest_.checkpoints, item.lsn) == nullptr)
      report_.warnings.push_back(fmt::format(
          "the published item {} has lost its data, the state at LSN {}", number, item.lsn.value));
  });
}

Result<Checkpoint> Store::read_published(Lsn lsn) {
  const CheckpointEntry* entry = find_published(manifest_.checkpoints, lsn);
  if (entry == nullptr)
    return fail(Errc::not_found, fmt::format("the state at LSN {} is not published", lsn.value));
  return read_checkpoint(*data_.checkpoints, manifest_.node,
                         {entry->lsn, entry->graph, entry->catalog}, parallel_);
}

// ---- archived segments ----

// Both manifests first: no file is deleted that one of them looks for here.
Status Store::archive(const ArchivedSegments& moved) {
  if (moved.segments.empty()) return delete_archived();
  Manifest next = manifest_;
  auto place = std::ranges::find(next.archives, moved.directory);
  if (place == next.archives.end()) place = next.archives.insert(place, moved.directory);
  const auto number = static_cast<std::uint16_t>(place - next.archives.begin() + 1);
  for (const SegmentEntry& segment : moved.segments) {
    const auto entry = std::ranges::find(next.segments, segment.number, &SegmentEntry::number);
    NETML_ASSERT(entry != next.segments.end());
    entry->bytes = segment.bytes;
    entry->archive = number;
    entry->sha256 = segment.sha256;
  }
  NETML_TRY_VOID(save(next));
  NETML_TRY_VOID(save(manifest_));
  return delete_archived();
}

// Also those that a crash left from the time before. The oldest first, each durably: a crash must
// not leave a gap between those that are still here.
Status Store::delete_archived() {
  NETML_TRY(const std::vector<DirectoryEntry> files, data_.journal->list());
  for (const SegmentEntry& entry : manifest_.segments) {
    const std::string name = segment_file_name(entry);
    if (entry.archive == 0 || !std::ranges::binary_search(files, name, {}, &DirectoryEntry::name))
      continue;
    NETML_TRY_VOID(data_.journal->unlink(name));
    NETML_TRY_VOID(data_.journal->sync());
  }
  return {};
}

// ---- the rest ----

// Sealed and all of it in a checkpoint: the next start reads nothing of the journal.
Status Store::close() {
  NETML_TRY_VOID(sync());
  const bool wrote = manifest_.clean_stop == false;
  if (head_.head.lsn != checkpoint_lsn_)
    if (Status taken = checkpoint(); !taken) {
      // Or the next start would need room for a segment to write again what is durable.
      static_cast<void>((watermark() && sync()));
      return taken;
    }
  if (!wrote) return {};
  NETML_TRY(const auto sealed, latching([&] { return journal_->seal_last(); }));
  Manifest next = manifest_;
  if (sealed) note_sealed(next.segments.back(), sealed->bytes, sealed->chain);
  next.clean_stop = true;
  return save(std::move(next));
}

std::uint64_t Store::journal_bytes() const {
  std::uint64_t bytes = earlier_ ? earlier_->bytes : journal_->segment_bytes();
  for (const SegmentEntry& segment : manifest_.segments)
    if (segment.sealed) bytes += segment.bytes;
  return bytes;
}

Status Store::keep_upload(std::string_view name, const Sha256& hash) {
  NETML_TRY_VOID(wal::keep_upload(data_, name, hash));
  return find_absent(manifest_, hash) == nullptr ? Status() : save(manifest_);
}

}  // namespace netml::wal
