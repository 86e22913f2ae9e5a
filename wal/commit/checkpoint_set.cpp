#include "wal/commit/checkpoint_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "wal/checkpoint/signatures.hpp"
#include "wal/format/stored_files.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

Status CheckpointSet::start(Recovered& recovered) {
  manifest_ = std::move(recovered.manifest);
  previous_manifest_ = std::move(recovered.previous_manifest);
  manifest_.incarnation = recovered.start.incarnation;
  earlier_ = std::move(recovered.earlier);
  newest_ = recovered.report.checkpoint;
  time_then_ = clock_.steady();
  NETML_TRY_VOID(delete_unreferenced());
  for (const EarlierSegment& segment : recovered.not_yet_cut) NETML_TRY_VOID(cut(segment));
  return {};
}

// ---- the manifest ----

namespace {
// As this run wrote it, or an earlier one left it.
void note_sealed(SegmentEntry& entry, const auto& sealed) {
  entry.sealed = true;
  entry.bytes = sealed.bytes;
  entry.chain = sealed.chain;
}
}  // namespace

Status CheckpointSet::segment_started(const SegmentStarted& started,
                                      const std::optional<SegmentSealed>& sealed) {
  Manifest next = manifest_;
  next.clean_stop = false;
  if (!next.segments.empty()) {
    SegmentEntry& before = next.segments.back();
    if (sealed)
      note_sealed(before, *sealed);
    else if (earlier_)
      note_sealed(before, *earlier_);
    NETML_ASSERT(before.sealed);
  }
  next.segments.push_back({started.number, started.first_lsn, false, 0, {}});
  stale_ = true;
  NETML_TRY_VOID(save(std::move(next)));
  stale_ = false;
  return cut_earlier();
}

Status CheckpointSet::raise_format(std::uint16_t format) {
  Manifest next = manifest_;
  next.format = format;
  return save(std::move(next));
}

Status CheckpointSet::cut(const EarlierSegment& segment) {
  NETML_TRY(const std::unique_ptr<File> file, data_.journal->open(segment.name, OpenMode::write));
  NETML_TRY_VOID(file->truncate(segment.bytes));
  return file->sync();
}

// The last segment of an earlier run, once this run has one of its own.
Status CheckpointSet::cut_earlier() {
  if (!earlier_) return {};
  NETML_TRY_VOID(cut(*earlier_));
  earlier_.reset();
  return {};
}

namespace {
// Absence is excused until the file is there again: what is lost after that is missed.
void drop_present_files(Manifest& manifest, Storage& uploads) {
  std::erase_if(manifest.absent_files,
                [&](const AbsentFile& file) { return is_stored(uploads, file.sha256); });
}
}  // namespace

// The generation before the last is overwritten.
Status CheckpointSet::save(Manifest next) {
  NETML_TRY_VOID(log_.check_resolved());
  drop_present_files(next, *data_.uploads);
  next.durable = std::max(next.durable, log_.durable());
  ++next.generation;
  if (Status saved = save_manifest(*data_.root, next); !saved) {
    --next.generation;
    manifest_ = std::move(next);  // what resume() saves
    return saved;
  }
  const std::optional<Manifest> replaced = std::exchange(previous_manifest_, std::move(manifest_));
  manifest_ = std::move(next);
  if (replaced) delete_left(*replaced);
  return {};
}

// A file goes one generation after it left the manifest: until then the generation before may be
// needed. One that cannot be deleted now is deleted at the next start.
void CheckpointSet::delete_left(const Manifest& replaced) {
  bool deleted = false;
  for (const CheckpointEntry& entry : replaced.checkpoints)
    for (const std::string& file : {entry.graph.name, entry.catalog.name})
      if (!names_file(manifest_.checkpoints, file) &&
          !names_file(previous_manifest_->checkpoints, file))
        deleted |= data_.checkpoints->unlink(file).has_value();
  if (deleted) static_cast<void>(data_.checkpoints->sync().has_value());
}

// At the start: files that no manifest names, because a crash came before the one that would have,
// or after the one that did not any more.
Status CheckpointSet::delete_unreferenced() {
  if (!previous_manifest_) return {};
  NETML_TRY(const std::vector<DirectoryEntry> entries, data_.checkpoints->list());
  for (const DirectoryEntry& entry : entries)
    if (!entry.directory && !names_file(manifest_.checkpoints, entry.name) &&
        !names_file(previous_manifest_->checkpoints, entry.name))
      NETML_TRY_VOID(data_.checkpoints->unlink(entry.name));
  return {};
}

Status CheckpointSet::save_stale() {
  if (!stale_) return {};
  NETML_TRY_VOID(save(manifest_));
  stale_ = false;
  return {};
}

Status CheckpointSet::note_clean_stop(const std::optional<SegmentSealed>& sealed) {
  Manifest next = manifest_;
  if (sealed) note_sealed(next.segments.back(), *sealed);
  next.clean_stop = true;
  return save(std::move(next));
}

Status CheckpointSet::note_upload(const Sha256& hash) {
  return find_absent(manifest_, hash) == nullptr ? Status() : save(manifest_);
}

std::uint64_t CheckpointSet::journal_bytes() const {
  std::uint64_t bytes = earlier_ ? earlier_->bytes : log_.segment_bytes();
  for (const SegmentEntry& segment : manifest_.segments)
    if (segment.sealed) bytes += segment.bytes;
  return bytes;
}

// ---- checkpoints ----

bool CheckpointSet::due() const {
  if (has_head()) return false;
  return log_.bytes_appended() - bytes_then_ >= options_.checkpoint_bytes ||
         clock_.steady() - time_then_ >= options_.checkpoint_interval;
}

// Of our format, whatever that of the directory is: an older program finds a file that no manifest
// names until one names it that it does not open. One that is there at this LSN would be written
// over, so its bytes must come out again.
CheckpointSource CheckpointSet::source() const {
  const Version& head = log_.head();
  const auto same = std::ranges::find(manifest_.checkpoints, head.head.lsn, &CheckpointEntry::lsn);
  return {manifest_.node, head.head, head.state,
          same == manifest_.checkpoints.end() ? format::kVersion : same->format};
}

Status CheckpointSet::take() {
  NETML_TRY(const CheckpointFiles files, write(source()));
  return install(files);
}

Status CheckpointSet::install(const CheckpointFiles& files) {
  NETML_TRY_VOID(sign(files));
  Manifest next = manifest_;
  add_checkpoint(next, files, &CheckpointEntry::recovery_base);
  drop_old_checkpoints(next);
  next.format = format::kVersion;
  NETML_TRY_VOID(save(std::move(next)));
  newest_ = files.lsn;
  note_tried();
  return {};
}

// Both manifests: a start may have only the one before.
Status CheckpointSet::reject(Lsn lsn) {
  Manifest next = manifest_;
  std::erase_if(next.checkpoints, [&](const CheckpointEntry& entry) { return entry.lsn == lsn; });
  NETML_TRY_VOID(save(next));
  return save(manifest_);
}

Status CheckpointSet::sign(const CheckpointFiles& files) const {
  NETML_TRY_VOID(log_.check_resolved());
  if (!signing_key_) return {};
  const SignedCheckpoint checkpoint{to_string(manifest_.node),
                                    {files.lsn, files.chain},
                                    files.graph.sha256,
                                    files.catalog.sha256};
  return add_signature(*data_.root, checkpoint, *signing_key_);
}

void CheckpointSet::note_tried() {
  bytes_then_ = log_.bytes_appended();
  time_then_ = clock_.steady();
}

// Two checkpoints at one LSN have the same bytes and the same names: one entry, both roles.
void CheckpointSet::add_checkpoint(Manifest& manifest, const CheckpointFiles& files,
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
  place->format = files.format;
  manifest.format = std::max(manifest.format, files.format);
  (*place).*role = true;
}

namespace {
void drop_unused(Manifest& manifest) {
  std::erase_if(manifest.checkpoints, [](const CheckpointEntry& entry) {
    return !entry.recovery_base && !entry.published;
  });
}
}  // namespace

void CheckpointSet::drop_old_checkpoints(Manifest& manifest) const {
  std::size_t bases = 0;
  const std::size_t kept = std::max<std::size_t>(options_.checkpoints_kept, 2);
  for (CheckpointEntry& entry : manifest.checkpoints)
    if (entry.recovery_base && ++bases > kept) entry.recovery_base = false;
  drop_unused(manifest);
}

// ---- published states ----

Status CheckpointSet::publish(const CheckpointFiles& files) {
  NETML_TRY_VOID(sign(files));
  Manifest next = manifest_;
  drop_unnamed_published(next);
  add_checkpoint(next, files, &CheckpointEntry::published);
  return save(std::move(next));
}

Status CheckpointSet::release_published() {
  Manifest next = manifest_;
  drop_unnamed_published(next);
  return next == manifest_ ? Status() : save(std::move(next));
}

void CheckpointSet::drop_unnamed_published(Manifest& manifest) const {
  std::set<Lsn> named;
  log_.head().state->catalog.published.for_each(
      [&](std::uint64_t, const engine::PublishedItem& item) { named.insert(item.lsn); });
  for (CheckpointEntry& entry : manifest.checkpoints)
    entry.published = entry.published && named.contains(entry.lsn);
  drop_unused(manifest);
}

// At the start: a crash may have come between a published state and the item that was to name it.
// The next manifest saved leaves it out; until then nothing needs to be written.
void CheckpointSet::check_published(RecoveryReport& report) {
  drop_unnamed_published(manifest_);
  log_.head().state->catalog.published.for_each([&](std::uint64_t number,
                                                    const engine::PublishedItem& item) {
    if (item.status == engine::PublishedStatus::success &&
        find_published(manifest_.checkpoints, item.lsn) == nullptr)
      report.warnings.push_back(fmt::format(
          "the published item {} has lost its data, the state at LSN {}", number, item.lsn.value));
  });
}

// ---- archived segments ----

// Both manifests first: no file is deleted that one of them looks for here.
Status CheckpointSet::archive(const ArchivedSegments& moved) {
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
Status CheckpointSet::delete_archived() {
  NETML_TRY(const std::vector<DirectoryEntry> files, data_.journal->list());
  for (const SegmentEntry& entry : manifest_.segments) {
    const std::string name = segment_name(entry.first_lsn, entry.number);
    if (entry.archive == 0 || !std::ranges::binary_search(files, name, {}, &DirectoryEntry::name))
      continue;
    NETML_TRY_VOID(data_.journal->unlink(name));
    NETML_TRY_VOID(data_.journal->sync());
  }
  return {};
}

}  // namespace netml::wal
