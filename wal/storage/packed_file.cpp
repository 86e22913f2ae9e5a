#include "wal/storage/packed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

namespace {

// The table is a frame that Zstandard skips.
constexpr std::uint32_t kSkippedMagic = 0x184d2a5e;
constexpr std::uint64_t kTableMagic = 0x315453464c4d544e;  // "NTMLFST1"
constexpr std::size_t kSkippedHeaderBytes = 8;
constexpr std::size_t kEntryBytes = 12;
constexpr std::size_t kTableEndBytes = 16;
constexpr std::size_t kTableCrcBytes = kTableEndBytes - sizeof(std::uint32_t);

constexpr std::uint64_t table_bytes(std::uint64_t pieces) {
  return kSkippedHeaderBytes + pieces * kEntryBytes + kTableEndBytes;
}

tl::unexpected<Error> damaged_file(const File& file, std::uint64_t offset, std::string_view why) {
  return fail(Errc::corruption, fmt::format("{}: offset {}: the stored file is damaged: {}",
                                            file.path(), offset, why));
}

std::vector<std::byte> encode_table(std::span<const PackedPiece> pieces) {
  std::vector<std::byte> table(table_bytes(pieces.size()));
  const std::span<std::byte> out(table);
  store(out, 0, kSkippedMagic);
  store(out, 4, static_cast<std::uint32_t>(table.size() - kSkippedHeaderBytes));
  std::size_t at = kSkippedHeaderBytes;
  for (const PackedPiece& piece : pieces) {
    store(out, at, piece.bytes);
    store(out, at + 4, piece.content_bytes);
    store(out, at + 8, piece.crc);
    at += kEntryBytes;
  }
  store(out, at, static_cast<std::uint32_t>(pieces.size()));
  store(out, at + 4, kTableMagic);
  store(out, at + kTableCrcBytes, crc32c(out.first(at + kTableCrcBytes)));
  return table;
}

// Nothing when the entries do not fit what lies before the table.
std::optional<std::vector<PackedPiece>> decode_entries(std::span<const std::byte> entries,
                                                       std::uint64_t bytes) {
  std::vector<PackedPiece> pieces;
  pieces.reserve(entries.size() / kEntryBytes);
  const std::size_t packed_max = BlockPacker::bytes_max(PackedWriter::kContentBytesMax);
  PackedPiece next;
  for (std::size_t at = 0; at < entries.size(); at += kEntryBytes) {
    next.bytes = load<std::uint32_t>(entries, at);
    next.content_bytes = load<std::uint32_t>(entries, at + 4);
    next.crc = load<std::uint32_t>(entries, at + 8);
    if (next.bytes == 0 || next.bytes > packed_max || next.content_bytes == 0 ||
        next.content_bytes > PackedWriter::kContentBytesMax)
      return std::nullopt;
    pieces.push_back(next);
    next.at += next.bytes;
    next.content_at += next.content_bytes;
  }
  if (next.at != bytes) return std::nullopt;
  return pieces;
}

Result<std::vector<PackedPiece>> read_table(File& file) {
  NETML_TRY(const std::uint64_t size, file.size());
  if (size < table_bytes(0)) return damaged_file(file, 0, "it has no table");
  std::vector<std::byte> table(kTableEndBytes);
  NETML_TRY_VOID(read_exactly(file, size - kTableEndBytes, table));
  const std::uint64_t bytes = table_bytes(load<std::uint32_t>(table, 0));
  if (load<std::uint64_t>(table, 4) != kTableMagic || bytes > size)
    return damaged_file(file, size - kTableEndBytes, "it ends without its table");
  const std::uint64_t at = size - bytes;
  table.resize(bytes);
  NETML_TRY_VOID(read_exactly(file, at, table));
  const std::span<const std::byte> all(table);
  if (load<std::uint32_t>(all, bytes - sizeof(std::uint32_t)) !=
          crc32c(all.first(bytes - sizeof(std::uint32_t))) ||
      load<std::uint32_t>(all, 0) != kSkippedMagic ||
      load<std::uint32_t>(all, 4) != bytes - kSkippedHeaderBytes)
    return damaged_file(file, at, "its table has another checksum");
  auto pieces = decode_entries(
      all.subspan(kSkippedHeaderBytes, bytes - kSkippedHeaderBytes - kTableEndBytes), at);
  if (!pieces) return damaged_file(file, at, "its table does not fit it");
  return *std::move(pieces);
}

class PackedFile final : public File {
 public:
  PackedFile(std::unique_ptr<File> compressed, std::vector<PackedPiece> pieces)
      : packed_(std::move(compressed)), pieces_(std::move(pieces)) {}

  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    return reader_.read(*packed_, pieces_, offset, bytes);
  }
  Result<std::uint64_t> size() override {
    if (pieces_.empty()) return std::uint64_t{0};
    return pieces_.back().content_at + pieces_.back().content_bytes;
  }
  const std::string& path() const override { return packed_->path(); }

  Status write(std::uint64_t, std::span<const std::byte>) override { return refuse(); }
  Status truncate(std::uint64_t) override { return refuse(); }
  Status sync_data() override { return refuse(); }
  Status sync() override { return refuse(); }

 private:
  Status refuse() const { return fail(Errc::denied, path() + ": compressed, for reading only"); }

  const std::unique_ptr<File> packed_;
  const std::vector<PackedPiece> pieces_;
  PackedPieces reader_;
};

}  // namespace

// ---- reading ----

Result<std::size_t> PackedPieces::read(File& file, std::span<const PackedPiece> pieces,
                                       std::uint64_t offset, std::span<std::byte> out) {
  auto piece = std::ranges::upper_bound(pieces, offset, {}, &PackedPiece::content_at);
  if (piece != pieces.begin()) --piece;
  std::size_t done = 0;
  for (; piece != pieces.end() && done < out.size(); ++piece) {
    const std::uint64_t within = offset + done - piece->content_at;
    if (within >= piece->content_bytes) break;  // behind the last one
    const std::span<std::byte> rest = out.subspan(done);
    const bool whole = within == 0 && rest.size() >= piece->content_bytes;
    if (whole && content_at_ != piece->content_at) {
      NETML_TRY_VOID(unpack(file, *piece, rest.first(piece->content_bytes)));
      done += piece->content_bytes;
      continue;
    }
    if (content_at_ != piece->content_at) {
      content_at_.reset();
      if (content_.bytes().size() < piece->content_bytes)
        content_ = AlignedMemory(PackedWriter::kContentBytesMax);
      NETML_TRY_VOID(unpack(file, *piece, content_.bytes().first(piece->content_bytes)));
      content_at_ = piece->content_at;
    }
    const std::size_t count = std::min<std::size_t>(rest.size(), piece->content_bytes - within);
    std::memcpy(rest.data(), content_.bytes().data() + within, count);
    done += count;
  }
  return done;
}

Status PackedPieces::unpack(File& file, const PackedPiece& piece, std::span<std::byte> out) {
  if (packed_.bytes().size() < piece.bytes) packed_ = AlignedMemory(piece.bytes);
  const std::span<std::byte> compressed = packed_.bytes().first(piece.bytes);
  NETML_TRY_VOID(read_exactly(file, piece.at, compressed));
  if (crc32c(compressed) != piece.crc)
    return damaged_file(file, piece.at, "a piece has another checksum");
  const Status unpacked = unpacker_.unpack(compressed, out);
  if (!unpacked) return damaged_file(file, piece.at, unpacked.error().message);
  return {};
}

Result<std::unique_ptr<File>> open_packed(std::unique_ptr<File> compressed) {
  NETML_TRY(std::vector<PackedPiece> pieces, read_table(*compressed));
  return std::unique_ptr<File>(
      std::make_unique<PackedFile>(std::move(compressed), std::move(pieces)));
}

// ---- writing ----

// Room for what is gathered, and behind it for one more piece at its largest.
PackedWriter::PackedWriter(File& file, int level)
    : file_(file),
      packer_(level, BlockPacker::Checksum::content),
      buffer_(kPieceBytes + BlockPacker::bytes_max(kContentBytesMax)) {}

Result<std::size_t> PackedWriter::pack(std::span<const std::byte> content) {
  NETML_ASSERT(!content.empty() && content.size() <= kContentBytesMax);
  return packer_.pack(content, buffer_.bytes().subspan(filled_));
}

Status PackedWriter::take(std::span<const std::byte> content, std::size_t bytes) {
  PackedPiece piece;
  piece.at = end();
  if (!pieces_.empty()) piece.content_at = pieces_.back().content_at + pieces_.back().content_bytes;
  piece.bytes = static_cast<std::uint32_t>(bytes);
  piece.content_bytes = static_cast<std::uint32_t>(content.size());
  piece.crc = crc32c(buffer_.bytes().subspan(filled_, bytes));
  pieces_.push_back(piece);
  filled_ += bytes;
  all_written_ = false;
  return filled_ < kPieceBytes ? Status() : write_pages();
}

Status PackedWriter::add(std::span<const std::byte> content) {
  NETML_TRY(const std::size_t bytes, pack(content));
  return take(content, bytes);
}

Result<bool> PackedWriter::add_if_smaller(std::span<const std::byte> content) {
  NETML_TRY(const std::size_t bytes, pack(content));
  if (!is_worth_packing(content.size(), bytes)) return false;
  NETML_TRY_VOID(take(content, bytes));
  return true;
}

// What is behind the last whole page waits.
Status PackedWriter::write_pages() {
  const std::size_t whole = filled_ / kDirectAlignment * kDirectAlignment;
  NETML_TRY_VOID(file_.write(buffer_at_, buffer_.bytes().first(whole)));
  std::memmove(buffer_.bytes().data(), buffer_.bytes().data() + whole, filled_ - whole);
  buffer_at_ += whole;
  filled_ -= whole;
  return {};
}

// The beginning of the last page is written again with the rest of it.
Status PackedWriter::write_all() {
  if (all_written_) return {};
  if (filled_ >= kDirectAlignment) NETML_TRY_VOID(write_pages());
  if (filled_ != 0) NETML_TRY_VOID(file_.write(buffer_at_, buffer_.bytes().first(filled_)));
  all_written_ = true;
  return {};
}

Status PackedWriter::finish() {
  const std::uint64_t at = end();
  NETML_TRY_VOID(write_all());
  return file_.write(at, encode_table(pieces_));
}

Result<std::size_t> PackedWriter::read(std::uint64_t offset, std::span<std::byte> out) {
  NETML_TRY_VOID(write_all());
  return reader_.read(file_, pieces_, offset, out);
}

}  // namespace netml::wal
