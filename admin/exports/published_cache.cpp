#include "admin/exports/published_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <filesystem>
#include <tuple>

#include "engine/base/guarded.hpp"
#include "net/http/body_sources.hpp"
#include "wal/storage/crc32c.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {

namespace {

constexpr std::string_view kDirectory = "cache";
constexpr std::string_view kFileEnding = ".xml";

// A file on its way into the cache; there is one at a time.
std::string draft_name() {
  return wal::temporary_name("draft");
}

struct CachedName {
  std::string prefix;
  std::string etag;
  PublishedCache::Draft written;
};

std::string file_name(const CachedName& name) {
  return fmt::format("{}.{}.{:08x}-{}{}", name.prefix, name.etag, name.written.checksum,
                     name.written.bytes, kFileEnding);
}

template <class Number>
bool read_number(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

// Nothing for a file that was not kept here under this form of names.
std::optional<CachedName> parse_name(std::string_view text) {
  if (!text.ends_with(kFileEnding)) return std::nullopt;
  text.remove_suffix(kFileEnding.size());
  const std::size_t first = text.find('.');
  const std::size_t last = text.rfind('.');
  const std::size_t dash = text.rfind('-');
  if (first == last || dash == std::string_view::npos || dash < last) return std::nullopt;
  CachedName name;
  name.prefix = text.substr(0, first);
  name.etag = text.substr(first + 1, last - first - 1);
  if (!read_number(text.substr(last + 1, dash - last - 1), name.written.checksum, 16) ||
      !read_number(text.substr(dash + 1), name.written.bytes, 10))
    return std::nullopt;
  return name;
}

// A file as it was when it was checked.
struct FileIdentity {
  explicit FileIdentity(const struct stat& info)
      : fields(info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
               info.st_ctim.tv_sec, info.st_ctim.tv_nsec) {}
  bool operator==(const FileIdentity&) const = default;
  std::tuple<ino_t, off_t, time_t, long, time_t, long> fields;
};

std::optional<net::FileBody> open_file(const std::string& path, struct stat& info) {
  net::FileBody body;
  body.file = net::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!body.file || ::fstat(body.file.get(), &info) != 0) return std::nullopt;
  body.length = static_cast<std::uint64_t>(info.st_size);
  return body;
}

}  // namespace

// The files that were found to hold what was written, so that each is read for that only once.
class CheckedFiles {
 public:
  bool has(const std::string& name, const FileIdentity& identity) {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(name);
    return found != files_.end() && found->second == identity;
  }
  void add(const std::string& name, const FileIdentity& identity) {
    const std::lock_guard lock(mutex_);
    files_.insert_or_assign(name, identity);
  }
  void remove(const std::string& name) {
    const std::lock_guard lock(mutex_);
    files_.erase(name);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, FileIdentity> files_;  // guarded by mutex_
};

namespace {

// A file that is checked once more while it is sent: its last piece comes only if it is right.
class CheckedFile : public net::BodySource {
 public:
  CheckedFile(net::FileBody file, std::string name, PublishedCache::Draft written,
              std::shared_ptr<CheckedFiles> checked)
      : file_(net::file_source(std::move(file))),
        name_(std::move(name)),
        written_(written),
        checked_(std::move(checked)) {}

  Result<std::string_view> next() override {
    NETML_TRY(const std::string_view piece, file_->next());
    read_.checksum = wal::crc32c(std::as_bytes(std::span(piece)), read_.checksum);
    read_.bytes += piece.size();
    if (read_.bytes < written_.bytes || read_.checksum == written_.checksum) return piece;
    checked_->remove(name_);
    return fail(Errc::unavailable,
                fmt::format("the cached file {} is damaged; it is made again", name_));
  }

 private:
  const std::unique_ptr<net::BodySource> file_;
  const std::string name_;
  const PublishedCache::Draft written_;
  PublishedCache::Draft read_;
  const std::shared_ptr<CheckedFiles> checked_;
};

}  // namespace

PublishedCache::PublishedCache(std::string data_directory)
    : data_directory_(std::move(data_directory)), checked_(std::make_shared<CheckedFiles>()) {}

std::string PublishedCache::path() const {
  return fmt::format("{}/{}", data_directory_, kDirectory);
}

Result<std::unique_ptr<wal::Storage>> PublishedCache::open() const {
  NETML_TRY(const auto data, wal::PosixStorage::open_path(data_directory_));
  const Status made = data->make_directory(kDirectory);
  if (!made && made.error().code != Errc::conflict) return tl::unexpected(made.error());
  return data->open_directory(kDirectory);
}

// Durable, because a crash may otherwise keep the name without the content.
Result<PublishedCache::Draft> PublishedCache::write(net::BodySource& source) {
  NETML_TRY(const std::unique_ptr<wal::Storage> cache, open());
  const auto write_all = [&]() -> Result<Draft> {
    NETML_TRY(const std::unique_ptr<wal::File> file,
              cache->open(draft_name(), wal::OpenMode::create_empty));
    Draft draft;
    while (true) {
      NETML_TRY(const std::string_view piece, source.next());
      if (piece.empty()) break;
      const auto bytes = std::as_bytes(std::span(piece));
      NETML_TRY_VOID(file->write(draft.bytes, bytes));
      draft.checksum = wal::crc32c(bytes, draft.checksum);
      draft.bytes += bytes.size();
    }
    NETML_TRY_VOID(file->sync());
    return draft;
  };
  Result<Draft> draft = write_all();
  if (!draft) discard();
  return draft;
}

Status PublishedCache::keep(const Draft& draft, const std::string& prefix,
                            const std::string& etag) {
  const std::string kept = file_name({prefix, etag, draft});
  NETML_TRY(const std::unique_ptr<wal::Storage> cache, open());
  if (const Status renamed = cache->rename(draft_name(), kept); !renamed) {
    discard();
    return renamed;
  }
  return remove_all([&](const std::string& name) {
    const auto parsed = parse_name(name);
    return parsed && parsed->prefix == prefix && name != kept;
  });
}

// What is left of it may be what fills the disk.
void PublishedCache::discard() noexcept {
  const auto removed = guarded([&]() -> Status {
    NETML_TRY(const std::unique_ptr<wal::Storage> cache, open());
    return cache->unlink(draft_name());
  });
  static_cast<void>(removed.has_value());  // there may be none
}

bool PublishedCache::holds_what_was_written(const std::string& name, const Draft& written) const {
  struct stat info;
  std::optional<net::FileBody> file = open_file(fmt::format("{}/{}", path(), name), info);
  if (!file || file->length != written.bytes) return false;
  if (checked_->has(name, FileIdentity(info))) return true;
  CheckedFile source(*std::move(file), name, written, checked_);
  while (true) {
    const Result<std::string_view> piece = source.next();
    if (!piece) return false;
    if (piece->empty()) break;
  }
  checked_->add(name, FileIdentity(info));
  return true;
}

std::vector<std::string> PublishedCache::names() const {
  std::vector<std::string> names;
  std::error_code error;  // no directory, no files
  for (std::filesystem::directory_iterator each(path(), error), end; !error && each != end;
       each.increment(error))
    names.push_back(each->path().filename().string());
  return names;
}

std::optional<PublishedFile> PublishedCache::find(const std::string& prefix) const {
  for (const std::string& name : names()) {
    const auto parsed = parse_name(name);
    if (!parsed || parsed->prefix != prefix || !holds_what_was_written(name, parsed->written))
      continue;
    struct stat info;
    std::optional<net::FileBody> file = open_file(fmt::format("{}/{}", path(), name), info);
    if (!file || file->length != parsed->written.bytes) continue;
    return PublishedFile{parsed->etag,
                         net::StreamBody{.source = std::make_unique<CheckedFile>(
                                             *std::move(file), name, parsed->written, checked_),
                                         .length = parsed->written.bytes,
                                         .made_ahead = true}};
  }
  return std::nullopt;
}

Status PublishedCache::keep_only(const std::set<std::string>& prefixes) {
  return remove_all([&](const std::string& name) {
    const auto parsed = parse_name(name);
    return !parsed || !prefixes.contains(parsed->prefix);
  });
}

Status PublishedCache::remove_all(const std::function<bool(const std::string& name)>& unwanted) {
  NETML_TRY(const std::unique_ptr<wal::Storage> cache, open());
  NETML_TRY(const std::vector<wal::DirectoryEntry> files, cache->list());
  for (const wal::DirectoryEntry& file : files) {
    if (file.directory || !unwanted(file.name)) continue;
    checked_->remove(file.name);
    NETML_TRY_VOID(cache->unlink(file.name));
  }
  return {};
}

std::vector<std::string> PublishedCache::findings() const {
  std::vector<std::string> findings;
  for (const std::string& name : names()) {
    const auto parsed = parse_name(name);
    checked_->remove(name);  // what was seen once may have changed where no clock shows it
    if (!parsed || holds_what_was_written(name, parsed->written)) continue;
    const std::string file = fmt::format("{}/{}", path(), name);
    if (std::error_code error; std::filesystem::exists(file, error))
      findings.push_back(
          fmt::format("{}: it does not hold what was written, so it is not sent", file));
  }
  return findings;
}

}  // namespace netml::admin
