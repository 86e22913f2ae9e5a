#include "admin/services/spool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "engine/sha256.hpp"

namespace netml::admin {

namespace {
Status write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      return fail(errno == ENOSPC || errno == EDQUOT ? Errc::unavailable : Errc::io_error,
                  fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}
}  // namespace

Result<std::unique_ptr<Spool>> Spool::create(const std::string& directory, Random& random) {
  std::uint64_t number = 0;
  random.fill(std::as_writable_bytes(std::span(&number, 1)));
  std::string name = fmt::format("upload-{:016x}", number);
  std::string path = directory + "/tmp/" + name;
  net::UniqueFd file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file)
    return fail(Errc::io_error, fmt::format("cannot create {}: {}", path, std::strerror(errno)));
  return std::unique_ptr<Spool>(new Spool(std::move(path), std::move(name), std::move(file)));
}

Spool::Spool(std::string path, std::string name, net::UniqueFd file)
    : path_(std::move(path)), name_(std::move(name)), file_(std::move(file)) {
  thread_ = std::thread([this] { run(); });
}

Spool::~Spool() {
  if (thread_.joinable()) static_cast<void>(finish());
  if (!path_.empty()) ::unlink(path_.c_str());
}

void Spool::write(std::string_view bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_bytes_ < kWaitingBytesMax; });
  waiting_.emplace_back(bytes);
  waiting_bytes_ += bytes.size();
  changed_.notify_all();
}

void Spool::wait_until_written() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_bytes_ == 0; });
}

Status Spool::replay(const std::function<bool(std::span<const std::byte>)>& take) {
  constexpr std::size_t kPieceBytes = 1 << 20;
  wait_until_written();
  std::vector<std::byte> buffer(kPieceBytes);
  off_t offset = 0;
  while (true) {
    const ssize_t got = ::pread(file_.get(), buffer.data(), buffer.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return fail(Errc::io_error, fmt::format("cannot read {}: {}", path_, std::strerror(errno)));
    if (got == 0 || !take(std::span(buffer).first(static_cast<std::size_t>(got)))) return {};
    offset += got;
  }
}

Result<SpooledFile> Spool::finish() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  thread_.join();
  return outcome_;
}

void Spool::run() {
  Sha256Hasher hasher;
  SpooledFile written{name_, {}, 0};
  std::optional<Error> failure;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !waiting_.empty() || closed_; });
    if (waiting_.empty()) break;
    const std::string piece = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    if (!failure) {
      hasher.add(std::as_bytes(std::span(piece)));
      if (Status status = write_all(file_.get(), piece, path_); !status) failure = status.error();
      written.bytes += piece.size();
    }
    lock.lock();
    waiting_bytes_ -= piece.size();
    changed_.notify_all();
  }
  written.hash = hasher.finish();
  if (failure)
    outcome_ = tl::unexpected(*failure);
  else
    outcome_ = written;
}

}  // namespace netml::admin
