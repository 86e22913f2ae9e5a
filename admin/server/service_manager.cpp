#include "admin/server/service_manager.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/base/texts.hpp"
#include "net/http/unix_address.hpp"

namespace netml::admin {

namespace {

constexpr std::uint64_t kSocketsMax = 64;

tl::unexpected<Error> unreadable(std::string_view name, std::string_view value) {
  return fail(Errc::invalid_input,
              fmt::format("{}={} of the service manager is not a number that fits", name, value));
}

// Whether a variable of this name, if there is one, speaks of this process.
Result<bool> means_this_process(const ServiceManager::Variables& variables, const char* name) {
  const std::optional<std::string> text = variables(name);
  if (!text || text->empty()) return true;
  const auto pid = parse_integer<std::uint64_t>(*text);
  if (!pid) return unreadable(name, *text);
  return *pid == static_cast<std::uint64_t>(::getpid());
}

// Nothing is owned until all are known to be there, so that a wrong number closes nothing of ours.
Result<std::vector<HeldSocket>> held_sockets(const ServiceManager::Variables& variables,
                                             int first) {
  const std::optional<std::string> text = variables("LISTEN_FDS");
  if (!text || text->empty() || !variables("LISTEN_PID")) return std::vector<HeldSocket>();
  NETML_TRY(const bool ours, means_this_process(variables, "LISTEN_PID"));
  if (!ours) return std::vector<HeldSocket>();
  const auto count = parse_integer<std::uint64_t>(*text);
  if (!count || *count > kSocketsMax) return unreadable("LISTEN_FDS", *text);
  const std::string all_names = variables("LISTEN_FDNAMES").value_or("");
  for (std::uint64_t i = 0; i < *count; ++i) {
    const int descriptor = first + static_cast<int>(i);
    if (::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
      return fail(Errc::invalid_input,
                  fmt::format("LISTEN_FDS={}: descriptor {} is not open", *text, descriptor));
  }
  std::vector<HeldSocket> held;
  held.reserve(*count);
  std::string_view names = all_names;
  for (std::uint64_t i = 0; i < *count; ++i)
    held.push_back(
        {net::UniqueFd(first + static_cast<int>(i)), std::string(take_until(names, ':'))});
  return held;
}

// "@name" is a name of no file, which the system writes with a zero byte instead.
Status send_to(const std::string& to, std::string_view notice) {
  const net::UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return fail(Errc::io_error, error_text(errno));
  net::UnixAddress address;
  socklen_t size = address.size();
  if (to.starts_with('@')) {
    if (to.size() >= sizeof address.value.sun_path)
      return fail(Errc::invalid_input, to + ": socket name too long");
    address.value.sun_family = AF_UNIX;
    std::memcpy(address.value.sun_path + 1, to.data() + 1, to.size() - 1);
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + to.size());
  } else {
    NETML_TRY(address, net::unix_address(to));
  }
  const ssize_t sent =
      ::sendto(socket.get(), notice.data(), notice.size(), MSG_NOSIGNAL, address.get(), size);
  if (sent != static_cast<ssize_t>(notice.size()))
    return fail(Errc::io_error, fmt::format("{}: {}", to, error_text(errno)));
  return {};
}

}  // namespace

Result<ServiceManager> ServiceManager::from(const Variables& variables, int first_descriptor) {
  ServiceManager manager;
  manager.address_ = variables("NOTIFY_SOCKET").value_or("");
  NETML_TRY(manager.sockets_, held_sockets(variables, first_descriptor));
  if (const auto text = variables("WATCHDOG_USEC"); text && !text->empty()) {
    NETML_TRY(const bool ours, means_this_process(variables, "WATCHDOG_PID"));
    const auto microseconds = parse_integer<std::uint64_t>(*text);
    constexpr auto kMost =
        static_cast<std::uint64_t>(std::chrono::microseconds(std::chrono::hours(24 * 365)).count());
    if (!microseconds || *microseconds == 0 || *microseconds > kMost)
      return unreadable("WATCHDOG_USEC", *text);
    if (ours) manager.watchdog_ = std::chrono::microseconds(*microseconds);
  }
  return manager;
}

Status ServiceManager::tell(std::string_view notice) const {
  if (address_.empty()) return {};
  return send_to(address_, notice);
}

Status ServiceManager::ready(std::string_view status) const {
  return tell(fmt::format("READY=1\nSTATUS={}\n", status));
}

Status ServiceManager::reloading(std::chrono::nanoseconds monotonic) const {
  const auto microseconds = std::chrono::floor<std::chrono::microseconds>(monotonic).count();
  return tell(fmt::format("RELOADING=1\nMONOTONIC_USEC={}\n", microseconds));
}

Status ServiceManager::stopping() const {
  return tell("STOPPING=1\nSTATUS=finishing requests, then taking a checkpoint\n");
}

Status ServiceManager::alive() const {
  return tell("WATCHDOG=1\n");
}

}  // namespace netml::admin
