#include "net/src/file_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace netml::net {
namespace {

constexpr std::size_t kReadBytes = 256 * 1024;

class FileSource : public BodySource {
 public:
  explicit FileSource(FileBody body) : body_(std::move(body)), buffer_(kReadBytes) {}

  Result<std::string_view> next() override {
    if (body_.length == 0) return std::string_view();
    const std::size_t wanted = std::min<std::uint64_t>(body_.length, buffer_.size());
    ssize_t got = -1;
    do {
      got = ::pread(body_.file.get(), buffer_.data(), wanted, static_cast<off_t>(body_.offset));
    } while (got < 0 && errno == EINTR);
    if (got < 0) return fail(Errc::io_error, fmt::format("read: {}", std::strerror(errno)));
    if (got == 0) return fail(Errc::io_error, "the file is shorter than promised");
    const auto bytes = static_cast<std::size_t>(got);
    body_.offset += bytes;
    body_.length -= bytes;
    return std::string_view(buffer_.data(), bytes);
  }

 private:
  FileBody body_;
  std::vector<char> buffer_;
};

}  // namespace

std::unique_ptr<BodySource> file_source(FileBody body) {
  return std::make_unique<FileSource>(std::move(body));
}

}  // namespace netml::net
