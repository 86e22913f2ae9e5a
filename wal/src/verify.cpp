#include "wal/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/pipeline.hpp"
#include "wal/checkpoint.hpp"
#include "wal/manifest.hpp"
#include "wal/src/journal_directory.hpp"
#include "wal/src/journal_walk.hpp"
#include "wal/src/replay.hpp"

namespace netml::wal {

namespace {

// What the journal must be like at an LSN, and who says so.
struct Milestone {
  Sha256 chain{};
  std::optional<engine::Digest> digest;
  std::string source;
};

class Verification {
 public:
  Verification(DataDirectory& data, Parallel& parallel) : data_(data), parallel_(parallel) {}

  Result<VerifyReport> run(const std::optional<Head>& known);

 private:
  void check_checkpoints();
  void check_journal();
  Status follow(JournalWalk& walk);
  Status take(const WalkStep& step);
  void check_end(const JournalWalk& walk);
  void check_milestones();
  void check_sealed(const std::vector<SegmentHeader>& segments,
                    const std::vector<CutSegment>& cuts);
  void find(std::string finding) { report_.findings.push_back(std::move(finding)); }

  DataDirectory& data_;
  Parallel& parallel_;
  Manifest manifest_;
  Lsn durable_;
  VerifyReport report_;
  Replay replay_{std::make_shared<const engine::State>()};
  std::multimap<Lsn, Milestone> milestones_;  // not yet reached
};

Result<VerifyReport> Verification::run(const std::optional<Head>& known) {
  NETML_TRY(std::optional<LoadedManifest> loaded, load_manifest(*data_.root));
  if (!loaded) return fail(Errc::corruption, data_.root->path() + ": there is no manifest");
  manifest_ = std::move(loaded->manifest);
  durable_ = manifest_.durable;
  for (std::string& warning : loaded->warnings) find(std::move(warning));
  if (known) milestones_.emplace(known->lsn, Milestone{known->chain, {}, "the head noted outside"});
  check_checkpoints();
  check_journal();
  return std::move(report_);
}

void Verification::check_checkpoints() {
  for (const CheckpointEntry& entry : manifest_.checkpoints) {
    const CheckpointFiles files{entry.lsn, entry.graph, entry.catalog};
    durable_ = std::max(durable_, entry.lsn);
    if (Status hashes = verify_checkpoint(*data_.checkpoints, files); !hashes)
      find(std::move(hashes).error().message);
    Result<Checkpoint> read = read_checkpoint(*data_.checkpoints, manifest_.node, files, parallel_);
    if (!read) {
      find(std::move(read).error().message);
      continue;
    }
    ++report_.checkpoints;
    milestones_.emplace(entry.lsn,
                        Milestone{read->head.chain, read->state->digest(),
                                  fmt::format("the checkpoint at LSN {}", entry.lsn.value)});
  }
}

void Verification::check_journal() {
  Result<std::vector<SegmentHeader>> segments = list_segments(*data_.journal, manifest_.node);
  if (!segments) return find(std::move(segments).error().message);
  for (const SegmentEntry& entry : manifest_.segments)
    if (std::ranges::find(*segments, entry.number, &SegmentHeader::number) == segments->end())
      find(fmt::format("{}: segment {} is missing", data_.journal->path(), entry.number.value));
  report_.segments = segments->size();
  report_.head.chain = Chain::origin(manifest_.node);
  if (!segments->empty()) {
    if (segments->front().first != Position{} ||
        segments->front().previous_chain != report_.head.chain)
      return find(fmt::format("{}: the journal does not begin at LSN 1", data_.journal->path()));
    JournalWalk walk(*data_.journal, manifest_.node, *segments);
    if (Status followed = follow(walk); !followed) find(std::move(followed).error().message);
    check_sealed(*segments, walk.cuts());
  }
  if (report_.head.lsn < durable_)
    find(fmt::format("{}: the journal ends at LSN {}, but LSN {} was durable",
                     data_.journal->path(), report_.head.lsn.value, durable_.value));
  for (const auto& [lsn, milestone] : milestones_)
    find(fmt::format("{} is beyond the end of the journal", milestone.source));
}

Status Verification::follow(JournalWalk& walk) {
  const Status followed = run_pipeline<WalkStep>(
      parallel_, [&] { return walk.next(); }, [&](const WalkStep& step) { return take(step); });
  report_.journal_bytes = walk.bytes_read();
  durable_ = std::max(durable_, walk.durable());
  NETML_TRY_VOID(followed);
  check_end(walk);
  return {};
}

Status Verification::take(const WalkStep& step) {
  const Frame& frame = step.frame;
  if (Status added = replay_.add(frame); !added)
    return damage(*step.segment, frame.offset, frame.header.position.lsn, added.error().message);
  report_.transactions = replay_.applied();
  report_.aborted = replay_.aborted();
  if (step.position.ordinal != 0) return {};
  report_.head = {frame.header.position.lsn, step.chain};
  check_milestones();
  return {};
}

// A torn tail above the durable mark is what a crash leaves, and no finding.
void Verification::check_end(const JournalWalk& walk) {
  const WalkEnd& end = walk.end();
  const auto report = [&](std::string_view reason) {
    find(damage(walk.segment(), end.offset, walk.position().lsn, reason).value().message);
  };
  if (end.cut) report("the file was cut at its end");
  if (!end.torn) return;
  if (const std::optional<Lsn> later = walk.segment().durable_after(end.offset))
    durable_ = std::max(durable_, *later);
  if (walk.position().lsn <= durable_) report(end.reason);
}

void Verification::check_milestones() {
  const auto [first, last] = milestones_.equal_range(report_.head.lsn);
  for (auto it = first; it != last; ++it) {
    const Milestone& milestone = it->second;
    if (milestone.chain != report_.head.chain)
      find(fmt::format("LSN {}: the chain of hashes is another than that of {}",
                       report_.head.lsn.value, milestone.source));
    if (milestone.digest && !(*milestone.digest == replay_.state()->digest()))
      find(fmt::format("LSN {}: replay leads to another state than {}", report_.head.lsn.value,
                       milestone.source));
  }
  milestones_.erase(first, last);
}

void Verification::check_sealed(const std::vector<SegmentHeader>& segments,
                                const std::vector<CutSegment>& cuts) {
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    const auto entry =
        std::ranges::find(manifest_.segments, segments[i].number, &SegmentEntry::number);
    if (entry == manifest_.segments.end() || !entry->sealed) continue;
    if (entry->chain != segments[i + 1].previous_chain)
      find(fmt::format("{}/{}: the manifest knows another chain of hashes", data_.journal->path(),
                       segment_name(segments[i])));
    const auto cut = std::ranges::find(cuts, segments[i].number, &CutSegment::number);
    if (cut != cuts.end() && entry->bytes > cut->bytes)
      find(fmt::format("{}/{}: offset {}: the seal is damaged", data_.journal->path(), cut->name,
                       cut->bytes));
  }
}

}  // namespace

Result<VerifyReport> verify(Storage& data, Parallel& parallel, const std::optional<Head>& known) {
  NETML_TRY(DataDirectory directory, open_data_directory(data));
  return Verification(directory, parallel).run(known);
}

}  // namespace netml::wal
