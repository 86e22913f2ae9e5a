#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "wal/format/data_directory.hpp"
#include "wal/journal/archive.hpp"
#include "wal/journal/segment.hpp"
#include "wal/storage/zstd_file.hpp"

namespace netml::wal {

namespace {

class WholeJournal final : public Storage {
 public:
  WholeJournal(Storage& data, std::unique_ptr<Storage> here, Manifest manifest)
      : data_(data), here_(std::move(here)), manifest_(std::move(manifest)) {}

  Result<std::unique_ptr<File>> open(std::string_view name, OpenMode mode) override {
    auto file = here_->open(name, mode);
    if (file || mode != OpenMode::read || file.error().code != Errc::not_found) return file;
    auto archived = open_archived(name);
    if (archived && *archived != nullptr) return archived;
    if (!archived) return archived;
    return file;
  }

  Result<std::vector<DirectoryEntry>> list() override {
    NETML_TRY(std::vector<DirectoryEntry> entries, here_->list());
    const std::lock_guard lock(mutex_);
    for (const SegmentEntry& entry : manifest_.segments) {
      const DirectoryEntry archived{segment_name(entry.first_lsn, entry.number), false};
      if (entry.archive != 0 && std::ranges::find(entries, archived) == entries.end())
        entries.push_back(archived);
    }
    std::ranges::sort(entries, {}, &DirectoryEntry::name);
    return entries;
  }

  Result<std::unique_ptr<Storage>> open_directory(std::string_view name) override {
    return here_->open_directory(name);
  }
  Result<std::unique_ptr<Storage>> open_elsewhere(const std::string& path) override {
    return here_->open_elsewhere(path);
  }
  Status make_directory(std::string_view) override { return read_only(); }
  Status rename(std::string_view, std::string_view) override { return read_only(); }
  Status move_to(std::string_view, Storage&, std::string_view) override { return read_only(); }
  Status unlink(std::string_view) override { return read_only(); }
  Status sync() override { return read_only(); }
  Result<Space> space() override { return here_->space(); }
  Result<std::unique_ptr<FileLock>> lock(std::string_view) override {
    return tl::unexpected(read_only().error());
  }
  Result<std::unique_ptr<FileLock>> lock_for_reading(std::string_view name) override {
    return here_->lock_for_reading(name);
  }
  Status check_private() override { return here_->check_private(); }
  Status check_secret(std::string_view name) override { return here_->check_secret(name); }
  const std::string& path() const override { return here_->path(); }

 private:
  Status read_only() const { return fail(Errc::denied, path() + ": opened for reading only"); }

  // Null when it is not archived either.
  Result<std::unique_ptr<File>> open_archived(std::string_view name) {
    const std::lock_guard lock(mutex_);
    auto place = find(name);
    if (!place) {  // moved since
      NETML_TRY(std::optional<LoadedManifest> loaded, load_manifest(data_));
      if (loaded) manifest_ = std::move(loaded->manifest);
      place = find(name);
    }
    if (!place) return std::unique_ptr<File>();
    const std::string& directory = manifest_.archives[place->archive - 1U];
    const auto archive = data_.open_elsewhere(directory);
    if (!archive)
      return fail(Errc::unavailable,
                  fmt::format("{} is archived in {}, which cannot be read: {}. Mount it there",
                              name, directory, archive.error().message));
    auto compressed = (*archive)->open(compressed_name(*place), OpenMode::read);
    if (!compressed)
      return fail(
          compressed.error().code == Errc::not_found ? Errc::corruption : compressed.error().code,
          fmt::format("{} is archived, but missing there: {}. If nothing is mounted on {}, mount "
                      "it there",
                      name, compressed.error().message, directory));
    return unpacked(*std::move(compressed), place->bytes);
  }

  std::optional<SegmentEntry> find(std::string_view name) const {
    for (const SegmentEntry& entry : manifest_.segments)
      if (entry.archive != 0 && segment_name(entry.first_lsn, entry.number) == name) return entry;
    return std::nullopt;
  }

  Storage& data_;
  const std::unique_ptr<Storage> here_;
  std::mutex mutex_;
  Manifest manifest_;  // guarded by mutex_
};

}  // namespace

Result<std::unique_ptr<Storage>> open_whole_journal(Storage& data) {
  NETML_TRY(std::unique_ptr<Storage> here, data.open_directory(kJournalDirectory));
  NETML_TRY(std::optional<LoadedManifest> loaded, load_manifest(data));
  if (!loaded) return here;
  return std::make_unique<WholeJournal>(data, std::move(here), std::move(loaded->manifest));
}

}  // namespace netml::wal
