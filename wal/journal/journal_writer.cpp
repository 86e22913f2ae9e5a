#include "wal/journal/journal_writer.hpp"

#include <algorithm>

#include "engine/base/guarded.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/frame.hpp"
#include "wal/journal/frame_writer.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

using format::FrameKind;

namespace {
// Frames wait in memory up to this size, so that a group of small transactions is one write.
constexpr std::size_t kJournalBufferBytes = 1 << 20;
constexpr std::uint64_t kPageBytes = 4096;
// The last frame of a segment must always fit.
constexpr std::uint64_t kSealBytes = frame_bytes(kSealPayloadBytes);
constexpr std::string_view kUnfinished = "next-segment.tmp";
}  // namespace

struct JournalWriter::SyncPoint {
  std::uint64_t offset = 0;
  std::uint64_t frames = 0;
  FrameOrder order;
};

struct JournalWriter::Work {
  Work(const JournalStart& start, const JournalOptions& options)
      : frames({start.next, start.chain, start.next.ordinal, start.open_bytes}, options) {}
  FrameWriter frames;
  MessageScratch seal_scratch;  // a segment may fill up while a payload is being built
  SyncPoint synced;
};

JournalWriter::JournalWriter(Storage& journal, const JournalOptions& options,
                             const JournalStart& start, SegmentListener& listener)
    : journal_(journal),
      listener_(listener),
      options_(options),
      node_(start.node),
      incarnation_(start.incarnation),
      work_(std::make_unique<Work>(start, options)),
      segment_(start.last_segment),
      durable_(start.durable) {
  mark_synced();
}

JournalWriter::~JournalWriter() = default;

Sha256 JournalWriter::chain() const {
  return work_->frames.chain();
}

const Position& JournalWriter::next() const {
  return work_->frames.next();
}

bool JournalWriter::transaction_open() const {
  return work_->frames.transaction_open();
}

// ---- transactions ----

Status JournalWriter::append_effects(const engine::Transaction& transaction) {
  return work_->frames.append_effects(transaction, *this);
}

Status JournalWriter::append_effects(const engine::Transaction& transaction, Parallel& parallel) {
  return work_->frames.append_effects(transaction, parallel, *this);
}

Result<Lsn> JournalWriter::append_commit(const engine::Transaction& transaction,
                                         const engine::Digest& after) {
  return work_->frames.append_commit(transaction, after, *this);
}

Status JournalWriter::append_abort(const std::string& reason) {
  return work_->frames.append_abort(reason, *this);
}

Status JournalWriter::append_again(const Frame& frame) {
  return work_->frames.append_again(frame, *this);
}

// The loss of one sector must not take both a frame and what tells that it was there: filled up
// to the end of the sector first, the watermark that counts begins in the next one.
Status JournalWriter::append_watermark() {
  constexpr std::uint64_t kSmallest = frame_bytes(0);
  NETML_TRY_VOID(make_room(2 * kSmallest + format::kSectorBytes));
  if (const std::uint64_t over = (offset_ + kSmallest) % format::kSectorBytes;
      offset_ % format::kSectorBytes != 0) {
    const std::vector<std::byte> filler((format::kSectorBytes - over) % format::kSectorBytes);
    NETML_TRY_VOID(put_aside({FrameKind::watermark, 0, filler}));
  }
  NETML_TRY_VOID(put_aside({FrameKind::watermark, 0, {}}));
  return flush();
}

Status JournalWriter::sync() {
  if (file_ == nullptr) return {};
  NETML_TRY_VOID(flush());
  NETML_TRY_VOID(file_->sync_data());
  durable_ = last_closed();
  mark_synced();
  return {};
}

void JournalWriter::mark_synced() {
  work_->synced = {offset_, segment_frames_, work_->frames.mark()};
}

// ---- frames ----

// Outside the chain: it repeats the chain's head and the next position.
Status JournalWriter::put_aside(const FramePayload& payload) {
  return put(payload, work_->frames.chain());
}

Status JournalWriter::put(const FramePayload& payload, const Sha256& hash) {
  const std::uint64_t size = frame_bytes(payload.bytes.size());
  NETML_ASSERT(offset_ + size <= segment_size_);
  if (buffer_.size() + size > kJournalBufferBytes) NETML_TRY_VOID(flush_whole_pages());

  const std::uint16_t version = payload.version != 0 ? payload.version : format();
  FrameHeader header = header_of(payload, version, next());
  header.incarnation = incarnation_;
  header.durable = durable_;
  add_frame(buffer_, header, {node_, segment_, offset_}, payload.bytes, hash);
  offset_ += size;
  bytes_appended_ += frame_bytes(std::max(payload.content_bytes, payload.bytes.size()));
  ++segment_frames_;
  return {};
}

Status JournalWriter::flush() {
  if (buffer_.empty()) return {};
  const std::uint64_t begin = offset_ - buffer_.size();
  written_end_ = std::max(written_end_, offset_);  // also when only part of it is written
  NETML_TRY_VOID(file_->write(begin, buffer_));
  buffer_.clear();
  return {};
}

// Writes that begin and end with a page are the cheapest; what is behind the last one waits.
Status JournalWriter::flush_whole_pages() {
  const std::uint64_t begin = offset_ - buffer_.size();
  const std::uint64_t end = offset_ / kPageBytes * kPageBytes;
  if (end <= begin) return {};
  written_end_ = std::max(written_end_, end);
  NETML_TRY_VOID(file_->write(begin, std::span(buffer_).first(end - begin)));
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(end - begin));
  return {};
}

// ---- segments ----

Status JournalWriter::make_room(std::uint64_t bytes) {
  if (file_ != nullptr && offset_ + bytes + kSealBytes <= segment_size_) return {};
  return start_segment(bytes, [] { return Status(); });
}

// The order of these lines is rule S3: what is full is sealed and durable before the next segment
// has its name, and the next segment is whole before it has its name. Space is taken first, so
// that a full disk leaves everything as it was.
Status JournalWriter::start_segment(std::uint64_t bytes, const std::function<Status()>& fill) {
  const std::uint64_t size =
      std::max(options_.segment_bytes, format::kSegmentHeaderBytes + bytes + kSealBytes);
  NETML_TRY(std::unique_ptr<File> file, prepare_file(size));
  std::optional<SegmentSealed> sealed;
  const Status begun = guarded([&] { return begin_segment(std::move(file), size, sealed, fill); });
  if (!begun) return fail(Errc::io_error, begun.error().message);  // there is no way back from here
  durable_ = last_closed();
  mark_synced();
  return listener_.segment_started({segment_, first_.lsn}, sealed);
}

Status JournalWriter::begin_segment(std::unique_ptr<File> file, std::uint64_t size,
                                    std::optional<SegmentSealed>& sealed,
                                    const std::function<Status()>& fill) {
  if (file_ != nullptr) {
    NETML_TRY_VOID(seal());
    sealed = SegmentSealed{offset_, chain()};
  }
  const SegmentHeader header{
      node_, incarnation_, SegmentNumber{segment_.value + 1}, next(), chain(), size, format()};
  NETML_TRY_VOID(file->write(0, encode_segment_header(header)));
  file_ = std::move(file);
  segment_ = header.number;
  first_ = header.first;
  segment_size_ = size;
  segment_frames_ = 0;
  offset_ = written_end_ = format::kSegmentHeaderBytes;
  NETML_TRY_VOID(fill());
  NETML_TRY_VOID(flush());
  NETML_TRY_VOID(file_->sync());
  NETML_TRY_VOID(journal_.rename(kUnfinished, segment_name(header)));
  return journal_.sync();
}

// Filled with zeros, so that later syncs change no metadata.
Result<std::unique_ptr<File>> JournalWriter::prepare_file(std::uint64_t size) {
  NETML_TRY(std::unique_ptr<File> file, journal_.open(kUnfinished, OpenMode::create_empty));
  if (Status filled = fill_with_zeros(*file, size); !filled) {
    file.reset();
    NETML_TRY_VOID(journal_.unlink(kUnfinished));  // gives the space back
    return tl::make_unexpected(std::move(filled).error());
  }
  NETML_TRY_VOID(file->sync());
  return file;
}

Result<std::optional<SegmentSealed>> JournalWriter::seal_last() {
  if (file_ == nullptr) return std::nullopt;
  NETML_ASSERT(!transaction_open());
  NETML_TRY_VOID(seal());
  file_.reset();
  return SegmentSealed{offset_, chain()};
}

Status JournalWriter::seal() {
  const Seal seal{segment_frames_, offset_ + kSealBytes};
  NETML_TRY_VOID(encode(seal, work_->seal_scratch, [&](std::span<const std::byte> payload) {
    NETML_ASSERT(payload.size() == kSealPayloadBytes);
    return put_aside({FrameKind::seal, 0, payload});
  }));
  NETML_TRY_VOID(flush());
  NETML_TRY_VOID(file_->sync_data());
  NETML_TRY_VOID(file_->truncate(offset_));
  return file_->sync();
}

Status JournalWriter::rewrite(const std::vector<Frame>& frames, Open open,
                              const std::string& abort_reason) {
  NETML_ASSERT(file_ == nullptr);
  std::uint64_t bytes = frame_bytes(format::kSegmentHeaderBytes);  // the ABORT frame
  for (const Frame& frame : frames) bytes += frame_bytes(frame.payload.size());
  return start_segment(bytes, [&]() -> Status {
    for (const Frame& frame : frames) NETML_TRY_VOID(append_again(frame));
    if (open == Open::stays) return {};
    return transaction_open() ? append_abort(abort_reason) : Status();
  });
}

Status JournalWriter::rewind() {
  buffer_.clear();
  offset_ = work_->synced.offset;
  segment_frames_ = work_->synced.frames;
  work_->frames.back_to(work_->synced.order);
  if (file_ == nullptr || written_end_ <= offset_) return {};
  const std::vector<std::byte> zeros(written_end_ - offset_);
  NETML_TRY_VOID(file_->write(offset_, zeros));
  NETML_TRY_VOID(file_->sync_data());
  written_end_ = offset_;
  return {};
}

}  // namespace netml::wal
