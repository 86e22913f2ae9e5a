#include "tests/e2e/support/service.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <utility>

#include "engine/base/result.hpp"

namespace netml::e2e {

namespace {

constexpr int kBacklog = 1024;

// Listens on a free port; where nobody accepts, connections wait.
net::UniqueFd held_socket() {
  net::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  NETML_ASSERT(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
               ::listen(socket.get(), kBacklog) == 0);
  return socket;
}

std::uint16_t port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  NETML_ASSERT(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.sin_port);
}

}  // namespace

Service::Service(const std::filesystem::path& directory, std::string data)
    : directory_(directory),
      data_(std::move(data)),
      notices_(directory / "notify.sock"),
      held_(held_socket()),
      port_(port_of(held_.get())) {}

std::unique_ptr<Process> Service::start(const std::string& program,
                                        const std::vector<std::string>& options,
                                        std::vector<std::string> variables) {
  log_ = directory_ / fmt::format("service-{}.log", ++started_);
  variables.insert(variables.end(), {"LISTEN_FDS=1", "LISTEN_FDNAMES=netml.socket",
                                     "NOTIFY_SOCKET=" + notices_.path()});
  // The number of the process is known in the process only.
  std::vector<std::string> words{
      "-c", "export LISTEN_PID=$$; exec \"$0\" \"$@\"", program, "serve", "--data", data_};
  words.insert(words.end(), options.begin(), options.end());
  return std::make_unique<Process>("/bin/sh", words, (directory_ / "service.out").string(),
                                   log_.string(), std::move(variables),
                                   std::vector<int>{held_.get()});
}

std::unique_ptr<Process> Service::start_ready(const std::string& program,
                                              const std::vector<std::string>& options) {
  auto process = start(program, options);
  if (!notices_.wait_for("READY=1")) return nullptr;
  return process;
}

}  // namespace netml::e2e
