#include "admin/receipts/receipt_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "engine/base/texts.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {

namespace {

constexpr std::string_view kDirectory = "receipts";
constexpr std::string_view kFileEnding = ".jsonl";
// One is read as a whole, so it stays small.
constexpr std::size_t kFiles = 64;
// A file of another program's making is not read into memory whatever it is.
constexpr std::uint64_t kReadBytesMax = std::uint64_t{1} << 30;

// In the order of the numbers, for whoever lists the directory.
std::string file_name(std::uint64_t first) {
  return fmt::format("{:012}{}", first, kFileEnding);
}

// 0 for what was not named here.
std::uint64_t first_of(std::string_view name) {
  if (!name.ends_with(kFileEnding)) return 0;
  name.remove_suffix(kFileEnding.size());
  return parse_integer<std::uint64_t>(name).value_or(0);
}

Result<std::vector<std::uint64_t>> files_in(wal::Storage& directory) {
  NETML_TRY(const std::vector<wal::DirectoryEntry> entries, directory.list());
  std::vector<std::uint64_t> firsts;
  for (const wal::DirectoryEntry& entry : entries)
    if (const std::uint64_t first = first_of(entry.name); first != 0) firsts.push_back(first);
  std::ranges::sort(firsts);
  return firsts;
}

Result<std::string> whole_text(wal::Storage& directory, std::uint64_t first) {
  NETML_TRY(const std::vector<std::byte> bytes,
            wal::read_file(directory, file_name(first), kReadBytesMax));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

struct Lines {
  std::vector<Receipt> receipts = {};
  std::uint64_t damaged = 0;
  std::uint64_t next = 0;  // number after the last one, damaged ones counted
};

// Of a file whose first receipt has that number.
Lines read_lines(std::string_view text, std::uint64_t first) {
  Lines lines{.next = first};
  while (!text.empty()) {
    auto receipt = parse_receipt_line(take_until(text, '\n'));
    lines.next = receipt ? std::max(lines.next, receipt->number) + 1 : lines.next + 1;
    if (receipt)
      lines.receipts.push_back(*std::move(receipt));
    else
      ++lines.damaged;
  }
  std::ranges::stable_sort(lines.receipts, {}, &Receipt::number);
  return lines;
}

Result<std::unique_ptr<wal::Storage>> open_in(const std::string& data_directory) {
  NETML_TRY(const auto data, wal::PosixStorage::open_path(data_directory));
  return data->open_directory(kDirectory);
}

}  // namespace

ReceiptFiles::ReceiptFiles(std::string data_directory, std::uint64_t bytes_max)
    : data_directory_(std::move(data_directory)), bytes_max_(bytes_max) {}

ReceiptFiles::~ReceiptFiles() {
  // What cannot be synced is as durable as after a crash.
  if (file_ != nullptr) static_cast<void>(file_->sync_data());
}

std::uint64_t ReceiptFiles::file_bytes_max() const {
  return bytes_max_ / kFiles;
}

// ---- writing ----

Status ReceiptFiles::append(Receipt receipt) {
  const std::lock_guard lock(mutex_);
  NETML_TRY_VOID(find_newest());
  NETML_TRY_VOID(open_to_write());
  receipt.number = last_ + 1;
  std::string line = receipt_line(receipt);
  if (firsts_.empty() || (bytes_ > 0 && bytes_ + line.size() > file_bytes_max())) {
    NETML_TRY_VOID(begin_file());
  }
  if (cut_) line.insert(line.begin(), '\n');
  if (const Status written = file_->write(bytes_, std::as_bytes(std::span(line))); !written) {
    // A part of the line may be there; the next one is written over it.
    static_cast<void>(file_->truncate(bytes_));
    return written;
  }
  bytes_ += line.size();
  cut_ = false;
  ++last_;
  return {};
}

// Once: from then on nobody else writes there.
Status ReceiptFiles::find_newest() {
  if (looked_) return {};
  auto opened = open_in(data_directory_);
  if (!opened && opened.error().code != Errc::not_found) return tl::unexpected(opened.error());
  if (opened) {
    NETML_TRY(std::vector<std::uint64_t> firsts, files_in(**opened));
    if (!firsts.empty()) {
      NETML_TRY(const std::string text, whole_text(**opened, firsts.back()));
      last_ = read_lines(text, firsts.back()).next - 1;
      bytes_ = text.size();
      cut_ = !text.empty() && text.back() != '\n';
    }
    firsts_ = std::move(firsts);
    directory_ = *std::move(opened);
  }
  looked_ = true;
  return {};
}

Status ReceiptFiles::open_to_write() {
  if (directory_ == nullptr) {
    NETML_TRY(const auto data, wal::PosixStorage::open_path(data_directory_));
    Status made = data->make_directory(kDirectory);
    if (!made && made.error().code != Errc::conflict) return made;
    NETML_TRY_VOID(data->sync());
    NETML_TRY(directory_, data->open_directory(kDirectory));
  }
  if (file_ == nullptr && !firsts_.empty()) {
    NETML_TRY(file_, directory_->open(file_name(firsts_.back()), wal::OpenMode::write));
  }
  return {};
}

// Its name is durable before anything is in it, so that no number is given twice.
Status ReceiptFiles::begin_file() {
  if (const auto former = std::exchange(file_, nullptr)) {
    NETML_TRY_VOID(former->sync_data());
  }
  const std::uint64_t first = last_ + 1;
  NETML_TRY(std::unique_ptr<wal::File> next,
            directory_->open(file_name(first), wal::OpenMode::create_empty));
  NETML_TRY_VOID(directory_->sync());
  file_ = std::move(next);
  bytes_ = 0;
  cut_ = false;
  if (firsts_.empty() || firsts_.back() != first) firsts_.push_back(first);
  return remove_oldest();
}

// The sizes of files are all about the same, unless the limit was another one when they were
// written.
Status ReceiptFiles::remove_oldest() {
  std::uint64_t bytes = file_bytes_max();  // that the new file will have
  std::size_t kept = 1;
  while (kept < firsts_.size()) {
    const auto file =
        directory_->open(file_name(firsts_[firsts_.size() - 1 - kept]), wal::OpenMode::read);
    const std::uint64_t size = file ? (*file)->size().value_or(0) : 0;  // somebody removed it
    if (bytes + size > bytes_max_) break;
    bytes += size;
    ++kept;
  }
  while (firsts_.size() > kept) {
    const Status gone = directory_->unlink(file_name(firsts_.front()));
    if (!gone && gone.error().code != Errc::not_found) return gone;
    firsts_.erase(firsts_.begin());
  }
  return {};
}

// ---- reading ----

Result<ReceiptFiles::Reader> ReceiptFiles::read() {
  const std::lock_guard lock(mutex_);
  NETML_TRY_VOID(find_newest());
  Reader reader;
  if (firsts_.empty()) return reader;
  NETML_TRY(reader.directory_, open_in(data_directory_));
  reader.firsts_ = firsts_;
  reader.last_ = last_;
  reader.newest_bytes_ = bytes_;
  return reader;
}

std::size_t ReceiptFiles::Reader::count() const {
  return firsts_.empty() ? 0 : last_ - firsts_.front() + 1;
}

Result<std::string> ReceiptFiles::Reader::text_of_file(std::uint64_t first) const {
  NETML_TRY(std::string text, whole_text(*directory_, first));
  if (first == firsts_.back()) text.resize(std::min<std::uint64_t>(text.size(), newest_bytes_));
  return text;
}

std::optional<Receipt> ReceiptFiles::Reader::find(std::uint64_t number) {
  const auto after = std::ranges::upper_bound(firsts_, number);
  if (after == firsts_.begin() || number > last_) return std::nullopt;
  const std::uint64_t first = *std::prev(after);
  if (read_ != first) {
    const auto text = text_of_file(first);  // one that was removed meanwhile has nothing any more
    receipts_ = text ? read_lines(*text, first).receipts : std::vector<Receipt>();
    read_ = first;
  }
  const auto found = std::ranges::lower_bound(receipts_, number, {}, &Receipt::number);
  if (found == receipts_.end() || found->number != number) return std::nullopt;
  return *found;
}

std::vector<std::string> ReceiptFiles::findings() {
  const auto reader = read();
  if (!reader) return {reader.error().text()};
  std::vector<std::string> findings;
  for (const std::uint64_t first : reader->firsts_) {
    const auto text = reader->text_of_file(first);
    if (!text && text.error().code == Errc::not_found) continue;  // it went meanwhile
    const std::uint64_t damaged = text ? read_lines(*text, first).damaged : 0;
    if (!text) findings.push_back(text.error().text());
    if (damaged > 0)
      findings.push_back(fmt::format("{}/{}: damaged lines: {}; their receipts are lost",
                                     kDirectory, file_name(first), damaged));
  }
  return findings;
}

}  // namespace netml::admin
