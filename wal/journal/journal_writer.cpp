#include "wal/journal/journal_writer.hpp"

#include <algorithm>
#include <array>

#include "engine/base/guarded.hpp"
#include "engine/base/pipeline.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/format/frame.hpp"
#include "wal/format/packed_payload.hpp"
#include "wal/journal/segment.hpp"
#include "wal/storage/crc32c.hpp"

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

struct JournalWriter::Work {
  explicit Work(const Sha256& head) : chain(head) {}
  Chain chain;
  Sha256Hasher payload_hashes;  // of the open transaction
  MessageScratch scratch;
  MessageScratch seal_scratch;  // a segment may fill up while a payload is being built
};

struct JournalWriter::Payload {
  FrameKind kind;
  std::uint8_t flags = 0;
  std::span<const std::byte> bytes;
  std::uint16_t version = 0;      // 0: that of the directory
  std::size_t content_bytes = 0;  // before it was compressed; 0: it was not
};

JournalWriter::JournalWriter(Storage& journal, const JournalOptions& options,
                             const JournalStart& start, SegmentListener& listener)
    : journal_(journal),
      listener_(listener),
      options_(options),
      node_(start.node),
      incarnation_(start.incarnation),
      work_(std::make_unique<Work>(start.chain)),
      segment_(start.last_segment),
      next_(start.next),
      durable_(start.durable),
      transaction_frames_(start.next.ordinal),
      transaction_bytes_(start.open_bytes) {
  mark_synced();
}

JournalWriter::~JournalWriter() = default;

Sha256 JournalWriter::chain() const {
  return work_->chain.head();
}

// ---- transactions ----

// An older program has to refuse the directory before it would misread a frame of it (C3).
Status JournalWriter::check_format(const engine::Transaction& transaction) {
  if (listener_.format() >= format::kVersion3) return {};  // the last that changed frames
  const std::uint16_t needed = format_of(EffectsView::of(transaction));
  return needed > listener_.format() ? listener_.raise_format(needed) : Status();
}

Status JournalWriter::append_effects(const engine::Transaction& transaction) {
  NETML_TRY_VOID(check_format(transaction));
  EffectsSlicer slicer(EffectsView::of(transaction));
  const auto packer = options_.compresses_small ? make_packer() : nullptr;
  while (!slicer.done())
    NETML_TRY_VOID(
        encode_effects(slicer.next(), work_->scratch, [&](std::span<const std::byte> payload) {
          return append_effects_payload(payload, packer.get());
        }));
  return {};
}

Status JournalWriter::append_effects(const engine::Transaction& transaction, Parallel& parallel) {
  NETML_TRY_VOID(check_format(transaction));
  EffectsSlicer slicer(EffectsView::of(transaction));
  const auto encode_next = [&]() -> Result<std::optional<OwnedPayload>> {
    if (slicer.done()) return std::nullopt;
    return encode_owned(slicer.next(), work_->scratch);
  };
  const auto packer = make_packer();
  return run_pipeline<OwnedPayload>(parallel, encode_next, [&](const OwnedPayload& payload) {
    return append_effects_payload(bytes_of(payload), packer.get());
  });
}

// Null where nothing is to be compressed. An older program would take it for damage.
std::unique_ptr<PayloadPacker> JournalWriter::make_packer() const {
  if (options_.compression_level == 0 || listener_.format() < format::kVersion4) return nullptr;
  return std::make_unique<PayloadPacker>(options_.compression_level);
}

// Compressed on the side that makes checksums and hashes: what is smaller leaves it less to do.
Status JournalWriter::append_effects_payload(std::span<const std::byte> payload,
                                             PayloadPacker* packer) {
  Payload frame{FrameKind::effects, {}, payload};
  if (!transaction_open()) frame.flags = format::kFirstOfTransaction;
  if (packer == nullptr) return append(frame);
  NETML_TRY(const auto compressed, packer->pack(payload));
  if (!compressed) return append(frame);
  frame.flags |= format::kCompressed;
  frame.bytes = *compressed;
  frame.content_bytes = payload.size();
  return append(frame);
}

Result<Lsn> JournalWriter::append_commit(const engine::Transaction& transaction,
                                         const engine::Digest& after) {
  const Lsn lsn = next_.lsn;
  Commit commit;
  commit.totals = {transaction_frames_, transaction_bytes_, work_->payload_hashes.finish()};
  commit.counts = engine::count_changes(transaction);
  commit.provenance = transaction.provenance;
  commit.next_id = transaction.next_id;
  commit.next_number = transaction.next_number;
  commit.digest = after;
  const std::uint8_t first = transaction_open() ? 0 : format::kFirstOfTransaction;
  NETML_TRY_VOID(encode(commit, work_->scratch, [&](std::span<const std::byte> payload) {
    return append({FrameKind::commit, static_cast<std::uint8_t>(first | format::kLastOfTransaction),
                   payload});
  }));
  return lsn;
}

Status JournalWriter::append_abort(const std::string& reason) {
  NETML_ASSERT(transaction_open());
  const Abort abort{reason, transaction_frames_, transaction_bytes_};
  return encode(abort, work_->scratch, [&](std::span<const std::byte> payload) {
    return append({FrameKind::abort, format::kLastOfTransaction, payload});
  });
}

Status JournalWriter::append(const Payload& payload) {
  NETML_TRY_VOID(make_room(frame_bytes(payload.bytes.size())));
  return put_in_order(payload);
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
  synced_ = {offset_,           segment_frames_, next_, work_->chain.head(), transaction_frames_,
             transaction_bytes_};
}

// ---- frames ----

std::uint16_t JournalWriter::version_of(const Payload& payload) const {
  return payload.version != 0 ? payload.version : listener_.format();
}

Status JournalWriter::put_in_order(const Payload& payload) {
  FrameHeader header;  // only what the chain covers
  header.kind = static_cast<std::uint8_t>(payload.kind);
  header.flags = payload.flags;
  header.version = version_of(payload);
  header.position = next_;
  const Sha256 payload_hash = work_->chain.hash_payload(payload.bytes);
  const Sha256 hash = work_->chain.next(header, payload_hash);
  NETML_TRY_VOID(put(payload, hash));

  work_->chain.reset(hash);
  if ((payload.flags & format::kLastOfTransaction) == 0) {
    work_->payload_hashes.add(payload_hash);
    ++transaction_frames_;
    transaction_bytes_ += payload.bytes.size();
    ++next_.ordinal;
  } else {
    transaction_frames_ = 0;
    transaction_bytes_ = 0;
    work_->payload_hashes.finish();
    next_ = Position::after(next_.lsn);
  }
  return {};
}

// Outside the chain: it repeats the chain's head and the next position.
Status JournalWriter::put_aside(const Payload& payload) {
  return put(payload, work_->chain.head());
}

Status JournalWriter::put(const Payload& payload, const Sha256& hash) {
  NETML_ASSERT(payload.bytes.size() % format::kPayloadAlignment == 0);
  NETML_ASSERT(payload.bytes.size() <= format::kPayloadBytesMax);
  const std::uint64_t size = frame_bytes(payload.bytes.size());
  NETML_ASSERT(offset_ + size <= segment_size_);
  if (buffer_.size() + size > kJournalBufferBytes) NETML_TRY_VOID(flush_whole_pages());

  FrameHeader header;
  header.payload_bytes = static_cast<std::uint32_t>(payload.bytes.size());
  header.payload_crc = crc32c(payload.bytes);
  header.kind = static_cast<std::uint8_t>(payload.kind);
  header.flags = payload.flags;
  header.version = version_of(payload);
  header.incarnation = incarnation_;
  header.position = next_;
  header.durable = durable_;
  std::array<std::byte, format::kFrameHeaderBytes> head;
  encode_frame_header(header, {node_, segment_, offset_}, head);

  buffer_.insert(buffer_.end(), head.begin(), head.end());
  buffer_.insert(buffer_.end(), payload.bytes.begin(), payload.bytes.end());
  buffer_.insert(buffer_.end(), hash.begin(), hash.end());
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
    sealed = SegmentSealed{offset_, work_->chain.head()};
  }
  const SegmentHeader header{
      node_, incarnation_,      SegmentNumber{segment_.value + 1}, next_, work_->chain.head(),
      size,  listener_.format()};
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
  return SegmentSealed{offset_, work_->chain.head()};
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

Status JournalWriter::rewrite(const std::vector<Frame>& frames, const std::string& abort_reason) {
  NETML_ASSERT(file_ == nullptr);
  std::uint64_t bytes = frame_bytes(format::kSegmentHeaderBytes);  // the ABORT frame
  for (const Frame& frame : frames) bytes += frame_bytes(frame.payload.size());
  return start_segment(bytes, [&]() -> Status {
    for (const Frame& frame : frames) {
      NETML_ASSERT(frame.header.position == next_);
      NETML_TRY_VOID(put_in_order({static_cast<FrameKind>(frame.header.kind), frame.header.flags,
                                   frame.payload, frame.header.version}));
      NETML_ASSERT(work_->chain.head() == frame.hash);
    }
    return transaction_open() ? append_abort(abort_reason) : Status();
  });
}

Status JournalWriter::rewind() {
  buffer_.clear();
  work_->payload_hashes.finish();
  offset_ = synced_.offset;
  segment_frames_ = synced_.frames;
  next_ = synced_.next;
  work_->chain.reset(synced_.chain);
  transaction_frames_ = synced_.transaction_frames;
  transaction_bytes_ = synced_.transaction_bytes;
  if (file_ == nullptr || written_end_ <= offset_) return {};
  const std::vector<std::byte> zeros(written_end_ - offset_);
  NETML_TRY_VOID(file_->write(offset_, zeros));
  NETML_TRY_VOID(file_->sync_data());
  written_end_ = offset_;
  return {};
}

}  // namespace netml::wal
