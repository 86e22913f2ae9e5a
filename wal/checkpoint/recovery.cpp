// How a node finds its state again. The manifest names the checkpoints and segments; the newest
// checkpoint that can be read is where replay begins; the journal behind it is followed frame by
// frame.
//
// The question that all of this serves is what an end of the journal means. What is known to have
// been synced (`durable_`) must be there: if less can be read, that is damage, and nothing is
// changed without an order. Behind it an incomplete end is a torn tail, as any crash may leave it:
// a frame there that was answered had been synced, and so is whole. How far the knowledge reaches
// is stated by the manifest, by checkpoints, and by the frames themselves, each of which carries
// the durable LSN of when it was written; the highest counts, even one that stands behind the gap.
//
// Good frames above `durable_` may be on the disk, or in a cache only. They are kept, but
// written and synced once more before anybody sees them (resolve_tail): a second crash must not
// undo what a reader was shown after the first.
#include "wal/checkpoint/recovery.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/guarded.hpp"
#include "engine/base/pipeline.hpp"
#include "wal/journal/archive.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/journal/replay.hpp"
#include "wal/journal/segment.hpp"
#include "wal/storage/bytes.hpp"

namespace netml::wal {

namespace {

// A frame of the tail to be, and what the journal was like before it.
struct TailFrame {
  Frame frame;
  Sha256 chain_before{};
  std::uint64_t open_bytes = 0;
};

class Recovery {
 public:
  Recovery(DataDirectory& data, Parallel& parallel, const RecoveryOptions& options)
      : data_(data), parallel_(parallel), options_(options) {}

  Result<Recovered> run();
  // Whether what was found may be the fault of a checkpoint that was not proved.
  bool is_proved() const { return base_.proved; }

 private:
  Status load_manifests();
  Status load_segments();
  Status load_checkpoint();
  Result<bool> checkpoint_holds_all();
  void begin_behind_checkpoint();
  Status reach_archives();
  Status replay_journal();
  Status follow(JournalWalk& walk);
  Status check_end(JournalWalk& walk);
  void finish(JournalWalk& walk);
  void note_cut(const CutSegment& cut);
  void name_segments(const std::vector<CutSegment>& cuts);
  std::uint64_t bytes_of(SegmentNumber number, const std::vector<CutSegment>& cuts) const;
  Status take(const WalkStep& step);
  Status check_continues(const WalkStep& step) const;
  void raise_durable(Lsn durable);
  RecoveryReport& report() { return recovered_.report; }

  DataDirectory& data_;
  Parallel& parallel_;
  const RecoveryOptions options_;
  Recovered recovered_;
  std::unique_ptr<Storage> whole_;  // the journal with its archives, if they are needed
  std::vector<SegmentHeader> segments_;
  SegmentNumber first_read_;  // of them
  Checkpoint base_;
  Lsn durable_;
  std::optional<Replay> replay_;
  std::vector<TailFrame> above_durable_;  // of the last segment
};

Result<Recovered> Recovery::run() {
  NETML_TRY_VOID(load_manifests());
  Status replayed = load_segments();
  // Frames of a newer version are refused even for reading: what stands before them is outdated.
  const auto refused = [&] {
    return !replayed &&
           (options_.on_damage == OnDamage::refuse || replayed.error().code == Errc::newer_version);
  };
  if (refused()) return tl::make_unexpected(std::move(replayed).error());
  NETML_TRY_VOID(load_checkpoint());
  // From here on there is a state to show, whatever is found out about the journal.
  replay_.emplace(base_.state);
  recovered_.head = base_.head;
  if (replayed) replayed = replay_journal();
  if (!replayed) {
    // What cannot be read is never shown as empty (P4).
    const bool nothing = replay_->state()->lsn == Lsn{};
    if (refused() || nothing) return tl::make_unexpected(std::move(replayed).error());
    report().damage = std::move(replayed).error().message;
  }
  recovered_.state = replay_->state();
  recovered_.graph_file = base_.graph_file;
  recovered_.proved = base_.proved;
  report().replayed = replay_->applied();
  report().aborted = replay_->aborted();
  report().head = recovered_.head.lsn;
  report().durable = durable_;
  return std::move(recovered_);
}

Status Recovery::load_manifests() {
  NETML_TRY(std::optional<LoadedManifest> loaded, load_manifest(*data_.root));
  if (!loaded)
    return fail(Errc::corruption,
                fmt::format("{}: there are files, but no manifest: not a data directory, or one "
                            "that lost its manifests",
                            data_.root->path()));
  recovered_.manifest = std::move(loaded->manifest);
  recovered_.previous_manifest = std::move(loaded->previous);
  report().warnings = std::move(loaded->warnings);
  report().clean_stop = recovered_.manifest.clean_stop;
  // A lower bound. Checkpoints and frames raise it; nothing lowers it.
  durable_ = recovered_.manifest.durable;
  return {};
}

// What the manifest names must be there; a crash can only leave more.
Status Recovery::load_segments() {
  NETML_TRY(segments_, list_segments(*data_.journal, recovered_.manifest.node));
  for (const SegmentEntry& entry : recovered_.manifest.segments) {
    if (entry.archive != 0) continue;
    const auto found = std::ranges::find(segments_, entry.number, &SegmentHeader::number);
    if (found == segments_.end() || found->first.lsn != entry.first_lsn)
      return fail(Errc::corruption,
                  fmt::format("{}: segment {}, which begins at LSN {}, is missing",
                              data_.journal->path(), entry.number.value, entry.first_lsn.value));
  }
  return {};
}

Status Recovery::load_checkpoint() {
  const NodeUuid& node = recovered_.manifest.node;
  for (const CheckpointEntry& entry : recovered_.manifest.checkpoints) {
    durable_ = std::max(durable_, entry.lsn);
    // Of one that takes the place of a bad one another is taken at once, which reads all of it.
    const bool proved = recovered_.checkpoint_wanted;
    Result<Checkpoint> checkpoint = open_checkpoint(
        *data_.checkpoints, node, {entry.lsn, entry.graph, entry.catalog}, parallel_,
        proved ? std::numeric_limits<std::uint64_t>::max() : options_.proved_bytes);
    if (checkpoint) {
      base_ = std::move(*checkpoint);
      report().checkpoint = base_.head.lsn;
      return {};
    }
    // The next older one with more of the journal gives the same state, so this is no damage yet.
    recovered_.checkpoint_wanted = true;
    report().warnings.push_back(fmt::format("the checkpoint at LSN {} cannot be used: {}",
                                            entry.lsn.value, checkpoint.error().message));
  }
  if (recovered_.checkpoint_wanted)
    report().warnings.push_back("no checkpoint can be used; all of the journal is replayed");
  base_ = {};
  base_.head.chain = Chain::origin(node);
  base_.state = std::make_shared<const engine::State>();
  return {};
}

// A clean stop seals the last segment behind a checkpoint. The manifest may be the older of the
// two, so nothing but that segment may follow.
Result<bool> Recovery::checkpoint_holds_all() {
  const Manifest& manifest = recovered_.manifest;
  if (!manifest.clean_stop || manifest.segments.empty() || segments_.empty()) return false;
  const SegmentEntry& last = manifest.segments.back();
  if (!last.sealed || last.archive != 0 || last.number != segments_.back().number) return false;
  // Any doubt means that the segments are read: this saves time and decides nothing.
  if (durable_ != base_.head.lsn || last.chain != base_.head.chain) return false;
  NETML_TRY(const auto file, data_.journal->open(segment_name(segments_.back()), OpenMode::read));
  NETML_TRY(const std::uint64_t bytes, file->size());
  return bytes == last.bytes;
}

void Recovery::begin_behind_checkpoint() {
  recovered_.start.next = Position::after(base_.head.lsn);
  recovered_.start.chain = base_.head.chain;
  recovered_.start.durable = base_.head.lsn;
}

// Only when no checkpoint that can be used reaches the segments that are here.
Status Recovery::reach_archives() {
  const bool enough =
      !segments_.empty() && segments_.front().first <= Position::after(base_.head.lsn);
  if (enough || recovered_.manifest.archives.empty()) return {};
  NETML_TRY(whole_, open_whole_journal(*data_.root));
  NETML_TRY(segments_, list_segments(*whole_, recovered_.manifest.node));
  return {};
}

Status Recovery::replay_journal() {
  JournalStart& start = recovered_.start;
  start.node = recovered_.manifest.node;
  start.incarnation = recovered_.manifest.incarnation;
  for (const SegmentHeader& header : segments_)
    start.incarnation = std::max(start.incarnation, header.incarnation);
  // What this run writes is distinguished from what any run before wrote, also in a tail that was
  // cut.
  ++start.incarnation;
  NETML_TRY_VOID(reach_archives());
  if (segments_.empty()) {
    begin_behind_checkpoint();
    if (durable_ == base_.head.lsn) return {};
    return fail(Errc::corruption, fmt::format("{}: there are no segments, but LSN {} was durable",
                                              data_.journal->path(), durable_.value));
  }
  start.last_segment = segments_.back().number;
  NETML_TRY(const bool complete, checkpoint_holds_all());
  if (complete) {
    begin_behind_checkpoint();
    return {};
  }
  std::vector<SegmentHeader> wanted = segments_after(segments_, base_.head.lsn);
  if (wanted.empty() || wanted.front().first > Position::after(base_.head.lsn))
    return fail(
        Errc::corruption,
        fmt::format("{}: the journal begins after LSN {}: {} is the first segment",
                    data_.journal->path(), base_.head.lsn.value, segment_name(segments_.front())));
  const SegmentHeader& first = wanted.front();
  // The hash covers all before it: where it differs, these are two histories with equal numbers.
  if (first.first == Position::after(base_.head.lsn) && first.previous_chain != base_.head.chain)
    return fail(Errc::corruption,
                fmt::format("{}/{}: offset 0: does not continue the checkpoint "
                            "at LSN {}",
                            data_.journal->path(), segment_name(first), base_.head.lsn.value));
  first_read_ = wanted.front().number;
  JournalWalk walk(whole_ ? *whole_ : *data_.journal, start.node, std::move(wanted));
  NETML_TRY_VOID(follow(walk));
  NETML_TRY_VOID(check_end(walk));
  finish(walk);
  return {};
}

// Frames are read and checked on one core while those before are decoded and applied on another.
Status Recovery::follow(JournalWalk& walk) {
  const Status followed = run_pipeline<WalkStep>(
      parallel_, [&] { return walk.next_unpacked(base_.head.lsn); },
      [&](const WalkStep& step) { return take(step); });
  report().journal_bytes = walk.bytes_read();
  NETML_TRY_VOID(followed);
  raise_durable(walk.durable());
  return {};
}

Status Recovery::take(const WalkStep& step) {
  raise_durable(step.durable);
  const Frame& frame = step.frame;
  const Lsn lsn = frame.header.position.lsn;
  if (lsn <= base_.head.lsn) return check_continues(step);
  // Before the frame is added: a tail that begins here has that much of an open transaction before
  // it.
  const std::uint64_t open_bytes = replay_->open_bytes();
  if (Status added = replay_->add(frame, step.content()); !added)
    return misfit(*step.segment, frame.offset, lsn, added.error());
  // The head moves with whole transactions only.
  if (step.position.ordinal == 0) recovered_.head = {lsn, step.chain};
  // Good frames, but nothing says that they were synced, so they are synced again before anybody is
  // shown them.
  if (step.in_last_segment && lsn > durable_)
    above_durable_.push_back({frame, step.chain_before, open_bytes});
  return {};
}

// The checkpoint and the journal must tell the same history.
Status Recovery::check_continues(const WalkStep& step) const {
  const bool last = step.position == Position::after(base_.head.lsn);
  if (!last || step.chain == base_.head.chain) return {};
  return damage(*step.segment, step.frame.offset, step.frame.header.position.lsn,
                "the checkpoint there has another chain of hashes");
}

void Recovery::raise_durable(Lsn durable) {
  if (durable <= durable_) return;
  durable_ = durable;
  // A later frame tells that these were synced: they are no tail any more.
  const auto keep = std::ranges::find_if(above_durable_, [&](const TailFrame& tail) {
    return tail.frame.header.position.lsn > durable_;
  });
  above_durable_.erase(above_durable_.begin(), keep);
}

// The one place that tells a torn tail from damage (J6).
Status Recovery::check_end(JournalWalk& walk) {
  const Lsn expected = walk.position().lsn;
  const WalkEnd& end = walk.end();
  if (end.torn)
    // A frame behind the gap may say that what is missing was synced; then it is damage.
    if (const std::optional<Lsn> later = walk.segment().durable_after(end.offset))
      raise_durable(*later);
  if (end.cut) return damage(walk.segment(), end.offset, expected, "the file was cut at its end");
  // All that is known to be durable has been read: what is torn here is what a crash leaves.
  if (expected > durable_) return {};
  if (end.torn) return damage(walk.segment(), end.offset, expected, end.reason);
  return fail(Errc::corruption,
              fmt::format("{}: offset {}: the journal ends at LSN {}, but LSN {} was durable",
                          walk.segment().path(), end.offset, expected.value - 1, durable_.value));
}

void Recovery::finish(JournalWalk& walk) {
  for (const CutSegment& cut : walk.cuts()) note_cut(cut);
  name_segments(walk.cuts());
  const WalkEnd& end = walk.end();
  JournalStart& start = recovered_.start;
  start.next = walk.position();
  start.chain = walk.chain();
  start.open_bytes = replay_->open_bytes();
  std::uint64_t used = end.counted;  // a watermark or seal behind may be in the page cache only
  if (!above_durable_.empty()) {
    const TailFrame& first = above_durable_.front();
    start.next = first.frame.header.position;
    start.chain = first.chain_before;
    start.open_bytes = first.open_bytes;
    used = first.frame.offset;
  }
  start.durable = Lsn{start.next.lsn.value - 1};
  const SegmentHeader& header = walk.segment().header();
  recovered_.earlier = {segment_name(header), used, start.chain};
  // The journal ends as a clean one does; there is nothing to resolve.
  if (above_durable_.empty() && !end.torn && walk.position().ordinal == 0) return;

  recovered_.tail = std::make_unique<JournalTail>();
  JournalTail& tail = *recovered_.tail;
  for (const TailFrame& item : above_durable_) tail.frames.push_back(item.frame);
  tail.open_frames = walk.position().ordinal;
  tail.open_bytes = replay_->open_bytes();
  tail.torn = end.torn;
  tail.torn_offset = end.offset;
  tail.segment = walk.shared_segment();
}

// What follows the frames that count is a tail that was written again elsewhere and not yet cut, or
// a seal that is damaged: then the manifest knows the file's length.
void Recovery::note_cut(const CutSegment& cut) {
  const auto& known = recovered_.manifest.segments;
  const auto entry = std::ranges::find(known, cut.number, &SegmentEntry::number);
  if (entry != known.end() && entry->sealed && entry->bytes > cut.bytes)
    report().warnings.push_back(fmt::format("{}/{}: offset {}: the seal is damaged, but no frame",
                                            data_.journal->path(), cut.name, cut.bytes));
  else
    recovered_.not_yet_cut.push_back({cut.name, cut.bytes, cut.chain});
}

// Adds the segments that the manifest lacks because a crash came before it was written again. How
// much of the segment before such a one counts is known only if it was read.
void Recovery::name_segments(const std::vector<CutSegment>& cuts) {
  std::vector<SegmentEntry>& named = recovered_.manifest.segments;
  for (const SegmentHeader& header : segments_) {
    if (!named.empty() && header.number <= named.back().number) continue;
    if (!named.empty() && named.back().number >= first_read_) {
      SegmentEntry& before = named.back();
      before.sealed = true;
      before.chain = header.previous_chain;
      before.bytes = bytes_of(before.number, cuts);
    }
    named.push_back({header.number, header.first.lsn, false, 0, {}});
  }
}

// As it will be once the start is done; a seal that may not be durable does not count.
std::uint64_t Recovery::bytes_of(SegmentNumber number, const std::vector<CutSegment>& cuts) const {
  const auto cut = std::ranges::find(cuts, number, &CutSegment::number);
  if (cut != cuts.end()) return cut->counted;
  const auto header = std::ranges::find(segments_, number, &SegmentHeader::number);
  const auto file = data_.journal->open(segment_name(*header), OpenMode::read);
  const Result<std::uint64_t> size = file ? (*file)->size() : tl::unexpected(file.error());
  return size.value_or(0);
}

// Up to the last byte that is not zero.
std::span<const std::byte> torn_bytes(const JournalTail& tail) {
  std::span<const std::byte> bytes = tail.segment->from(tail.torn_offset);
  while (!bytes.empty() && bytes.back() == std::byte{}) bytes = bytes.first(bytes.size() - 1);
  return bytes;
}

Status quarantine(DataDirectory& data, const JournalTail& tail, RecoveryReport& report) {
  const std::span<const std::byte> bytes = torn_bytes(tail);
  const std::string name = fmt::format("{}-{}", tail.segment->name(), tail.torn_offset);
  NETML_TRY_VOID(replace_file(*data.quarantine, name, bytes));
  report.quarantined_bytes = bytes.size();
  report.notes.push_back(
      fmt::format("{}: offset {}: torn tail after LSN {}: {} bytes kept aside "
                  "as {}/{}",
                  tail.segment->path(), tail.torn_offset, report.head.value, bytes.size(),
                  data.quarantine->path(), name));
  return {};
}

}  // namespace

Result<Recovered> recover(DataDirectory& data, const Clock& clock, Parallel& parallel,
                          const RecoveryOptions& options) {
  const std::chrono::nanoseconds begin = clock.steady();
  std::optional<Recovery> recovery(std::in_place, data, parallel, options);
  Result<Recovered> run = guarded([&] { return recovery->run(); });
  const auto unreadable = [](Errc code) {
    return code == Errc::corruption || code == Errc::io_error;
  };
  if (!run && unreadable(run.error().code) && !recovery->is_proved()) {
    RecoveryOptions proving = options;
    proving.proved_bytes = std::numeric_limits<std::uint64_t>::max();
    recovery.emplace(data, parallel, proving);
    run = guarded([&] { return recovery->run(); });
  }
  NETML_TRY(Recovered recovered, std::move(run));
  recovered.report.duration = clock.steady() - begin;
  return recovered;
}

Status resolve_tail(DataDirectory& data, Recovered& recovered, JournalWriter& writer,
                    JournalWriter::Open open) {
  NETML_ASSERT(recovered.tail != nullptr);
  const JournalTail& tail = *recovered.tail;
  RecoveryReport& report = recovered.report;
  if (tail.torn) NETML_TRY_VOID(quarantine(data, tail, report));
  if (tail.open_frames != 0)
    report.notes.push_back(fmt::format(
        "LSN {} was cut off after {} bytes in {} frames: {}", report.head.next().value,
        tail.open_bytes, tail.open_frames,
        open == JournalWriter::Open::aborted ? "aborted" : "the shared log has the rest"));
  // Into a new segment, whose first position ends the one before; the frames keep their hashes.
  const Status rewritten = writer.rewrite(tail.frames, open, "cut off by a crash");
  if (writer.segment_bytes() == 0) return rewritten;  // it has no segment
  report.rewritten_frames = tail.frames.size();
  if (!writer.transaction_open()) recovered.head = {writer.last_closed(), writer.chain()};
  report.head = recovered.head.lsn;
  recovered.tail.reset();
  return rewritten;
}

// Nothing else can come of it than what is there: each byte is written over itself. That takes no
// room, as segments are filled before they are used.
Status keep_tail_in_place(DataDirectory& data, const Recovered& recovered) {
  const Segment& segment = *recovered.tail->segment;
  NETML_TRY(const std::unique_ptr<File> file, data.journal->open(segment.name(), OpenMode::write));
  for (const Frame& frame : recovered.tail->frames)
    NETML_TRY_VOID(
        file->write(frame.offset, segment.from(frame.offset).first(frame.end() - frame.offset)));
  return file->sync();
}

Result<ReadOnlyData> open_read_only(Storage& data, const Clock& clock, Parallel& parallel) {
  ReadOnlyData opened;
  NETML_TRY(opened.directory, open_data_directory(data));
  NETML_TRY(Recovered recovered,
            recover(opened.directory, clock, parallel, {.on_damage = OnDamage::stop}));
  if (recovered.earlier) opened.journal_bytes = recovered.earlier->bytes;
  for (const SegmentEntry& segment : recovered.manifest.segments)
    if (segment.sealed) opened.journal_bytes += segment.bytes;
  opened.manifest = std::move(recovered.manifest);
  opened.state = std::move(recovered.state);
  opened.graph_file = std::move(recovered.graph_file);
  opened.head = recovered.head;
  opened.report = std::move(recovered.report);
  return opened;
}

}  // namespace netml::wal
