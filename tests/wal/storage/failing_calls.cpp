#include "tests/wal/storage/failing_calls.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>

namespace netml::wal::test {

namespace {
thread_local FailingCalls* current = nullptr;

// What would have been called without this file.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::optional<CallOutcome> asked(const char* name) {
  return current == nullptr ? std::nullopt : current->next(name);
}

// Whether the call fails, with errno set.
bool fails(const char* name) {
  const auto outcome = asked(name);
  if (!outcome || outcome->error == 0) return false;
  errno = outcome->error;
  return true;
}

// How many bytes to move; -1 with errno set when the call fails.
ssize_t transfer(const char* name, std::size_t count) {
  const auto outcome = asked(name);
  if (!outcome) return static_cast<ssize_t>(count);
  if (outcome->error == 0) return static_cast<ssize_t>(std::max<std::size_t>(count / 2, 1));
  errno = outcome->error;
  return -1;
}
}  // namespace

FailingCalls::FailingCalls(Decide decide) : decide_(std::move(decide)) {
  current = this;
}

FailingCalls::~FailingCalls() {
  current = nullptr;
}

std::optional<CallOutcome> FailingCalls::next(std::string_view name) {
  const SystemCall call{calls_++, name};
  return decide_ ? decide_(call) : std::nullopt;
}

}  // namespace netml::wal::test

// ---- in the place of the C library's ----

namespace calls = netml::wal::test;

extern "C" {

int openat(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (calls::fails("openat")) return -1;
  return calls::next<int(int, const char*, int, ...)>("openat")(directory, path, flags, mode);
}

ssize_t pread(int descriptor, void* bytes, size_t count, off_t offset) {
  const ssize_t moved = calls::transfer("pread", count);
  if (moved < 0) return moved;
  return calls::next<ssize_t(int, void*, size_t, off_t)>("pread")(
      descriptor, bytes, static_cast<size_t>(moved), offset);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  const ssize_t moved = calls::transfer("pwrite", count);
  if (moved < 0) return moved;
  return calls::next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(
      descriptor, bytes, static_cast<size_t>(moved), offset);
}

int ftruncate(int descriptor, off_t length) noexcept {
  if (calls::fails("ftruncate")) return -1;
  return calls::next<int(int, off_t)>("ftruncate")(descriptor, length);
}

int mkdirat(int directory, const char* path, mode_t mode) noexcept {
  if (calls::fails("mkdirat")) return -1;
  return calls::next<int(int, const char*, mode_t)>("mkdirat")(directory, path, mode);
}

int renameat(int directory, const char* path, int to_directory, const char* to_path) noexcept {
  if (calls::fails("renameat")) return -1;
  return calls::next<int(int, const char*, int, const char*)>("renameat")(directory, path,
                                                                          to_directory, to_path);
}

int unlinkat(int directory, const char* path, int flags) noexcept {
  if (calls::fails("unlinkat")) return -1;
  return calls::next<int(int, const char*, int)>("unlinkat")(directory, path, flags);
}

int fsync(int descriptor) {
  if (calls::fails("fsync")) return -1;
  if (calls::current != nullptr) return 0;
  return calls::next<int(int)>("fsync")(descriptor);
}

int fdatasync(int descriptor) {
  if (calls::fails("fdatasync")) return -1;
  if (calls::current != nullptr) return 0;
  return calls::next<int(int)>("fdatasync")(descriptor);
}

DIR* fdopendir(int descriptor) {
  if (calls::fails("fdopendir")) return nullptr;
  return calls::next<DIR*(int)>("fdopendir")(descriptor);
}

// Done all the same: nobody closes again what could not be closed.
int close(int descriptor) {
  const int closed = calls::next<int(int)>("close")(descriptor);
  return calls::fails("close") ? -1 : closed;
}

}  // extern "C"
