#include "wal/upkeep/backup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <ranges>

#include "engine/base/hex.hpp"
#include "engine/base/sha256.hpp"
#include "wal/checkpoint/named_files.hpp"
#include "wal/checkpoint/signatures.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/message.hpp"
#include "wal/format/stored_files.hpp"
#include "wal/journal/archive.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/journal/segment.hpp"
#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"
#include "wal/storage/tar.hpp"

namespace netml::wal {

namespace {

constexpr std::size_t kArchiveEndBytes = 2 * kTarBlockBytes;

// A member on its way into the archive: the beginning of a file, then bytes in memory.
struct Member {
  std::string name;
  std::unique_ptr<File> file = {};
  std::uint64_t file_bytes = 0;
  std::vector<std::byte> rest = {};
  // SHA-256 of the first `hashed` bytes and of `content`, in hexadecimal.
  std::string expected = {};
  std::uint64_t hashed = 0;
  std::unique_ptr<File> content = {};  // of a compressed file
  std::uint64_t content_bytes = 0;

  std::uint64_t bytes() const { return file_bytes + rest.size(); }
};

std::string path_in(std::string_view directory, std::string_view name) {
  return fmt::format("{}/{}", directory, name);
}

Member text_member(std::string_view name, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {.name = std::string(name), .rest = {bytes.begin(), bytes.end()}};
}

Result<Member> file_member(Storage& storage, std::string_view directory, std::string_view name) {
  Member member{.name = path_in(directory, name)};
  NETML_TRY(member.file, storage.open(name, OpenMode::read));
  NETML_TRY(member.file_bytes, member.file->size());
  return member;
}

// The first few, and how many more there are.
std::string named_first(const std::vector<std::string>& files) {
  constexpr std::size_t kNamed = 10;
  std::string text = fmt::format("{}", fmt::join(files | std::views::take(kNamed), ", "));
  if (files.size() > kNamed) text += fmt::format(" and {} more", files.size() - kNamed);
  return text;
}

// The frame that lets a segment end at `offset` before it is full, as the writer would end it.
std::vector<std::byte> make_seal(const Segment& segment, const JournalWalk& walk,
                                 std::uint64_t offset) {
  Seal seal;
  for (std::uint64_t at = format::kSegmentHeaderBytes; at < offset; ++seal.frames)
    at = segment.frame_at(at)->end();
  seal.bytes = offset + frame_bytes(kSealPayloadBytes);
  std::vector<std::byte> frame(frame_bytes(kSealPayloadBytes));
  MessageScratch scratch;
  const Status encoded = encode(seal, scratch, [&](std::span<const std::byte> payload) -> Status {
    FrameHeader header;
    header.payload_bytes = static_cast<std::uint32_t>(payload.size());
    header.payload_crc = crc32c(payload);
    header.kind = static_cast<std::uint8_t>(format::FrameKind::seal);
    header.incarnation = segment.header().incarnation;
    header.position = walk.position();
    header.durable = Lsn{walk.position().lsn.value - 1};
    const std::span out(frame);
    encode_frame_header(header, {segment.header().node, segment.header().number, offset},
                        out.first<format::kFrameHeaderBytes>());
    std::ranges::copy(payload, out.subspan(format::kFrameHeaderBytes).begin());
    std::ranges::copy(walk.chain(), out.last<format::kFrameHashBytes>().begin());
    return {};
  });
  NETML_ASSERT(encoded.has_value());
  return frame;
}

class RunningBackup final : public Backup {
 public:
  RunningBackup(DataDirectory& data, const LiveView& view, BackupOptions options)
      : data_(data), options_(std::move(options)), manifest_(view.manifest), head_(view.head) {}

  Status start(const engine::Catalog& catalog);
  const Head& head() const override { return head_; }
  const std::vector<std::string>& left_out() const override { return left_out_; }
  Result<std::span<const std::byte>> next() override;

 private:
  Status add_checkpoint_file(const FileReference& reference);
  Status add_uploads(const engine::Catalog& catalog);
  Status add_signatures();
  Status check_signatures();
  Status start_journal();
  Result<std::optional<Member>> next_member();
  Result<Member> next_segment();
  Result<Member> last_segment(const Segment& segment, std::uint64_t end);
  Result<Member> next_upload();
  Member next_manifest();
  Status add_content();
  Status hash_content();
  Status finish_member();

  DataDirectory& data_;
  const BackupOptions options_;
  std::unique_ptr<Storage> journal_;  // with what is archived
  Manifest manifest_;
  const Head head_;
  std::vector<std::string> left_out_;

  // What is still to come, in this order.
  std::string signatures_;    // until they are checked
  std::deque<Member> first_;  // the head, signatures, and checkpoints, which are open
  std::deque<SegmentHeader> segments_;
  std::deque<std::string> uploads_;
  unsigned manifests_ = 2;
  bool sums_to_come_ = true;
  bool ended_ = false;

  std::optional<JournalWalk> walk_;
  std::shared_ptr<const Segment> walked_;  // where the frame read last lies
  std::uint64_t walked_end_ = 0;           // behind that frame

  std::optional<Member> member_;  // on its way
  std::uint64_t at_ = 0;
  std::uint64_t unpacked_at_ = 0;  // in what it holds compressed
  Sha256Hasher content_hash_;
  Sha256Hasher expected_hash_;
  std::string sums_;
  std::vector<std::byte> piece_;
};

Status RunningBackup::start(const engine::Catalog& catalog) {
  first_.push_back(text_member(kBackupHead, to_string(head_) + '\n'));
  NETML_TRY_VOID(add_signatures());
  NETML_TRY_VOID(add_uploads(catalog));
  for (const CheckpointEntry& entry : manifest_.checkpoints) {
    NETML_TRY_VOID(add_checkpoint_file(entry.graph));
    NETML_TRY_VOID(add_checkpoint_file(entry.catalog));
  }
  return start_journal();
}

// A restored directory is verified, so a backup that lacks a file without a word is none.
Status RunningBackup::add_uploads(const engine::Catalog& catalog) {
  std::map<Sha256, NamedFile> missing = named_files(catalog);
  std::erase_if(missing, [](const auto& named) { return !named.second.needed; });
  NETML_TRY(const std::vector<DirectoryEntry> uploads, data_.uploads->list());
  for (const DirectoryEntry& entry : uploads) {
    if (entry.directory || entry.name.ends_with(kTemporarySuffix)) continue;
    uploads_.push_back(entry.name);
    Sha256 hash;
    if (parse_hex(hash_in_name(entry.name), hash)) missing.erase(hash);
  }
  std::vector<AbsentFile> absent;
  for (const auto& [hash, file] : missing) {
    const AbsentFile* known = find_absent(manifest_, hash);
    if (known == nullptr) left_out_.push_back(fmt::format("{} ({})", file.of, to_hex(hash)));
    absent.push_back(known != nullptr ? *known : AbsentFile{hash, AbsentBecause::left_out});
  }
  manifest_.absent_files = std::move(absent);
  if (left_out_.empty() || options_.without_missing_uploads) return {};
  return fail(Errc::corruption, fmt::format("{}: stored files are missing: {}",
                                            data_.uploads->path(), named_first(left_out_)));
}

Status RunningBackup::add_signatures() {
  NETML_TRY(signatures_, read_signatures(*data_.root));
  const std::string whole = signatures_.substr(0, signatures_.rfind('\n') + 1);  // npos + 1 is 0
  if (!whole.empty()) first_.push_back(text_member(kSignatureFile, whole));
  return {};
}

// Not while the writer waits.
Status RunningBackup::check_signatures() {
  for (const SignatureLine& line : parse_signatures(std::exchange(signatures_, {})))
    if (!line.problem.empty())
      return fail(Errc::corruption, fmt::format("{}/{}: {}: {}", data_.root->path(), kSignatureFile,
                                                line.text, line.problem));
  return {};
}

// The hash that a manifest knows is that of all but the hash at the end.
Status RunningBackup::add_checkpoint_file(const FileReference& reference) {
  NETML_TRY(Member member, file_member(*data_.checkpoints, kCheckpointDirectory, reference.name));
  if (member.file_bytes != reference.bytes || member.file_bytes < reference.sha256.size())
    return fail(Errc::corruption,
                fmt::format("{}: the file has {} bytes, the manifest knows {}", member.file->path(),
                            member.file_bytes, reference.bytes));
  member.expected = to_hex(reference.sha256);
  member.hashed = member.file_bytes - reference.sha256.size();
  first_.push_back(std::move(member));
  return {};
}

// Above the head there may be frames of a transaction that did not come to its end.
Status RunningBackup::start_journal() {
  NETML_TRY(journal_, open_whole_journal(*data_.root));
  manifest_.archives.clear();  // a backup holds all segments itself
  for (SegmentEntry& entry : manifest_.segments)
    entry = {entry.number, entry.first_lsn, entry.sealed, entry.bytes, entry.chain};
  if (manifest_.segments.empty()) return {};
  NETML_TRY(std::vector<SegmentHeader> segments,
            list_segments(*journal_, manifest_.node, manifest_.segments.back().number));
  std::erase_if(segments, [&](const SegmentHeader& segment) {
    return segment.first >= Position::after(head_.lsn);
  });
  const bool from_beginning = !segments.empty() && segments.front().first == Position{};
  if (from_beginning != (head_.lsn != Lsn{}))
    return fail(Errc::corruption, journal_->path() + ": the journal does not begin at LSN 1");
  const SegmentNumber last = segments.empty() ? SegmentNumber{} : segments.back().number;
  std::erase_if(manifest_.segments, [&](const SegmentEntry& entry) { return entry.number > last; });
  if (segments.empty()) return {};
  if (!manifest_.segments.empty() && manifest_.segments.back().number == last)
    manifest_.segments.back() = {last, segments.back().first.lsn, false, 0, {}};
  segments_.assign(segments.begin(), segments.end());
  walk_.emplace(*journal_, manifest_.node, std::move(segments));
  return {};
}

Result<std::span<const std::byte>> RunningBackup::next() {
  piece_.clear();
  if (ended_) return std::span<const std::byte>();
  if (!member_) {
    NETML_TRY(member_, next_member());
    if (!member_) {
      ended_ = true;
      piece_.resize(kArchiveEndBytes);
      return std::span<const std::byte>(piece_);
    }
    const TarBlock header = encode_tar_header({member_->name, member_->bytes()});
    piece_.assign(header.begin(), header.end());
    at_ = unpacked_at_ = 0;
  }
  NETML_TRY_VOID(add_content());
  if (at_ == member_->bytes()) NETML_TRY_VOID(finish_member());
  return std::span<const std::byte>(piece_);
}

Status RunningBackup::add_content() {
  const bool from_file = at_ < member_->file_bytes;
  const std::uint64_t end = from_file ? member_->file_bytes : member_->bytes();
  const std::size_t count = std::min<std::uint64_t>(kPieceBytes, end - at_);
  piece_.resize(piece_.size() + count);
  const auto part = std::span(piece_).last(count);
  if (from_file)
    NETML_TRY_VOID(read_exactly(*member_->file, at_, part));
  else
    std::ranges::copy(std::span(member_->rest).subspan(at_ - member_->file_bytes, count),
                      part.begin());
  content_hash_.add(part);
  if (at_ < member_->hashed)
    expected_hash_.add(part.first(std::min<std::uint64_t>(count, member_->hashed - at_)));
  at_ += count;
  return member_->content == nullptr ? Status() : hash_content();
}

// Some of it with each piece, so that none takes long.
Status RunningBackup::hash_content() {
  constexpr std::uint64_t kWithEachPiece = 16 * kPieceBytes;
  const std::uint64_t rest = member_->content_bytes - unpacked_at_;
  const bool last = at_ == member_->bytes();
  const std::uint64_t end = unpacked_at_ + (last ? rest : std::min(rest, kWithEachPiece));
  std::vector<std::byte> piece(std::min<std::uint64_t>(kPieceBytes, rest));
  while (unpacked_at_ < end) {
    const auto part =
        std::span(piece).first(std::min<std::uint64_t>(piece.size(), end - unpacked_at_));
    NETML_TRY_VOID(read_exactly(*member_->content, unpacked_at_, part));
    expected_hash_.add(part);
    unpacked_at_ += part.size();
  }
  return {};
}

Status RunningBackup::finish_member() {
  if (!member_->expected.empty() && to_hex(expected_hash_.finish()) != member_->expected)
    return fail(Errc::corruption, fmt::format("{}: the content has another SHA-256 than it must",
                                              member_->file->path()));
  sums_ += fmt::format("{}  {}\n", to_hex(content_hash_.finish()), member_->name);
  piece_.resize(piece_.size() + tar_padding(at_));
  member_.reset();
  return {};
}

Result<std::optional<Member>> RunningBackup::next_member() {
  NETML_TRY_VOID(check_signatures());
  std::optional<Member> member;
  if (!first_.empty()) {
    member = std::move(first_.front());
    first_.pop_front();
  } else if (!segments_.empty()) {
    NETML_TRY(member, next_segment());
  } else if (!uploads_.empty()) {
    NETML_TRY(member, next_upload());
  } else if (manifests_ > 0) {
    member = next_manifest();
  } else if (std::exchange(sums_to_come_, false)) {
    member = text_member(kBackupSums, sums_);
  }
  return member;
}

// Goes on when the walk has checked all of it.
Result<Member> RunningBackup::next_segment() {
  const SegmentHeader header = segments_.front();
  const bool last = segments_.size() == 1;
  const Position end = last ? Position::after(head_.lsn) : segments_[1].first;
  while (walk_->position() < end) {
    NETML_TRY(std::optional<WalkStep> step, walk_->next());
    if (!step)
      return damage(walk_->segment(), walk_->end().offset, walk_->position().lsn,
                    walk_->end().reason);
    walked_ = std::move(step->segment);
    walked_end_ = step->frame.end();
  }
  segments_.pop_front();
  if (last) return last_segment(*walked_, walked_end_);
  return file_member(*journal_, kJournalDirectory, segment_name(header));
}

Result<Member> RunningBackup::last_segment(const Segment& segment, std::uint64_t end) {
  if (walk_->chain() != head_.chain)
    return fail(Errc::corruption,
                fmt::format("{}: the chain of hashes at LSN {} is not that of the state in memory",
                            segment.path(), head_.lsn.value));
  NETML_TRY(Member member, file_member(*journal_, kJournalDirectory, segment.name()));
  member.file_bytes = end;
  member.rest = make_seal(segment, *walk_, end);
  return member;
}

// The hash of what a stored file holds is its name.
Result<Member> RunningBackup::next_upload() {
  const std::string name = std::move(uploads_.front());
  uploads_.pop_front();
  NETML_TRY(Member member, file_member(*data_.uploads, kUploadDirectory, name));
  member.expected = hash_in_name(name);
  if (member.expected == name) {
    member.hashed = member.file_bytes;
    return member;
  }
  NETML_TRY(member.content, open_stored(*data_.uploads, name));
  NETML_TRY(member.content_bytes, member.content->size());
  return member;
}

// Two generations of one content, so that either may be lost.
Member RunningBackup::next_manifest() {
  ++manifest_.generation;
  manifest_.durable = head_.lsn;
  manifest_.clean_stop = false;
  --manifests_;
  return {.name = std::string(manifest_name(manifest_.generation)),
          .rest = encode_manifest(manifest_)};
}

}  // namespace

Result<std::unique_ptr<Backup>> Backup::start(DataDirectory& data, const LiveView& view,
                                              const BackupOptions& options) {
  auto backup = std::make_unique<RunningBackup>(data, view, options);
  NETML_TRY_VOID(backup->start(view.state->catalog));
  return backup;
}

}  // namespace netml::wal
