#include "codecs/document/zip_archive.hpp"

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <array>
#include <optional>

#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

constexpr std::size_t kPieceBytes = 256 << 10;
constexpr std::size_t kNameBytesMax = 1 << 10;
// Sheets full of equal cells pack well, so the ratio counts only for what is large.
constexpr std::uint64_t kFreeExpansionBytes = 16ULL << 20;
constexpr uLong kEncryptedFlag = 1;
constexpr uLong kStored = 0;
constexpr uLong kDeflated = 8;

// ---- the file, as minizip reads it ----

using Cursor = ZipArchive::Cursor;

Cursor& cursor_of(void* stream) {
  return *static_cast<Cursor*>(stream);
}

void* open_stream(void* opaque, const void*, int) {
  return opaque;
}

uLong read_stream(void*, void* stream, void* buffer, uLong size) {
  Cursor& cursor = cursor_of(stream);
  const std::uint64_t left = cursor.file.size() - cursor.at;
  if (cursor.failure) return 0;
  if (size > left) cursor.beyond_end = true;
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(size, left));
  // Nothing may be thrown through minizip.
  Status read = guarded(
      [&] { return cursor.file.read_at(cursor.at, {static_cast<std::byte*>(buffer), bytes}); });
  if (!read) {
    cursor.failure = std::move(read).error();
    return 0;
  }
  cursor.at += bytes;
  return bytes;
}

ZPOS64_T tell_stream(void*, void* stream) {
  return cursor_of(stream).at;
}

long seek_stream(void*, void* stream, ZPOS64_T offset, int origin) {
  Cursor& cursor = cursor_of(stream);
  const std::uint64_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                             : origin == ZLIB_FILEFUNC_SEEK_CUR ? cursor.at
                                                                : cursor.file.size();
  if (offset > cursor.file.size() - base) return -1;
  cursor.at = base + offset;
  return 0;
}

int close_stream(void*, void*) {
  return 0;
}

int stream_failed(void*, void* stream) {
  return cursor_of(stream).failure ? -1 : 0;
}

// What minizip answered, when there was memory for it.
int with_memory(int status) {
  check_allocated(status != UNZ_INTERNALERROR && status != Z_MEM_ERROR);
  return status;
}

// ---- names ----

bool is_safe_name(std::string_view name) {
  if (name.empty() || name.front() == '/') return false;
  const auto forbidden = [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\\' || c == ':';
  };
  if (std::ranges::any_of(name, forbidden)) return false;
  return fmt::format("/{}/", name).find("/../") == std::string::npos;
}

}  // namespace

void ZipArchive::CloseArchive::operator()(void* archive) const {
  unzClose(archive);
}

tl::unexpected<ZipFault> ZipArchive::damaged(std::string_view what) const {
  check_allocated(!cursor_.failure || !is_out_of_memory(*cursor_.failure));
  if (cursor_.failure) return zip_fault("unreadable", cursor_.failure->message);
  return zip_fault(purpose_.fault,
                   fmt::format("the file is no {} or damaged: {}", purpose_.called, what));
}

ZipResult<void> ZipArchive::check_reads() const {
  if (cursor_.failure || cursor_.beyond_end) return damaged("it is cut off");
  return {};
}

ZipResult<void> ZipArchive::check_start() {
  if (cursor_.file.size() > limits_.file_bytes)
    return zip_fault("too-large", beyond_limit(fmt::format("the {} has {} bytes", purpose_.called,
                                                           cursor_.file.size()),
                                               limit_names::kXlsxFileBytes, limits_.file_bytes));
  constexpr std::array<char, 4> kZip{'P', 'K', 3, 4};
  // What Office wraps around an encrypted workbook, and the format before 2007.
  constexpr std::array<char, 4> kCompound{'\xd0', '\xcf', '\x11', '\xe0'};
  constexpr std::array<char, 4> kMarkedXml{'\xef', '\xbb', '\xbf', '<'};
  std::array<char, 4> start{};
  if (cursor_.file.size() < start.size()) return damaged("it is too short");
  read_stream(nullptr, &cursor_, start.data(), start.size());
  if (start == kCompound)
    return zip_fault("encrypted",
                     "the file is encrypted or in the old .xls format; save it as .xlsx without "
                     "a password");
  if (start.front() == '<' || start == kMarkedXml)
    return damaged("it is XML; if it is an exchange file, give it a name that ends in .xml");
  if (start != kZip) return damaged("it is no zip archive");
  return {};
}

ZipResult<void> ZipArchive::open() {
  NETML_TRY_VOID(check_start());
  zlib_filefunc64_def functions{open_stream, read_stream,  nullptr,       tell_stream,
                                seek_stream, close_stream, stream_failed, &cursor_};
  archive_.reset(unzOpen2_64("", &functions));
  unz_global_info64 totals{};
  if (archive_ == nullptr || unzGetGlobalInfo64(archive_.get(), &totals) != UNZ_OK)
    return damaged("its directory cannot be read");
  if (totals.number_entry > limits_.entries)
    return zip_fault("too-large",
                     beyond_limit(fmt::format("the archive has {} entries", totals.number_entry),
                                  limit_names::kXlsxEntries, limits_.entries));
  int status = unzGoToFirstFile(archive_.get());
  for (; status == UNZ_OK && entries_.size() < totals.number_entry;
       status = unzGoToNextFile(archive_.get())) {
    NETML_TRY(Entry entry, read_entry());
    entries_.push_back(std::move(entry));
  }
  if (status != UNZ_END_OF_LIST_OF_FILE || entries_.size() != totals.number_entry)
    return damaged("its directory is broken");
  NETML_TRY_VOID(check_reads());
  return check_entries();
}

// The entry that minizip stands at. Opening it compares the directory with what stands before the
// data, and tells where those begin.
ZipResult<ZipArchive::Entry> ZipArchive::read_entry() {
  Entry entry;
  unz_file_info64 info{};
  std::string name(kNameBytesMax, '\0');
  if (unzGetCurrentFileInfo64(archive_.get(), &info, name.data(), name.size(), nullptr, 0, nullptr,
                              0) != UNZ_OK ||
      info.size_filename >= kNameBytesMax)
    return damaged("an entry of its directory is broken");
  name.resize(info.size_filename);
  if (!is_safe_name(name))
    return zip_fault(
        purpose_.fault,
        fmt::format("the archive has an entry with a forbidden name: {}", excerpt(name)));
  if ((info.flag & kEncryptedFlag) != 0)
    return zip_fault("encrypted", "the file is encrypted; save it without a password");
  if (info.compression_method != kStored && info.compression_method != kDeflated)
    return damaged(
        fmt::format("an entry is compressed by a method that no {} uses", purpose_.called));
  entry.name = lower_ascii(name);
  entry.compressed_bytes = info.compressed_size;
  entry.declared_bytes = info.uncompressed_size;
  unz64_file_pos place{};
  if (unzGetFilePos64(archive_.get(), &place) != UNZ_OK ||
      with_memory(unzOpenCurrentFile(archive_.get())) != UNZ_OK)
    return damaged("an entry does not agree with the directory");
  entry.place = {place.pos_in_zip_directory, place.num_of_file};
  entry.data_begin = unzGetCurrentFileZStreamPos64(archive_.get());
  unzCloseCurrentFile(archive_.get());
  names_.push_back(std::move(name));
  return entry;
}

ZipResult<void> ZipArchive::check_entries() {
  std::ranges::sort(entries_, {}, &Entry::data_begin);
  std::uint64_t end = 0;
  for (const Entry& entry : entries_) {
    if (entry.data_begin < end) return damaged("its entries overlap");
    if (entry.compressed_bytes > cursor_.file.size() - entry.data_begin)
      return damaged("an entry reaches beyond the end");
    end = entry.data_begin + entry.compressed_bytes;
  }
  std::ranges::sort(entries_, {}, &Entry::name);
  if (std::ranges::adjacent_find(entries_, {}, &Entry::name) != entries_.end())
    return damaged("two entries have one name");
  return {};
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
  const std::string lower = lower_ascii(name);
  const auto found = std::ranges::lower_bound(entries_, lower, {}, &Entry::name);
  return found != entries_.end() && found->name == lower ? &*found : nullptr;
}

ZipResult<void> ZipArchive::check_expansion(const Entry& entry, std::uint64_t bytes) {
  if (expanded_ > limits_.expanded_bytes)
    return zip_fault("too-large",
                     beyond_limit("the bytes that the file expands to are too many",
                                  limit_names::kXlsxExpandedBytes, limits_.expanded_bytes));
  if (bytes > kFreeExpansionBytes && bytes / limits_.expanded_ratio > entry.compressed_bytes)
    return zip_fault("too-large",
                     beyond_limit(fmt::format("{} expands too many times", excerpt(entry.name)),
                                  limit_names::kXlsxExpandedRatio, limits_.expanded_ratio));
  return {};
}

ZipResult<void> ZipArchive::expand(std::string_view name, const Sink& take) {
  const Entry* const found = find(name);
  if (found == nullptr)
    return zip_fault(purpose_.fault,
                     fmt::format("the {} lacks the part {}", purpose_.called, excerpt(name)));
  const Entry& entry = *found;
  const unz64_file_pos place{entry.place[0], entry.place[1]};
  if (unzGoToFilePos64(archive_.get(), &place) != UNZ_OK ||
      with_memory(unzOpenCurrentFile(archive_.get())) != UNZ_OK)
    return damaged(fmt::format("{} cannot be read", excerpt(entry.name)));
  std::vector<std::byte> piece(kPieceBytes);
  std::uint64_t bytes = 0;
  for (;;) {
    const int got = with_memory(unzReadCurrentFile(archive_.get(), piece.data(), kPieceBytes));
    if (got < 0) return damaged(fmt::format("{} cannot be unpacked", excerpt(entry.name)));
    if (got == 0) break;
    const auto count = static_cast<std::size_t>(got);
    bytes += count;
    expanded_ += count;
    if (auto allowed = check_expansion(entry, bytes); !allowed) return allowed;
    if (!take(std::span(piece).first(count))) return {};
  }
  // The checksum is compared on closing, but only when as much came out as was declared.
  const bool intact = unzCloseCurrentFile(archive_.get()) == UNZ_OK;
  if (!intact || bytes != entry.declared_bytes)
    return damaged(fmt::format("{} differs from its checksum or size", excerpt(entry.name)));
  return check_reads();
}

}  // namespace netml::codecs
