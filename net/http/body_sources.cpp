#include "net/http/body_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

namespace netml::net {
namespace {

constexpr std::size_t kReadBytes = 256 * 1024;

class FileSource : public BodySource {
 public:
  explicit FileSource(FileBody body) : body_(std::move(body)), buffers_{buffer(), buffer()} {}

  Result<std::string_view> next() override {
    if (body_.length == 0) return std::string_view();
    newest_ ^= 1;
    std::vector<char>& into = buffers_[newest_];
    const std::size_t wanted = std::min<std::uint64_t>(body_.length, into.size());
    ssize_t got = -1;
    do {
      got = ::pread(body_.file.get(), into.data(), wanted, static_cast<off_t>(body_.offset));
    } while (got < 0 && errno == EINTR);
    if (got < 0) return fail(Errc::io_error, fmt::format("read: {}", error_text(errno)));
    if (got == 0) return fail(Errc::io_error, "the file is shorter than promised");
    const auto bytes = static_cast<std::size_t>(got);
    body_.offset += bytes;
    body_.length -= bytes;
    return std::string_view(into.data(), bytes);
  }

 private:
  static std::vector<char> buffer() { return std::vector<char>(kReadBytes); }

  FileBody body_;
  std::array<std::vector<char>, 2> buffers_;  // of the last two calls
  std::size_t newest_ = 0;
};

}  // namespace

std::unique_ptr<BodySource> file_source(FileBody body) {
  return std::make_unique<FileSource>(std::move(body));
}

}  // namespace netml::net
