#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

#include "admin/cli/client/environment.hpp"
#include "admin/cli/client/socket_control.hpp"
#include "admin/cli/client/terminal.hpp"

namespace netml::admin::cli {

namespace {

Status write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    // Whoever reads has seen enough, as `head` has: nothing to complain of.
    if (written < 0 && errno == EPIPE) return fail(Errc::io_error, "");
    if (written < 0)
      return fail(Errc::io_error,
                  fmt::format("cannot write to standard output: {}", error_text(errno)));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::optional<std::string> variable(const std::string& name) {
  // Called before any thread is started, and nothing here sets variables.
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

Environment system_environment(const Clock& clock) {
  Environment environment;
  environment.out = [](std::string_view text) { return write_all(STDOUT_FILENO, text); };
  // There is nowhere left to complain to when standard error cannot be written.
  environment.err = [](std::string_view text) {
    static_cast<void>(write_all(STDERR_FILENO, text).has_value());
  };
  environment.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  environment.in_line = read_stdin_line;
  environment.ask_secret = ask_secret;
  environment.variable = variable;
  environment.clock = &clock;
  environment.pause = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
  environment.connect = [&clock](const GlobalOptions& options) {
    return connect_to_server(options, clock);
  };
  return environment;
}

}  // namespace netml::admin::cli
