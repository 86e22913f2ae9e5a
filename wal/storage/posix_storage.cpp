#include "wal/storage/posix_storage.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>

#include "wal/storage/direct_transfer.hpp"

namespace netml::wal {

namespace {

Errc code_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return Errc::no_space;
    case ENOENT:
      return Errc::not_found;
    case EEXIST:
    case EWOULDBLOCK:
      return Errc::conflict;
    case EACCES:
    case EPERM:
    case EROFS:
      return Errc::denied;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return Errc::unavailable;
    default:
      return Errc::io_error;
  }
}

// Call it right after the failed call: it reads errno.
tl::unexpected<Error> system_error(const char* operation, std::string_view path) {
  const int error = errno;
  return fail(code_of(error), fmt::format("{} {}: {}", operation, path, error_text(error)));
}

// Whatever the reason: after a failed sync nobody knows what is on the disk (E2).
tl::unexpected<Error> sync_error(const char* operation, std::string_view path) {
  auto error = system_error(operation, path);
  error.value().code = Errc::io_error;
  return error;
}

// Repeats a call that a signal interrupted.
template <class Call>
auto uninterrupted(Call&& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }

 private:
  int value_;
};

class MappedFile final : public Mapping {
 public:
  MappedFile(void* address, std::size_t size) : address_(address), size_(size) {}
  ~MappedFile() override {
    if (size_ > 0) ::munmap(address_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::span<const std::byte> bytes() const override {
    return {static_cast<const std::byte*>(address_), size_};
  }

 private:
  void* address_;
  std::size_t size_;
};

class PosixFile final : public File {
 public:
  PosixFile(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    const DirectPart part = DirectPart::of(offset, bytes.size());
    if (part.size == 0) return read_cached(offset, bytes);
    NETML_TRY(const std::size_t before, read_cached(offset, bytes.first(part.begin)));
    if (before < part.begin) return before;
    const ssize_t count = [&] {
      const std::lock_guard lock(direct_mutex_);
      return direct_.read(descriptor_.get(), offset + part.begin,
                          bytes.subspan(part.begin, part.size));
    }();
    if (count < 0) return system_error("read", path_);
    const std::size_t done = part.begin + static_cast<std::size_t>(count);
    NETML_TRY(const std::size_t rest, read_cached(offset + done, bytes.subspan(done)));
    return done + rest;
  }

  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const DirectPart part = DirectPart::of(offset, bytes.size());
    if (part.size == 0) return write_cached(offset, bytes);
    NETML_TRY_VOID(write_cached(offset, bytes.first(part.begin)));
    const ssize_t count =
        direct_.write(descriptor_.get(), offset + part.begin, bytes.subspan(part.begin, part.size));
    if (count < 0) return system_error("write", path_);
    const std::size_t done = part.begin + static_cast<std::size_t>(count);
    return write_cached(offset + done, bytes.subspan(done));
  }

  Status reserve(std::uint64_t bytes) override {
    const auto take = [&] {
      return ::fallocate(descriptor_.get(), 0, 0, static_cast<off_t>(bytes));
    };
    if (uninterrupted(take) == 0) return {};
    if (errno == EOPNOTSUPP) return File::reserve(bytes);
    return system_error("reserve", path_);
  }

  Status truncate(std::uint64_t size) override {
    if (uninterrupted([&] { return ::ftruncate(descriptor_.get(), static_cast<off_t>(size)); }) < 0)
      return system_error("truncate", path_);
    return {};
  }

  Result<std::uint64_t> size() override {
    struct stat status;
    if (::fstat(descriptor_.get(), &status) < 0) return system_error("stat", path_);
    return static_cast<std::uint64_t>(status.st_size);
  }

  Result<std::shared_ptr<const Mapping>> map() override {
    NETML_TRY(const std::uint64_t bytes, size());
    void* address = nullptr;
    if (bytes > 0) address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor_.get(), 0);
    if (address == MAP_FAILED) return system_error("map", path_);
    return std::shared_ptr<const Mapping>(std::make_shared<MappedFile>(address, bytes));
  }

  // A sync that a signal interrupted has failed: whether pages were written is not known.
  Status sync_data() override {
    if (::fdatasync(descriptor_.get()) < 0) return sync_error("fdatasync", path_);
    return {};
  }
  Status sync() override {
    if (::fsync(descriptor_.get()) < 0) return sync_error("fsync", path_);
    return {};
  }
  const std::string& path() const override { return path_; }

 private:
  Result<std::size_t> read_cached(std::uint64_t offset, std::span<std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = uninterrupted([&] {
        return ::pread(descriptor_.get(), bytes.data() + done, bytes.size() - done,
                       static_cast<off_t>(offset + done));
      });
      if (count < 0) return system_error("read", path_);
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  Status write_cached(std::uint64_t offset, std::span<const std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = uninterrupted([&] {
        return ::pwrite(descriptor_.get(), bytes.data() + done, bytes.size() - done,
                        static_cast<off_t>(offset + done));
      });
      if (count < 0) return system_error("write", path_);
      done += static_cast<std::size_t>(count);
    }
    return {};
  }

  Descriptor descriptor_;
  std::string path_;
  std::mutex direct_mutex_;  // of those who read
  DirectTransfer direct_;
};

class PosixLock final : public FileLock {
 public:
  PosixLock(Descriptor descriptor, std::string path)
      : file_(std::move(descriptor), std::move(path)) {}
  Status describe(std::string_view holder) override {
    NETML_TRY_VOID(file_.truncate(0));
    return file_.write(0, std::as_bytes(std::span(holder)));
  }

 private:
  PosixFile file_;  // closing it releases the lock
};

int flags_of(OpenMode mode) {
  switch (mode) {
    case OpenMode::read:
      return O_RDONLY;
    case OpenMode::write:
      return O_RDWR;
    case OpenMode::create_new:
      return O_RDWR | O_CREAT | O_EXCL;
    case OpenMode::create_empty:
      return O_RDWR | O_CREAT | O_TRUNC;
  }
  NETML_ASSERT(false);
}

constexpr int kSafeFlags = O_CLOEXEC | O_NOFOLLOW;
constexpr mode_t kFileMode = S_IRUSR | S_IWUSR;
constexpr mode_t kDirectoryMode = S_IRWXU;

// Names are made by this program; one that leads elsewhere is a defect.
std::string checked(std::string_view name) {
  NETML_ASSERT(!name.empty() && name.find('/') == std::string_view::npos);
  NETML_ASSERT(name != "." && name != "..");
  return std::string(name);
}

bool is_network_file_system(long type) {
  constexpr unsigned long kNfs = 0x6969, kSmb = 0x517b, kSmb2 = 0xfe534d42, kCifs = 0xff534d42,
                          kCeph = 0x00c36400, kNinep = 0x01021997;
  const auto kind = static_cast<unsigned long>(type) & 0xffffffff;
  return kind == kNfs || kind == kSmb || kind == kSmb2 || kind == kCifs || kind == kCeph ||
         kind == kNinep;
}

}  // namespace

Result<std::unique_ptr<PosixStorage>> PosixStorage::open_path(const std::string& path) {
  const int descriptor =
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor < 0) return system_error("open", path);
  return std::unique_ptr<PosixStorage>(new PosixStorage(descriptor, path));
}

PosixStorage::~PosixStorage() {
  ::close(descriptor_);
}

std::string PosixStorage::path_of(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

Result<std::unique_ptr<File>> PosixStorage::open(std::string_view name, OpenMode mode) {
  const int descriptor = uninterrupted([&] {
    return ::openat(descriptor_, checked(name).c_str(), flags_of(mode) | kSafeFlags, kFileMode);
  });
  if (descriptor < 0) return system_error("open", path_of(name));
  return std::make_unique<PosixFile>(Descriptor(descriptor), path_of(name));
}

Result<std::unique_ptr<Storage>> PosixStorage::open_directory(std::string_view name) {
  const int descriptor = uninterrupted([&] {
    return ::openat(descriptor_, checked(name).c_str(), O_RDONLY | O_DIRECTORY | kSafeFlags);
  });
  if (descriptor < 0) return system_error("open", path_of(name));
  return std::unique_ptr<Storage>(new PosixStorage(descriptor, path_of(name)));
}

Result<std::unique_ptr<Storage>> PosixStorage::open_elsewhere(const std::string& path) {
  return open_path(path);
}

Status PosixStorage::make_directory(std::string_view name) {
  if (::mkdirat(descriptor_, checked(name).c_str(), kDirectoryMode) < 0)
    return system_error("mkdir", path_of(name));
  return {};
}

Status PosixStorage::rename(std::string_view from, std::string_view to) {
  return move_to(from, *this, to);
}

Status PosixStorage::move_to(std::string_view from, Storage& target, std::string_view to) {
  const auto& directory = static_cast<PosixStorage&>(target);
  if (::renameat(descriptor_, checked(from).c_str(), directory.descriptor_, checked(to).c_str()) <
      0)
    return system_error("rename", path_of(from));
  return {};
}

Status PosixStorage::unlink(std::string_view name) {
  if (::unlinkat(descriptor_, checked(name).c_str(), 0) < 0)
    return system_error("unlink", path_of(name));
  return {};
}

Result<std::vector<DirectoryEntry>> PosixStorage::list() {
  const int copy =
      uninterrupted([&] { return ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (copy < 0) return system_error("open", path_);
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::fdopendir(copy), &::closedir);
  if (directory == nullptr) {
    auto failed = system_error("list", path_);  // before close() may set errno
    ::close(copy);
    return failed;
  }
  std::vector<DirectoryEntry> entries;
  errno = 0;
  while (const dirent* entry = ::readdir(directory.get())) {  // NOLINT: no other thread has it
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat status;
    if (::fstatat(descriptor_, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
      if (errno != ENOENT) return system_error("stat", path_of(name));
      errno = 0;
      continue;  // renamed or deleted since its name was read
    }
    entries.push_back({std::string(name), S_ISDIR(status.st_mode)});
  }
  if (errno != 0) return system_error("list", path_);
  std::ranges::sort(entries, {}, &DirectoryEntry::name);
  return entries;
}

Status PosixStorage::sync() {
  if (::fsync(descriptor_) < 0) return sync_error("fsync", path_);
  return {};
}

Result<Space> PosixStorage::space() {
  struct statvfs volume;
  struct statfs kind;
  if (::fstatvfs(descriptor_, &volume) < 0 || ::fstatfs(descriptor_, &kind) < 0)
    return system_error("statfs", path_);
  return Space{std::uint64_t{volume.f_bavail} * volume.f_frsize,
               std::uint64_t{volume.f_blocks} * volume.f_frsize,
               is_network_file_system(static_cast<long>(kind.f_type))};
}

Result<std::unique_ptr<FileLock>> PosixStorage::lock(std::string_view name) {
  return lock_with(name, O_RDWR | O_CREAT, LOCK_EX);
}

Result<std::unique_ptr<FileLock>> PosixStorage::lock_for_reading(std::string_view name) {
  return lock_with(name, O_RDONLY, LOCK_SH);
}

Result<std::unique_ptr<FileLock>> PosixStorage::lock_with(std::string_view name, int flags,
                                                          int operation) {
  Descriptor descriptor(uninterrupted(
      [&] { return ::openat(descriptor_, checked(name).c_str(), flags | kSafeFlags, kFileMode); }));
  if (descriptor.get() < 0) return system_error("open", path_of(name));
  if (uninterrupted([&] { return ::flock(descriptor.get(), operation | LOCK_NB); }) == 0)
    return std::make_unique<PosixLock>(std::move(descriptor), path_of(name));
  if (errno != EWOULDBLOCK) return system_error("lock", path_of(name));
  PosixFile file(std::move(descriptor), path_of(name));
  std::string holder(256, '\0');
  NETML_TRY(const std::size_t count, file.read(0, std::as_writable_bytes(std::span(holder))));
  holder.resize(std::min(count, holder.find('\n')));
  return fail(Errc::conflict, fmt::format("{} is in use by {}", path_, holder));
}

Status PosixStorage::check_private() {
  struct stat status;
  if (::fstat(descriptor_, &status) < 0) return system_error("stat", path_);
  if (status.st_uid != ::geteuid())
    return fail(Errc::denied, fmt::format("{} belongs to user {}, but this process runs as user {}",
                                          path_, status.st_uid, ::geteuid()));
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fail(Errc::denied,
                fmt::format("{} can be written by group or others (mode {:04o}); run: chmod 700 {}",
                            path_, status.st_mode & 07777, path_));
  return {};
}

Status PosixStorage::check_secret(std::string_view name) {
  struct stat status;
  if (::fstatat(descriptor_, checked(name).c_str(), &status, AT_SYMLINK_NOFOLLOW) < 0)
    return system_error("stat", path_of(name));
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) == 0) return {};
  return fail(Errc::denied,
              fmt::format("{} can be read by group or others (mode {:04o}); run: chmod 600 {}",
                          path_of(name), status.st_mode & 07777, path_of(name)));
}

}  // namespace netml::wal
