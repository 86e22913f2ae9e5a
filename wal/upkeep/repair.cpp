#include "wal/upkeep/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "wal/checkpoint/recovery.hpp"
#include "wal/checkpoint/signatures.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/journal/replay.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

namespace {

// Of a file of the journal, by its name.
SegmentNumber number_of(const std::string& name) {
  SegmentNumber number;
  const std::string_view digits = std::string_view(name).substr(name.find('-') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
  return number;
}

// ---- planning ----

class Planner {
 public:
  Planner(DataDirectory& data, Parallel& parallel, Lsn keep)
      : data_(data), parallel_(parallel), keep_(keep) {}

  Result<RepairPlan> run(std::string damage);

 private:
  Status load_manifests();
  Status look_at(const std::string& name);
  std::vector<SegmentHeader> good_beginning() const;
  Status read_journal();
  Status read_until(JournalWalk& walk, Replay replay);
  Result<Checkpoint> newest_base() const;
  void plan_cut(const WalkStep& last);
  tl::unexpected<Error> refuse(Lsn last_good, std::string_view why) const;
  tl::unexpected<Error> refuse(Lsn last_good, const Error& why) const;
  void know(Lsn lsn) { plan_.last_known = std::max(plan_.last_known, lsn); }

  DataDirectory& data_;
  Parallel& parallel_;
  const Lsn keep_;
  RepairPlan plan_;
  std::vector<std::string> files_;       // of the journal, in its order
  std::vector<SegmentHeader> segments_;  // those whose header can be read
};

Result<RepairPlan> Planner::run(std::string damage) {
  plan_.damage = std::move(damage);
  NETML_TRY_VOID(load_manifests());
  NETML_TRY(const std::vector<DirectoryEntry> entries, data_.journal->list());
  for (const DirectoryEntry& entry : entries)
    if (!entry.directory && is_segment_name(entry.name)) NETML_TRY_VOID(look_at(entry.name));
  std::ranges::sort(segments_, {}, &SegmentHeader::number);
  NETML_TRY_VOID(read_journal());
  return std::move(plan_);
}

Status Planner::load_manifests() {
  NETML_TRY(std::optional<LoadedManifest> loaded, load_manifest(*data_.root));
  if (!loaded)
    return fail(Errc::corruption,
                data_.root->path() + ": there is no manifest, so nothing can be repaired");
  plan_.manifest = std::move(loaded->manifest);
  for (const Manifest& manifest : {plan_.manifest, loaded->previous.value_or(Manifest())}) {
    know(manifest.durable);
    for (const CheckpointEntry& entry : manifest.checkpoints) know(entry.lsn);
  }
  return {};
}

// Whatever in it can be read tells how far the journal went.
Status Planner::look_at(const std::string& name) {
  files_.push_back(name);
  const Result<Segment> segment = Segment::read(*data_.journal, name);
  if (!segment)
    return segment.error().code == Errc::corruption ? Status() : tl::unexpected(segment.error());
  const SegmentHeader& header = segment->header();
  if (!(header.node == plan_.manifest.node) || segment_name(header) != name) return {};
  know(Lsn{header.first.lsn.value - 1});
  know(segment->durable_after(format::kSegmentHeaderBytes).value_or(Lsn{}));
  for (auto frame = segment->frame_after(format::kSegmentHeaderBytes); frame;
       frame = segment->frame_after(frame->end())) {
    // Wherever the damage is, the rest is not for this program to cut.
    NETML_TRY_VOID(check_known(segment->path(), frame->header, frame->offset));
    if (frame->header.last()) know(frame->header.position.lsn);
  }
  plan_.manifest.incarnation = std::max(plan_.manifest.incarnation, header.incarnation);
  segments_.push_back(header);
  return {};
}

// The consecutive segments from the first on that begin within what is to be kept.
std::vector<SegmentHeader> Planner::good_beginning() const {
  std::vector<SegmentHeader> beginning;
  for (const SegmentHeader& header : segments_) {
    if (header.first.lsn > keep_) break;
    if (!beginning.empty() && header.number.value != beginning.back().number.value + 1) break;
    beginning.push_back(header);
  }
  return beginning;
}

Result<Checkpoint> Planner::newest_base() const {
  const NodeUuid& node = plan_.manifest.node;
  for (const CheckpointEntry& entry : plan_.manifest.checkpoints) {
    if (entry.lsn > keep_) continue;
    auto read = read_checkpoint(*data_.checkpoints, node, {entry.lsn, entry.graph, entry.catalog},
                                parallel_);
    if (read) return read;
  }
  Checkpoint nothing;
  nothing.head.chain = Chain::origin(node);
  nothing.state = std::make_shared<const engine::State>();
  return nothing;
}

Status Planner::read_journal() {
  if (keep_ == Lsn{}) return refuse(Lsn{}, "nothing would be left");
  NETML_TRY(const Checkpoint base, newest_base());
  std::vector<SegmentHeader> wanted = segments_after(good_beginning(), base.head.lsn);
  if (wanted.empty() || wanted.front().first > Position::after(base.head.lsn))
    return refuse(Lsn{}, "the segments at the beginning cannot be read");
  JournalWalk walk(*data_.journal, plan_.manifest.node, std::move(wanted));
  plan_.kept = base.head;
  return read_until(walk, Replay(base.state));
}

Status Planner::read_until(JournalWalk& walk, Replay replay) {
  const Lsn base = plan_.kept.lsn;
  while (walk.position().lsn <= keep_) {
    const Lsn last_good{walk.position().lsn.value - 1};
    const Result<std::optional<WalkStep>> step = walk.next();
    if (!step) return refuse(last_good, step.error());
    if (!*step) return refuse(last_good, "the journal ends there");
    if ((*step)->frame.header.position.lsn > base)
      if (const Status added = replay.add((*step)->frame); !added)
        return refuse(last_good, added.error());
    if (walk.position() == Position::after(base) && walk.chain() != plan_.kept.chain)
      return refuse(Lsn{}, "the checkpoint there has another chain of hashes");
    if (walk.position().lsn > keep_) plan_cut(**step);
  }
  return {};
}

void Planner::plan_cut(const WalkStep& last) {
  const SegmentHeader& header = last.segment->header();
  plan_.kept = {keep_, last.chain};
  plan_.cut_segment = last.segment->name();
  plan_.cut_at = last.frame.end();
  plan_.cut_bytes = header.bytes;
  for (const std::string& file : files_)
    if (number_of(file) > header.number) plan_.gone.push_back(file);
  std::ranges::sort(plan_.gone, std::ranges::greater(), number_of);

  Manifest& manifest = plan_.manifest;
  manifest.durable = keep_;
  manifest.clean_stop = false;
  std::erase_if(manifest.segments,
                [&](const SegmentEntry& entry) { return entry.number >= header.number; });
  manifest.segments.push_back({header.number, header.first.lsn, false, 0, {}});
  std::erase_if(manifest.checkpoints,
                [&](const CheckpointEntry& entry) { return entry.lsn > keep_; });
}

tl::unexpected<Error> Planner::refuse(Lsn last_good, std::string_view why) const {
  return fail(Errc::invalid_input,
              fmt::format("LSN {} cannot be kept: the last good LSN is {} ({})", keep_.value,
                          last_good.value, why));
}

tl::unexpected<Error> Planner::refuse(Lsn last_good, const Error& why) const {
  if (why.code == Errc::newer_version) return tl::unexpected(why);
  return refuse(last_good, why.message);
}

// ---- doing it ----

// A new directory for each repair, so that none overwrites what another set aside.
Result<std::unique_ptr<Storage>> make_aside(Storage& quarantine) {
  for (int number = 1;; ++number) {
    const std::string name = fmt::format("repair-{}", number);
    const Status made = quarantine.make_directory(name);
    if (!made && made.error().code == Errc::conflict) continue;
    if (!made) return tl::unexpected(made.error());
    NETML_TRY_VOID(quarantine.sync());
    return quarantine.open_directory(name);
  }
}

// All that is cut, replaced or deleted, now or at the start that follows.
Status set_aside(DataDirectory& data, const RepairPlan& plan, Storage& aside) {
  NETML_TRY_VOID(copy_file(*data.journal, aside, plan.cut_segment));
  for (const std::string& name : plan.gone) NETML_TRY_VOID(copy_file(*data.journal, aside, name));
  NETML_TRY(const std::vector<DirectoryEntry> checkpoints, data.checkpoints->list());
  for (const DirectoryEntry& entry : checkpoints)
    if (!entry.directory && !names_file(plan.manifest.checkpoints, entry.name))
      NETML_TRY_VOID(copy_file(*data.checkpoints, aside, entry.name));
  NETML_TRY(const std::vector<DirectoryEntry> files, data.root->list());
  for (const DirectoryEntry& entry : files)
    if (is_manifest_name(entry.name) || entry.name == kSignatureFile)
      NETML_TRY_VOID(copy_file(*data.root, aside, entry.name));
  return aside.sync();
}

// The manifests first: they alone no longer vouch for what is lost. A start before the rest is done
// finds the damage again, or the journal's end.
Status cut(DataDirectory& data, const RepairPlan& plan) {
  Manifest manifest = plan.manifest;
  for (int i = 0; i < 2; ++i) {
    ++manifest.generation;
    NETML_TRY_VOID(save_manifest(*data.root, manifest));
  }
  for (const std::string& name : plan.gone) {
    NETML_TRY_VOID(data.journal->unlink(name));
    NETML_TRY_VOID(data.journal->sync());  // in this order, or a gap could remain
  }
  std::vector<std::byte> kept(plan.cut_bytes);
  NETML_TRY(const std::unique_ptr<File> file, data.journal->open(plan.cut_segment, OpenMode::read));
  NETML_TRY_VOID(read_exactly(*file, 0, std::span(kept).first(plan.cut_at)));
  return replace_file(*data.journal, plan.cut_segment, kept);
}

engine::Transaction record_of(const RepairPlan& plan, const std::string& who,
                              std::string_view aside, const engine::State& state, WallTime now) {
  engine::Transaction transaction;
  engine::Provenance& provenance = transaction.provenance;
  provenance.actor_kind = engine::ActorKind::command_line;
  provenance.actor = who;
  provenance.cause = engine::Cause::repair;
  provenance.source = fmt::format("cut after LSN {}: {} transactions lost, set aside in {}",
                                  plan.kept.lsn.value, plan.lost(), aside);
  provenance.wall_time = now;
  provenance.effective_time = std::max(now, state.effective_time);
  return transaction;
}

}  // namespace

Result<RepairPlan> plan_repair(Storage& data, const Clock& clock, Parallel& parallel, Lsn keep) {
  NETML_TRY(DataDirectory directory, open_data_directory(data));
  const Result<Recovered> start = recover(directory, clock, parallel);
  if (start)
    return fail(Errc::invalid_input,
                fmt::format("{} is in order as far as a start can tell, up to LSN {}: nothing was "
                            "changed. What netml verify finds beyond that is for a backup to mend",
                            data.path(), start->head.lsn.value));
  if (start.error().code != Errc::corruption) return tl::unexpected(start.error());
  return Planner(directory, parallel, keep).run(start.error().message);
}

Result<Repaired> repair(Storage& data, const RepairPlan& plan, const std::string& who,
                        const Clock& clock, Random& random, const StoreOptions& options) {
  Repaired repaired;
  {
    NETML_TRY(DataDirectory directory, open_data_directory(data));
    NETML_TRY(const std::unique_ptr<Storage> aside, make_aside(*directory.quarantine));
    NETML_TRY_VOID(set_aside(directory, plan, *aside));
    repaired.aside = aside->path();
    NETML_TRY_VOID(cut(directory, plan));
    NETML_TRY_VOID(cut_signatures(data, plan.kept.lsn));
  }
  NETML_TRY(const std::unique_ptr<Store> store, Store::open(data, clock, random, options));
  const std::string name = repaired.aside.substr(repaired.aside.rfind('/') + 1);
  NETML_TRY(repaired.record,
            store->append(record_of(plan, who, fmt::format("{}/{}", kQuarantineDirectory, name),
                                    *store->head(), clock.wall())));
  NETML_TRY_VOID(store->close());
  repaired.head = store->head_hash();
  return repaired;
}

}  // namespace netml::wal
