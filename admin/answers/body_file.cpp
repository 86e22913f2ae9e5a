#include "admin/answers/body_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "net/http/uri.hpp"

namespace netml::admin::cli {

namespace {

std::string identity_of(const struct stat& status) {
  return fmt::format("{}:{}:{}:", status.st_dev, status.st_ino, status.st_size);
}

struct OpenedFile {
  net::UniqueFd file;
  struct stat status{};
};

// Whatever it is: a name may lead to a pipe, at which a plain open would wait.
std::optional<OpenedFile> open_regular_file(const std::string& path) {
  OpenedFile opened;
  opened.file = net::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!opened.file || ::fstat(opened.file.get(), &opened.status) != 0) return std::nullopt;
  if (S_ISREG(opened.status.st_mode)) return opened;
  errno = EINVAL;
  return std::nullopt;
}

net::FileBody whole(OpenedFile opened) {
  net::FileBody body;
  body.file = std::move(opened.file);
  body.length = static_cast<std::uint64_t>(opened.status.st_size);
  return body;
}

}  // namespace

Result<net::FileBody> open_body_file(const std::string& path) {
  auto opened = open_regular_file(path);
  if (!opened)
    return fail(Errc::io_error, fmt::format("cannot read {}: {}", path, error_text(errno)));
  return whole(std::move(*opened));
}

Result<std::string> name_of_body_file(const std::string& path, const net::FileBody& body) {
  struct stat status{};
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error || ::fstat(body.file.get(), &status) != 0)
    return fail(Errc::io_error, fmt::format("cannot find out where {} is", path));
  return identity_of(status) + net::percent_encode_path(absolute.native());
}

Result<net::FileBody> open_named_body_file(std::string_view name) {
  const auto path = net::percent_decode(name.substr(std::min(name.find('/'), name.size())));
  if (path && !path->empty() && path->find('\0') == std::string::npos) {
    auto opened = open_regular_file(*path);
    if (opened && name.starts_with(identity_of(opened->status) + '/'))
      return whole(std::move(*opened));
  }
  return fail(Errc::not_found, "the file cannot be read here; send its bytes");
}

}  // namespace netml::admin::cli
