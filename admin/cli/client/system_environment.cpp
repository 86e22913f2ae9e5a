#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

#include "admin/cli/client/environment.hpp"
#include "admin/cli/client/socket_control.hpp"
#include "net/http/unique_fd.hpp"

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

constexpr std::size_t kLineBytesMax = 1024;

// Byte by byte, so that nothing after the line is taken from who reads next. `interrupt` ends it;
// 0: nothing does.
Result<std::string> read_line(int descriptor, char interrupt) {
  std::string line;
  char c = 0;
  while (line.size() <= kLineBytesMax) {
    const ssize_t got = ::read(descriptor, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Errc::io_error, fmt::format("cannot read: {}", error_text(errno)));
    if (got == 0 && line.empty()) return fail(Errc::invalid_input, "there is no line to read");
    if (got == 0 || c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (interrupt != 0 && c == interrupt)
      return fail(Errc::invalid_input, "interrupted; nothing was changed");
    line += c;
  }
  return fail(Errc::invalid_input, fmt::format("the line is longer than {} bytes", kLineBytesMax));
}

// A terminal that shows nothing of what is typed, until the end of the scope. Ctrl-C ends the line
// instead of the process, which would leave the terminal like that.
class Unseen {
 public:
  explicit Unseen(int terminal) : terminal_(terminal) {
    known_ = ::tcgetattr(terminal, &before_) == 0;
    if (!known_) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    interrupt_ = static_cast<char>(before_.c_cc[VINTR]);
    silent.c_cc[VEOL] = before_.c_cc[VINTR];
    ::tcsetattr(terminal, TCSAFLUSH, &silent);
  }
  ~Unseen() {
    if (known_) ::tcsetattr(terminal_, TCSAFLUSH, &before_);
  }
  char interrupt() const { return interrupt_; }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

 private:
  const int terminal_;
  termios before_{};
  bool known_ = false;
  char interrupt_ = 0;
};

void show(int terminal, std::string_view text) {
  // A prompt that cannot be shown shows itself when nothing is typed.
  static_cast<void>(!::write(terminal, text.data(), text.size()));
}

// Typed at the controlling terminal, which shows nothing of it.
Result<std::string> ask_secret(std::string_view prompt) {
  const net::UniqueFd terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!terminal)
    return fail(Errc::invalid_input,
                "there is no terminal to ask for the password; give it with --password-stdin");
  const Unseen unseen(terminal.get());
  show(terminal.get(), prompt);
  Result<std::string> line = read_line(terminal.get(), unseen.interrupt());
  show(terminal.get(), "\n");
  return line;
}

std::optional<std::string> variable(const std::string& name) {
  // Nothing here sets variables, so that any thread may ask.
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

namespace {

std::optional<std::size_t> columns_of_the_terminal() {
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0)
    return std::nullopt;
  return size.ws_col;
}

}  // namespace

Environment system_environment(const Clock& clock) {
  Environment environment;
  environment.out = [](std::string_view text) { return write_all(STDOUT_FILENO, text); };
  environment.out_columns = columns_of_the_terminal;
  // There is nowhere left to complain to when standard error cannot be written.
  environment.err = [](std::string_view text) {
    static_cast<void>(write_all(STDERR_FILENO, text).has_value());
  };
  environment.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  environment.in_line = [] { return read_line(STDIN_FILENO, 0); };
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
