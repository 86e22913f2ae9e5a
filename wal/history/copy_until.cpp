#include "wal/history/copy_until.hpp"

#include <algorithm>
#include <set>

#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/named_files.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/manifest.hpp"
#include "wal/format/stored_files.hpp"
#include "wal/history/past_state.hpp"
#include "wal/journal/archive.hpp"
#include "wal/journal/frame_file.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

namespace {

class Copy {
 public:
  Copy(Storage& data, const JournalView& view, const engine::Catalog& latest, Storage& into,
       WallTime now, Parallel& parallel, const ReportWork& report)
      : data_(data),
        view_(view),
        latest_(latest),
        into_(into),
        now_(now),
        parallel_(parallel),
        report_(report) {}

  Result<Head> run(Lsn lsn);

 private:
  Status copy_journal(Lsn lsn);
  Result<std::uint64_t> end_of(Storage& journal, const SegmentHeader& header, Lsn lsn);
  Status write_states(const PastState& past);
  Status add_checkpoint(const PastState& past, bool recovery_base, bool published);
  Status copy_uploads(const engine::Catalog& catalog);
  Result<bool> copy_upload(Storage& from, Storage& to, const std::string& name);
  void tell(const char* part, std::size_t done, std::size_t total) const {
    if (report_) report_({.part = part, .unit = WorkUnit::files, .done = done, .total = total});
  }

  Storage& data_;
  const JournalView& view_;
  const engine::Catalog& latest_;
  Storage& into_;
  const WallTime now_;
  Parallel& parallel_;
  const ReportWork& report_;
  Manifest source_;
  Manifest manifest_;
};

Result<Head> Copy::run(Lsn lsn) {
  NETML_TRY(std::optional<LoadedManifest> loaded, load_manifest(data_));
  if (!loaded) return fail(Errc::corruption, data_.path() + ": there is no manifest");
  source_ = std::move(loaded->manifest);
  NETML_TRY(const PastState past, state_at(data_, view_, lsn, parallel_, {}, report_));
  NETML_TRY_VOID(make_parts(into_));
  manifest_.node = view_.node;
  manifest_.durable = lsn;
  manifest_.clean_stop = true;
  manifest_.test_mode = source_.test_mode;
  manifest_.format = source_.format;
  NETML_TRY_VOID(copy_journal(lsn));
  NETML_TRY_VOID(write_states(past));
  NETML_TRY_VOID(copy_uploads(past.state->catalog));
  NETML_TRY_VOID(save_first_manifests(into_, std::move(manifest_)));
  return past.head;
}

// A segment in the middle is copied whole. The last one is as if nothing had followed the LSN yet.
Status Copy::copy_journal(Lsn lsn) {
  NETML_TRY(const auto from, open_whole_journal(data_));
  NETML_TRY(const auto to, into_.open_directory(kJournalDirectory));
  NETML_TRY(std::vector<SegmentHeader> segments, list_segments(*from, view_.node));
  std::erase_if(segments, [&](const SegmentHeader& header) { return header.first.lsn > lsn; });
  for (std::size_t i = 0; i < segments.size(); ++i) {
    tell("journal", i, segments.size());
    const SegmentHeader& header = segments[i];
    SegmentEntry entry{header.number, header.first.lsn, false, 0, {}};
    if (i + 1 == segments.size()) {
      NETML_TRY(const std::uint64_t end, end_of(*from, header, lsn));
      NETML_TRY_VOID(copy_beginning(*from, *to, segment_name(header), end, header.bytes));
    } else {
      const auto known = std::ranges::find(source_.segments, header.number, &SegmentEntry::number);
      if (known != source_.segments.end())
        entry = {known->number, known->first_lsn, known->sealed, known->bytes, known->chain};
      NETML_TRY_VOID(copy_file(*from, *to, segment_name(header)));
    }
    manifest_.incarnation = std::max(manifest_.incarnation, header.incarnation);
    manifest_.segments.push_back(entry);
  }
  tell("journal", segments.size(), segments.size());
  return to->sync();
}

// Behind the last frame of `lsn`.
Result<std::uint64_t> Copy::end_of(Storage& journal, const SegmentHeader& header, Lsn lsn) {
  NETML_TRY(FrameFile file, FrameFile::open(journal, header));
  ScanPoint point{.position = header.first};
  while (point.position <= Position{lsn, ~std::uint64_t{}}) NETML_TRY_VOID(file.next(point));
  return point.offset;
}

// The state itself, and those that its published items name.
Status Copy::write_states(const PastState& past) {
  std::set<Lsn> published;
  past.state->catalog.published.for_each([&](std::uint64_t, const engine::PublishedItem& item) {
    if (item.status == engine::PublishedStatus::success) published.insert(item.lsn);
  });
  NETML_TRY_VOID(add_checkpoint(past, true, published.erase(past.head.lsn) != 0));
  for (auto lsn = published.rbegin(); lsn != published.rend(); ++lsn) {
    NETML_TRY(const PastState state, state_at(data_, view_, *lsn, parallel_));
    NETML_TRY_VOID(add_checkpoint(state, false, true));
  }
  return {};
}

Status Copy::add_checkpoint(const PastState& past, bool recovery_base, bool published) {
  NETML_TRY(const auto directory, into_.open_directory(kCheckpointDirectory));
  NETML_TRY(CheckpointFiles files,
            write_checkpoint(*directory, {view_.node, past.head, past.state, manifest_.format},
                             parallel_));
  manifest_.checkpoints.push_back({files.lsn, std::move(files.graph), std::move(files.catalog),
                                   recovery_base, published, now_, files.format});
  return {};
}

Status Copy::copy_uploads(const engine::Catalog& catalog) {
  NETML_TRY(const auto from, data_.open_directory(kUploadDirectory));
  NETML_TRY(const auto to, into_.open_directory(kUploadDirectory));
  const std::map<Sha256, NamedFile> still_named = named_files(latest_);
  const std::map<Sha256, NamedFile> named_then = named_files(catalog);
  std::size_t done = 0;
  for (const auto& [hash, file] : named_then) {
    tell("stored files", done++, named_then.size());
    NETML_TRY(const bool compressed,
              copy_upload(*from, *to, stored_name(hash, StoredAs::compressed)));
    NETML_TRY(const bool itself, copy_upload(*from, *to, stored_name(hash, StoredAs::itself)));
    if (compressed || itself) continue;
    if (const AbsentFile* absent = find_absent(source_, hash))
      manifest_.absent_files.push_back(*absent);
    else if (const auto named = still_named.find(hash);
             named == still_named.end() || !named->second.needed)
      manifest_.absent_files.push_back({hash, AbsentBecause::retention});
  }
  return to->sync();
}

// Whether there was one.
Result<bool> Copy::copy_upload(Storage& from, Storage& to, const std::string& name) {
  const Status copied = copy_file(from, to, name);
  if (!copied && copied.error().code != Errc::not_found) return tl::unexpected(copied.error());
  return copied.has_value();
}

}  // namespace

Result<Head> copy_until(Storage& data, const JournalView& view, Lsn lsn,
                        const engine::Catalog& latest, Storage& into, WallTime now,
                        Parallel& parallel, const ReportWork& report) {
  if (lsn.value == 0)
    return fail(Errc::invalid_input, "there is nothing before LSN 1 to make a directory of");
  return Copy(data, view, latest, into, now, parallel, report).run(lsn);
}

}  // namespace netml::wal
