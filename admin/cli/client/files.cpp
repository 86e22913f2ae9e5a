#include "admin/cli/client/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "codecs/formats/file_format.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::size_t kPieceBytes = 1 << 20;
constexpr mode_t kNewFileMode = 0666;  // less what the user's mask takes away
constexpr mode_t kPrivateFileMode = 0600;
constexpr int kNamesTried = 100;

tl::unexpected<Error> cannot(std::string_view action, const std::string& path) {
  return fail(Errc::io_error, fmt::format("cannot {} {}: {}", action, path, error_text(errno)));
}

class OpenFile final : public codecs::RandomAccessFile {
 public:
  OpenFile(std::string path, net::UniqueFd descriptor, std::uint64_t size)
      : path_(std::move(path)), descriptor_(std::move(descriptor)), size_(size) {}
  std::uint64_t size() const override { return size_; }
  Status read_at(std::uint64_t offset, std::span<std::byte> out) override {
    while (!out.empty()) {
      const ssize_t got =
          ::pread(descriptor_.get(), out.data(), out.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return cannot("read", path_);
      if (got == 0) return fail(Errc::io_error, fmt::format("{} has become shorter", path_));
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
    return {};
  }

 private:
  const std::string path_;
  const net::UniqueFd descriptor_;
  const std::uint64_t size_;
};

// Hands over what can be read, in pieces; stops early when `take` answers false.
Status read_all(int descriptor, const std::string& shown,
                const std::function<bool(std::string_view)>& take) {
  std::string piece(kPieceBytes, '\0');
  while (true) {
    const ssize_t got = ::read(descriptor, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot("read", shown);
    if (got == 0) return {};
    if (!take(std::string_view(piece).substr(0, static_cast<std::size_t>(got)))) return {};
  }
}

Status write_all(int descriptor, const std::string& path, std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::write(descriptor, piece.data(), piece.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot("write", path);
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// The file that a symbolic link stands for, so that renaming replaces that and not the link.
std::string resolve(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

std::string directory_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? std::string(".") : parent.string();
}

std::string name_of_descriptor(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

std::string temporary_name(const std::string& target, int number) {
  return fmt::format("{}.{}-{}.tmp", target, ::getpid(), number);
}

// Makes the rename durable. Some file systems cannot sync directories; the file itself is safe.
void sync_directory_of(const std::string& path) {
  const net::UniqueFd descriptor(
      ::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor) ::fsync(descriptor.get());
}

}  // namespace

Result<InputFile> InputFile::open(const std::string& path) {
  return path == kStandardStream ? put_aside(STDIN_FILENO, false) : open_with_name(path);
}

Result<InputFile> InputFile::open_with_name(const std::string& path) {
  if (path == kStandardStream) return put_aside(STDIN_FILENO, true);
  InputFile file(path, path, std::filesystem::path(path).filename().string());
  NETML_TRY(file.bytes_, readable_file_size(path));
  return file;
}

void InputFile::take_name_away(net::UniqueFd descriptor) {
  const std::string without_name = name_of_descriptor(descriptor.get());
  if (!descriptor || ::access(without_name.c_str(), R_OK) != 0) return;
  ::unlink(path_.c_str());
  path_ = without_name;
  temporary_ = false;
  held_ = std::move(descriptor);
}

// Its format is recognised by its content, since it has no name.
Result<InputFile> InputFile::put_aside(int descriptor, bool keeps_name) {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "netml-input-XXXXXX").string();
  const net::UniqueFd into(::mkstemp(path.data()));
  if (!into) return cannot("write", path);
  InputFile file(path, "standard input", "standard-input.xml");
  file.temporary_ = true;
  if (!keeps_name) file.take_name_away(net::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
  Status written;
  NETML_TRY_VOID(read_all(descriptor, file.shown_, [&](std::string_view piece) {
    if (file.bytes_ == 0)
      file.name_ = fmt::format("standard-input{}", codecs::format_of_bytes(piece).ending());
    file.bytes_ += piece.size();
    written = write_all(into.get(), path, piece);
    return written.has_value();
  }));
  NETML_TRY_VOID(written);
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      shown_(std::move(other.shown_)),
      name_(std::move(other.name_)),
      bytes_(other.bytes_),
      temporary_(std::exchange(other.temporary_, false)),
      held_(std::move(other.held_)) {}

InputFile::~InputFile() {
  if (temporary_) ::unlink(path_.c_str());
}

Result<std::uint64_t> readable_file_size(const std::string& path) {
  struct stat status{};
  const net::UniqueFd descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor || ::fstat(descriptor.get(), &status) != 0) return cannot("read", path);
  if (!S_ISREG(status.st_mode))
    return fail(Errc::io_error, fmt::format("cannot read {}: it is not a regular file", path));
  return static_cast<std::uint64_t>(status.st_size);
}

Result<std::unique_ptr<codecs::RandomAccessFile>> open_random_access(const std::string& path) {
  NETML_TRY(const std::uint64_t bytes, readable_file_size(path));
  net::UniqueFd descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) return cannot("read", path);
  return std::make_unique<OpenFile>(path, std::move(descriptor), bytes);
}

Status read_file(const std::string& path, const std::function<bool(std::string_view)>& take) {
  const net::UniqueFd descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) return cannot("read", path);
  return read_all(descriptor.get(), path, take);
}

Result<std::string> whole_file(const std::string& path) {
  NETML_TRY(const InputFile file, InputFile::open(path));
  std::string content;
  NETML_TRY_VOID(read_file(file.path(), [&](std::string_view piece) {
    content += piece;
    return true;
  }));
  return content;
}

Result<OutputFile> OutputFile::create(const std::string& path, FileReaders readers) {
  const mode_t mode = readers == FileReaders::owner ? kPrivateFileMode : kNewFileMode;
  const std::string target = resolve(path);
  struct stat status{};
  if (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return cannot("write", path);
    return OutputFile(target, "", descriptor);
  }
  if (auto unnamed = create_unnamed(target, mode)) return *std::move(unnamed);
  for (int i = 0; i < kNamesTried; ++i) {
    std::string temporary = temporary_name(target, i);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0) return OutputFile(target, std::move(temporary), descriptor);
    if (errno != EEXIST) break;
  }
  return cannot("write", path);
}

// Nothing where the file system has no such files, or names could not be given later.
std::optional<OutputFile> OutputFile::create_unnamed(const std::string& target, unsigned mode) {
  const int descriptor =
      ::open(directory_of(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (descriptor < 0) return std::nullopt;
  OutputFile file(target, "", descriptor);
  file.unnamed_ = true;
  if (::access(name_of_descriptor(descriptor).c_str(), F_OK) != 0) return std::nullopt;
  return file;
}

bool OutputFile::give_name() {
  for (int i = 0; i < kNamesTried; ++i) {
    std::string temporary = temporary_name(path_, i);
    if (::linkat(AT_FDCWD, name_of_descriptor(descriptor_).c_str(), AT_FDCWD, temporary.c_str(),
                 AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = std::move(temporary);
      return true;
    }
    if (errno != EEXIST) break;
  }
  return false;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      unnamed_(other.unnamed_),
      bytes_(other.bytes_) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

tl::unexpected<Error> OutputFile::failed() const {
  return cannot("write", path_);
}

Status OutputFile::write(std::string_view piece) {
  NETML_TRY_VOID(write_all(descriptor_, path_, piece));
  bytes_ += piece.size();
  return {};
}

Status OutputFile::commit() {
  const bool directly = temporary_.empty() && !unnamed_;
  // Devices and pipes have nothing to sync.
  if (!directly && ::fsync(descriptor_) != 0) return failed();
  if (unnamed_ && !give_name()) return failed();
  if (::close(std::exchange(descriptor_, -1)) != 0) return failed();
  if (directly) return {};
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failed();
  temporary_.clear();
  sync_directory_of(path_);
  return {};
}

}  // namespace netml::admin::cli
