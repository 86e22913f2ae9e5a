#include "wal/upkeep/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/pipeline.hpp"
#include "engine/base/sha256.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/named_files.hpp"
#include "wal/checkpoint/signatures.hpp"
#include "wal/format/manifest.hpp"
#include "wal/format/stored_files.hpp"
#include "wal/journal/archive.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/journal/replay.hpp"
#include "wal/journal/segment.hpp"
#include "wal/upkeep/verify_progress.hpp"

namespace netml::wal {

namespace {

// What the journal must be like at an LSN, and who says so.
struct Milestone {
  Sha256 chain{};
  std::optional<engine::Digest> digest;
  std::string source;
  bool noted_outside = false;
};

class Verification {
 public:
  Verification(DataDirectory& data, Parallel& parallel, const VerifyOptions& options)
      : data_(data), parallel_(parallel), options_(options), progress_(options.report) {}

  Result<VerifyReport> run();

 private:
  Status load_expectations();
  void check_signatures();
  void check_signed(const CheckpointEntry& entry);
  void check_checkpoints();
  Result<Checkpoint> check_checkpoint(const CheckpointEntry& entry);
  bool retired(const CheckpointEntry& entry);
  std::optional<SegmentNumber> last_segment() const;
  void check_journal();
  Status follow(JournalWalk& walk);
  bool at_live_head(const JournalWalk& walk) const;
  Status take(const WalkStep& step);
  void check_end(const JournalWalk& walk);
  void check_milestones();
  void check_sealed(const std::vector<SegmentHeader>& segments,
                    const std::vector<CutSegment>& cuts);
  void check_uploads();
  Status check_upload(const std::string& name);
  void find(std::string finding) { report_.findings.push_back(std::move(finding)); }
  void remain(std::string remains) { report_.remains.push_back(std::move(remains)); }
  void find_in_journal(std::string finding);
  void find_in_journal(Error error);
  void find_another_history(std::string finding);
  void find_against(const Milestone& milestone, std::string finding);

  DataDirectory& data_;
  Parallel& parallel_;
  const VerifyOptions& options_;
  VerifyProgress progress_;
  Manifest manifest_;
  Lsn durable_;
  VerifyReport report_;
  Replay replay_{std::make_shared<const engine::State>()};
  std::multimap<Lsn, Milestone> milestones_;  // not yet reached
  std::vector<SignedCheckpoint> signed_;      // by the key wanted, or by any
};

Result<VerifyReport> Verification::run() {
  NETML_TRY_VOID(load_expectations());
  progress_.measure(data_, manifest_, last_segment());
  check_signatures();
  check_checkpoints();
  check_journal();
  check_uploads();
  report_.state = replay_.state();
  return std::move(report_);
}

void Verification::find_in_journal(std::string finding) {
  report_.journal_damaged = true;
  find(std::move(finding));
}

// Of a newer version: nothing is damaged, so nothing is to be cut.
void Verification::find_in_journal(Error error) {
  if (error.code != Errc::newer_version) return find_in_journal(std::move(error.message));
  report_.newer_version = true;
  find(std::move(error.message));
}

void Verification::find_another_history(std::string finding) {
  report_.another_history = true;
  find(std::move(finding));
}

Status Verification::load_expectations() {
  NETML_TRY(std::optional<LoadedManifest> loaded, load_manifest(*data_.root));
  if (!loaded) return fail(Errc::corruption, data_.root->path() + ": there is no manifest");
  for (std::string& warning : loaded->warnings) find(std::move(warning));
  manifest_ = std::move(loaded->manifest);
  if (const std::optional<Head>& known = options_.known)
    milestones_.emplace(known->lsn, Milestone{known->chain, {}, "the head noted outside", true});
  if (const std::optional<LiveView>& live = options_.live) {
    manifest_ = live->manifest;
    milestones_.emplace(live->head.lsn,
                        Milestone{live->head.chain, live->state->digest(), "the state in memory"});
  }
  durable_ = manifest_.durable;
  return {};
}

// What was signed is history for ever, also when the checkpoint is gone.
void Verification::check_signatures() {
  const Result<std::string> text = read_signatures(*data_.root);
  if (!text) return find(text.error().message);
  std::size_t number = 0;
  for (SignatureLine& line : parse_signatures(*text)) {
    const std::string place =
        fmt::format("{}/{}: line {}", data_.root->path(), kSignatureFile, ++number);
    const Head& head = line.checkpoint.head;
    if (!line.problem.empty()) {
      find(fmt::format("{}: {}", place, line.problem));
    } else if (line.checkpoint.node != to_string(manifest_.node)) {
      find(fmt::format("{}: it is of node {}", place, line.checkpoint.node));
    } else if (options_.live && head.lsn > options_.live->head.lsn) {
      break;  // taken since
    } else if (!options_.key || line.key == *options_.key) {
      milestones_.emplace(head.lsn,
                          Milestone{head.chain, {}, "the checkpoint that was signed there"});
      report_.signed_lsn = std::max(report_.signed_lsn, head.lsn);
      signed_.push_back(std::move(line.checkpoint));
    }
  }
  if (const std::size_t bytes = unfinished_bytes(*text); bytes != 0 && !options_.live)
    remain(fmt::format("{}/{}: {} bytes behind the last line", data_.root->path(), kSignatureFile,
                       bytes));
  report_.signatures = signed_.size();
  if (options_.key && signed_.empty())
    find_another_history("no checkpoint is signed by the key " + to_hex(*options_.key));
}

// A checkpoint is signed before it counts: since there is a key, each must be.
void Verification::check_signed(const CheckpointEntry& entry) {
  bool there = false;
  for (const SignedCheckpoint& checkpoint : signed_) {
    if (checkpoint.head.lsn != entry.lsn) continue;
    there = true;
    if (checkpoint.graph == entry.graph.sha256 && checkpoint.catalog == entry.catalog.sha256)
      return;
  }
  if (there)
    find(fmt::format("the checkpoint at LSN {} is another than the one that was signed",
                     entry.lsn.value));
  else if (options_.key && !signed_.empty() && entry.lsn > signed_.front().head.lsn)
    find_another_history(fmt::format("the checkpoint at LSN {} is not signed by the key {}",
                                     entry.lsn.value, to_hex(*options_.key)));
}

void Verification::check_checkpoints() {
  for (const CheckpointEntry& entry : manifest_.checkpoints) {
    durable_ = std::max(durable_, entry.lsn);
    check_signed(entry);
    Result<Checkpoint> read = check_checkpoint(entry);
    progress_.checkpoint_read(entry);
    if (!read) {
      if (!retired(entry)) find(std::move(read).error().message);
      continue;
    }
    ++report_.checkpoints;
    milestones_.emplace(entry.lsn,
                        Milestone{read->head.chain, read->state->digest(),
                                  fmt::format("the checkpoint at LSN {}", entry.lsn.value)});
  }
}

Result<Checkpoint> Verification::check_checkpoint(const CheckpointEntry& entry) {
  const CheckpointFiles files{entry.lsn, entry.graph, entry.catalog};
  NETML_TRY_VOID(verify_checkpoint(*data_.checkpoints, files, parallel_));
  return read_checkpoint(*data_.checkpoints, manifest_.node, files, parallel_);
}

// Whether the store has given it up meanwhile, so that it may be deleted. The newest manifest alone
// tells: the other one read may be several generations older.
bool Verification::retired(const CheckpointEntry& entry) {
  if (!options_.live) return false;
  const Result<std::optional<LoadedManifest>> now = load_manifest(*data_.root);
  return now && *now &&
         std::ranges::none_of((*now)->manifest.checkpoints, [&](const CheckpointEntry& named) {
           return named.graph.name == entry.graph.name;
         });
}

// Later ones are made meanwhile.
std::optional<SegmentNumber> Verification::last_segment() const {
  if (!options_.live || manifest_.segments.empty()) return std::nullopt;
  return manifest_.segments.back().number;
}

void Verification::check_journal() {
  const auto journal = open_whole_journal(*data_.root);
  if (!journal) return find_in_journal(journal.error());
  Result<std::vector<SegmentHeader>> segments =
      list_segments(**journal, manifest_.node, last_segment());
  if (!segments) return find_in_journal(std::move(segments).error());
  for (const SegmentEntry& entry : manifest_.segments)
    if (std::ranges::find(*segments, entry.number, &SegmentHeader::number) == segments->end())
      find_in_journal(
          fmt::format("{}: segment {} is missing", data_.journal->path(), entry.number.value));
  report_.segments = segments->size();
  report_.head.chain = Chain::origin(manifest_.node);
  check_milestones();  // of LSN 0: a checkpoint of a node without any change
  if (!segments->empty()) {
    if (segments->front().first != Position{} ||
        segments->front().previous_chain != report_.head.chain)
      return find_in_journal(
          fmt::format("{}: the journal does not begin at LSN 1", data_.journal->path()));
    JournalWalk walk(**journal, manifest_.node, *segments);
    if (Status followed = follow(walk); !followed) find_in_journal(std::move(followed).error());
    check_sealed(*segments, walk.cuts());
  }
  if (report_.newer_version) return;  // what follows tells of it
  if (report_.head.lsn < durable_)
    find_in_journal(fmt::format("{}: the journal ends at LSN {}, but LSN {} was durable",
                                data_.journal->path(), report_.head.lsn.value, durable_.value));
  for (const auto& [lsn, milestone] : milestones_)
    find_against(milestone, fmt::format("{} is beyond the end of the journal", milestone.source));
}

Status Verification::follow(JournalWalk& walk) {
  const auto next = [&]() -> Result<std::optional<WalkStep>> {
    if (at_live_head(walk)) return std::nullopt;
    return walk.next_unpacked();
  };
  const Status followed =
      run_pipeline<WalkStep>(parallel_, next, [&](const WalkStep& step) { return take(step); });
  progress_.journal_read();
  report_.journal_bytes = walk.bytes_read();
  durable_ = std::max(durable_, walk.durable());
  NETML_TRY_VOID(followed);
  if (!at_live_head(walk)) check_end(walk);
  return {};
}

// What follows is being written.
bool Verification::at_live_head(const JournalWalk& walk) const {
  return options_.live && walk.position() == Position::after(options_.live->head.lsn);
}

Status Verification::take(const WalkStep& step) {
  const Frame& frame = step.frame;
  progress_.at(step);
  if (Status added = replay_.add(frame, step.content()); !added)
    return misfit(*step.segment, frame.offset, frame.header.position.lsn, added.error());
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
    find_in_journal(
        damage(walk.segment(), end.offset, walk.position().lsn, reason).value().message);
  };
  if (end.cut) report("the file was cut at its end");
  if (!end.torn) return;
  if (const std::optional<Lsn> later = walk.segment().durable_after(end.offset))
    durable_ = std::max(durable_, *later);
  if (walk.position().lsn <= durable_) return report(end.reason);
  remain(fmt::format("{}: offset {}: bytes behind LSN {}, the last one", walk.segment().path(),
                     end.offset, report_.head.lsn.value));
}

void Verification::check_milestones() {
  const auto [first, last] = milestones_.equal_range(report_.head.lsn);
  for (auto it = first; it != last; ++it) {
    const Milestone& milestone = it->second;
    if (milestone.chain != report_.head.chain)
      find_against(milestone, fmt::format("LSN {}: the chain of hashes is another than that of {}",
                                          report_.head.lsn.value, milestone.source));
    if (milestone.digest && !(*milestone.digest == replay_.state()->digest()))
      find(fmt::format("LSN {}: replay leads to another state than {}", report_.head.lsn.value,
                       milestone.source));
  }
  milestones_.erase(first, last);
}

void Verification::find_against(const Milestone& milestone, std::string finding) {
  if (milestone.noted_outside) return find_another_history(std::move(finding));
  find(std::move(finding));
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

// The hash of what a stored file holds is its name.
void Verification::check_uploads() {
  std::set<std::string> there;
  const Result<std::vector<DirectoryEntry>> entries = data_.uploads->list();
  if (!entries) return find(entries.error().message);
  for (const DirectoryEntry& entry : *entries) {
    if (entry.directory || entry.name.ends_with(kTemporarySuffix)) continue;
    if (Status checked = check_upload(entry.name); !checked) find(checked.error().message);
    progress_.upload_read(entry.name);
    ++report_.uploads;
    there.emplace(hash_in_name(entry.name));
  }
  for (const auto& [hash, file] : named_files(replay_.state()->catalog)) {
    const std::string name = to_hex(hash);
    if (!file.needed || there.contains(name)) continue;
    if (const AbsentFile* absent = find_absent(manifest_, hash))
      ++(absent->why == AbsentBecause::left_out ? report_.uploads_left_out : report_.uploads_gone);
    else
      find(fmt::format("{}/{}: the file of {} is missing", data_.uploads->path(), name, file.of));
  }
}

Status Verification::check_upload(const std::string& name) {
  NETML_TRY(const std::unique_ptr<File> file, open_stored(*data_.uploads, name));
  NETML_TRY(const std::uint64_t bytes, file->size());
  NETML_TRY(const Sha256 hash, hash_file(*file, bytes));
  if (to_hex(hash) == hash_in_name(name)) return {};
  return fail(Errc::corruption,
              fmt::format("{}: the content is not that whose hash is its name", file->path()));
}

}  // namespace

Result<VerifyReport> verify(Storage& data, Parallel& parallel, const VerifyOptions& options) {
  NETML_TRY(DataDirectory directory, open_data_directory(data));
  return Verification(directory, parallel, options).run();
}

}  // namespace netml::wal
