#include "wal/upkeep/verify_progress.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "wal/journal/archive.hpp"
#include "wal/journal/segment.hpp"
#include "wal/storage/bytes.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

namespace {

constexpr std::uint64_t kToldAgainBytes = 256 << 10;

Result<std::uint64_t> size_of(Storage& directory, const std::string& name) {
  NETML_TRY(const std::unique_ptr<File> file, directory.open(name, OpenMode::read));
  return file->size();
}

// Up to the last piece that holds something else than zeros.
Result<std::uint64_t> used_bytes(Storage& directory, const std::string& name) {
  NETML_TRY(const std::unique_ptr<File> file, directory.open(name, OpenMode::read));
  NETML_TRY(std::uint64_t end, file->size());
  std::vector<std::byte> piece(kPieceBytes);
  while (end > 0) {
    const auto part = std::span(piece).first(std::min<std::uint64_t>(end, kPieceBytes));
    NETML_TRY_VOID(read_exactly(*file, end - part.size(), part));
    if (!std::ranges::all_of(part, [](std::byte byte) { return byte == std::byte{}; })) break;
    end -= part.size();
  }
  return end;
}

}  // namespace

void VerifyProgress::measure(DataDirectory& data, const Manifest& manifest,
                             std::optional<SegmentNumber> last) {
  if (!report_) return;
  for (const CheckpointEntry& entry : manifest.checkpoints) checkpoint_bytes_ += 2 * entry.bytes();
  total_ = checkpoint_bytes_;
  measure_journal(data, manifest.node, last);
  measure_uploads(data);
  report_({.done = 0, .total = total_});
}

void VerifyProgress::measure_journal(DataDirectory& data, const NodeUuid& node,
                                     std::optional<SegmentNumber> last) {
  const auto journal = open_whole_journal(*data.root);
  if (!journal) return;
  const Result<std::vector<SegmentHeader>> segments = list_segments(**journal, node, last);
  if (!segments) return;
  for (const SegmentHeader& header : *segments) {
    const std::string name = segment_name(header);
    const bool is_last = header.number == segments->back().number;
    segment_starts_.emplace(name, journal_bytes_);
    journal_bytes_ +=
        (is_last ? used_bytes(**journal, name) : size_of(**journal, name)).value_or(0);
  }
  total_ += journal_bytes_;
}

void VerifyProgress::measure_uploads(DataDirectory& data) {
  const Result<std::vector<DirectoryEntry>> entries = data.uploads->list();
  if (!entries) return;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.directory || entry.name.ends_with(kTemporarySuffix)) continue;
    const std::uint64_t bytes = size_of(*data.uploads, entry.name).value_or(0);
    upload_bytes_.emplace(entry.name, bytes);
    total_ += bytes;
  }
}

void VerifyProgress::checkpoint_read(const CheckpointEntry& entry) {
  if (report_) come_to(done_ + 2 * entry.bytes());
}

void VerifyProgress::at(const WalkStep& step) {
  if (!report_) return;
  const auto start = segment_starts_.find(step.segment->name());
  if (start != segment_starts_.end())
    come_to(checkpoint_bytes_ + std::min(start->second + step.frame.end(), journal_bytes_));
}

void VerifyProgress::journal_read() {
  if (report_) come_to(checkpoint_bytes_ + journal_bytes_);
}

void VerifyProgress::upload_read(const std::string& name) {
  if (!report_) return;
  const auto bytes = upload_bytes_.find(name);
  if (bytes != upload_bytes_.end()) come_to(done_ + bytes->second);
}

void VerifyProgress::come_to(std::uint64_t done) {
  done_ = done;
  if (done_ < told_ + kToldAgainBytes && done_ != total_) return;
  told_ = done_;
  report_({.done = done_, .total = total_});
}

}  // namespace netml::wal
