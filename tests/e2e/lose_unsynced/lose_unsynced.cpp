// A library for LD_PRELOAD that lets a test revert what a process did not sync, as a power cut
// would: before the process changes a file or a name below a directory, it writes down what was
// there (undo_log.hpp). The kernel keeps the log when the process is killed.
//
// Direct writes count as unsynced like all others. Only files are watched: the process makes no
// directories, and its sockets hold nothing. Thread: any.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tests/e2e/lose_unsynced/undo_log.hpp"

namespace {

using netml::e2e::undo::Record;
using netml::e2e::undo::What;

// The C library's function behind one of ours.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int next_openat(int directory, const char* path, int flags, mode_t mode) {
  static auto* const function = next<int(int, const char*, int, ...)>("openat");
  return function(directory, path, flags, mode);
}

std::string path_of(int descriptor) {
  std::array<char, 4096> path;
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

// Failure: ends the process, because a test that cannot revert proves nothing.
void must(bool done) {
  if (!done) std::abort();
}

class Log {
 public:
  static Log& instance() {
    static Log log;
    return log;
  }

  bool watches(int descriptor) const {
    if (descriptor_ < 0 || descriptor < 0) return false;
    const std::string path = path_of(descriptor);
    return path == data_ || path.starts_with(data_ + "/");
  }

  void note(const Record& record, std::string_view name = {}, std::string_view target = {},
            std::string_view bytes = {}) const {
    Record full = record;
    full.name_bytes = static_cast<std::uint32_t>(name.size());
    full.target_bytes = static_cast<std::uint32_t>(target.size());
    full.bytes = static_cast<std::uint32_t>(bytes.size());
    std::string text(reinterpret_cast<const char*>(&full), sizeof full);
    text.append(name).append(target).append(bytes);
    static auto* const write = next<ssize_t(int, const void*, size_t)>("write");
    must(write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

  std::uint64_t size() const {
    struct stat status;
    must(::fstat(descriptor_, &status) == 0);
    return static_cast<std::uint64_t>(status.st_size);
  }

  // The second name of a file.
  void keep(int directory, const char* name, std::uint64_t inode) const {
    const int flags = directory == AT_FDCWD ? AT_SYMLINK_FOLLOW : 0;
    const bool kept = ::linkat(directory, name, folder_, std::to_string(inode).c_str(), flags) == 0;
    must(kept || errno == EEXIST);
  }
  void keep(int descriptor, std::uint64_t inode) const {
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    keep(AT_FDCWD, link.c_str(), inode);
  }

 private:
  Log() {
    const char* data = std::getenv(netml::e2e::undo::kDataVariable);
    const char* folder = std::getenv(netml::e2e::undo::kLogVariable);
    if (data == nullptr || folder == nullptr) return;
    data_ = data;
    folder_ = next_openat(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    must(folder_ >= 0);
    descriptor_ = next_openat(folder_, netml::e2e::undo::kLogName,
                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    must(descriptor_ >= 0);
  }

  std::string data_;
  int folder_ = -1;
  int descriptor_ = -1;
};

struct stat status_of(int descriptor) {
  struct stat status{};
  must(::fstat(descriptor, &status) == 0);
  return status;
}

std::uint64_t inode_of(int descriptor) {
  return status_of(descriptor).st_ino;
}

// The inode that a name has; 0 when there is none, or it is no file.
std::uint64_t inode_at(int directory, const char* name) {
  struct stat status;
  const bool found = ::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
  return found && S_ISREG(status.st_mode) ? status.st_ino : 0;
}

// Before `bytes` bytes at `offset` change, or the length does.
void note_bytes(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
  if (!Log::instance().watches(descriptor)) return;
  const struct stat status = status_of(descriptor);
  if (!S_ISREG(status.st_mode)) return;
  Log::instance().keep(descriptor, status.st_ino);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::string before(std::min(bytes, size - std::min(offset, size)), '\0');
  if (!before.empty()) {  // by a descriptor of its own: this one may be direct, or for writing only
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const int reader = next_openat(AT_FDCWD, link.c_str(), O_RDONLY | O_CLOEXEC, 0);
    must(::pread(reader, before.data(), before.size(), static_cast<off_t>(offset)) ==
         static_cast<ssize_t>(before.size()));
    ::close(reader);
  }
  Record record;
  record.file = status.st_ino;
  record.offset = offset;
  record.size = size;
  Log::instance().note(record, {}, {}, before);
}

void note_all_bytes(int descriptor, std::uint64_t from) {
  note_bytes(descriptor, from, ~std::uint64_t{0} - from);
}

// A directory and a name in it, for the calls that take a path.
class Place {
 public:
  Place(int directory, const char* path) {
    const std::string_view whole(path);
    const std::size_t slash = whole.rfind('/');
    name_ = slash == std::string_view::npos ? whole : whole.substr(slash + 1);
    const std::string parent(slash == std::string_view::npos ? "." : whole.substr(0, slash + 1));
    descriptor_ = next_openat(directory, parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    watched_ = Log::instance().watches(descriptor_);
  }
  ~Place() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  bool watched() const { return watched_; }
  const std::string& name() const { return name_; }
  std::uint64_t directory() const { return inode_of(descriptor_); }
  std::uint64_t inode() const { return inode_at(descriptor_, name_.c_str()); }
  // Its inode, with a second name so that it can come back.
  std::uint64_t kept() const {
    const std::uint64_t found = inode();
    if (found != 0) Log::instance().keep(descriptor_, name_.c_str(), found);
    return found;
  }

 private:
  std::string name_;
  int descriptor_ = -1;
  bool watched_ = false;
};

int open_watched(int directory, const char* path, int flags, mode_t mode) {
  if ((flags & (O_CREAT | O_TRUNC)) == 0) return next_openat(directory, path, flags, mode);
  const Place place(directory, path);
  if (!place.watched()) return next_openat(directory, path, flags, mode);
  const bool existed = place.inode() != 0;
  const int opened = next_openat(directory, path, flags & ~O_TRUNC, mode);
  if (opened < 0) return opened;
  if (existed && (flags & O_TRUNC) != 0) must(::ftruncate(opened, 0) == 0);  // ours
  if (existed) return opened;
  Record record;
  record.what = What::create;
  record.file = inode_of(opened);
  record.directory = place.directory();
  Log::instance().keep(opened, record.file);
  Log::instance().note(record, place.name());
  return opened;
}

void note_unlink(int directory, const char* path) {
  const Place place(directory, path);
  if (!place.watched()) return;
  Record record;
  record.what = What::unlink;
  record.file = place.kept();
  record.directory = place.directory();
  if (record.file != 0) Log::instance().note(record, place.name());
}

void note_rename(int directory, const char* path, int to_directory, const char* to_path) {
  const Place from(directory, path);
  const Place to(to_directory, to_path);
  if (!from.watched() || !to.watched() || from.inode() == 0) return;
  Record record;
  record.what = What::rename;
  record.file = from.inode();
  record.directory = from.directory();
  record.target_directory = to.directory();
  record.replaced = to.kept();
  Log::instance().note(record, from.name(), to.name());
}

int sync_watched(int descriptor, const char* name) {
  const bool watched = Log::instance().watches(descriptor);
  const std::uint64_t position = watched ? Log::instance().size() : 0;
  const int result = next<int(int)>(name)(descriptor);
  if (!watched || result != 0) return result;
  Record record;
  record.what = What::synced;
  record.file = inode_of(descriptor);
  record.offset = position;
  Log::instance().note(record);
  return result;
}

off_t place_of_next_write(int descriptor) {
  if ((::fcntl(descriptor, F_GETFL) & O_APPEND) != 0) return status_of(descriptor).st_size;
  return ::lseek(descriptor, 0, SEEK_CUR);
}

}  // namespace

// ---- in the place of the C library's ----

extern "C" {

int openat(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_watched(directory, path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_watched(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_watched(AT_FDCWD, path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  if (Log::instance().watches(descriptor))
    note_bytes(descriptor, static_cast<std::uint64_t>(place_of_next_write(descriptor)), count);
  return next<ssize_t(int, const void*, size_t)>("write")(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  note_bytes(descriptor, static_cast<std::uint64_t>(offset), count);
  return next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) {
  note_all_bytes(descriptor, static_cast<std::uint64_t>(length));
  return next<int(int, off_t)>("ftruncate")(descriptor, length);
}

int unlinkat(int directory, const char* path, int flags) {
  note_unlink(directory, path);
  return next<int(int, const char*, int)>("unlinkat")(directory, path, flags);
}

int unlink(const char* path) {
  note_unlink(AT_FDCWD, path);
  return next<int(const char*)>("unlink")(path);
}

int renameat(int directory, const char* path, int to_directory, const char* to_path) {
  note_rename(directory, path, to_directory, to_path);
  return next<int(int, const char*, int, const char*)>("renameat")(directory, path, to_directory,
                                                                   to_path);
}

int renameat2(int directory, const char* path, int to_directory, const char* to_path,
              unsigned flags) {
  note_rename(directory, path, to_directory, to_path);
  return next<int(int, const char*, int, const char*, unsigned)>("renameat2")(
      directory, path, to_directory, to_path, flags);
}

int rename(const char* path, const char* to_path) {
  note_rename(AT_FDCWD, path, AT_FDCWD, to_path);
  return next<int(const char*, const char*)>("rename")(path, to_path);
}

int fsync(int descriptor) {
  return sync_watched(descriptor, "fsync");
}

int fdatasync(int descriptor) {
  return sync_watched(descriptor, "fdatasync");
}

}  // extern "C"
