#include "net/http/unix_address.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace netml::net {

Result<UnixAddress> unix_address(const std::string& path) {
  UnixAddress address;
  address.value.sun_family = AF_UNIX;
  std::string short_path = path;
  if (path.size() >= sizeof address.value.sun_path) {
    const std::size_t slash = path.rfind('/');
    const std::string directory = slash == path.npos ? "." : path.substr(0, slash + 1);
    address.directory = UniqueFd(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!address.directory)
      return fail(Errc::io_error, fmt::format("{}: {}", directory, error_text(errno)));
    short_path = fmt::format("/proc/self/fd/{}/{}", address.directory.get(),
                             slash == path.npos ? path : path.substr(slash + 1));
    if (short_path.size() >= sizeof address.value.sun_path)
      return fail(Errc::invalid_input, fmt::format("{}: socket name too long", path));
  }
  std::memcpy(address.value.sun_path, short_path.c_str(), short_path.size() + 1);
  return address;
}

}  // namespace netml::net
