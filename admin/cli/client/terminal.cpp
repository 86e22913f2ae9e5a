#include "admin/cli/client/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>

#include "net/http/unique_fd.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::size_t kLineBytesMax = 1024;

// Byte by byte, so that nothing after the line is taken from who reads next.
Result<std::string> read_line(int descriptor) {
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
    line += c;
  }
  return fail(Errc::invalid_input, fmt::format("the line is longer than {} bytes", kLineBytesMax));
}

// A terminal that shows nothing of what is typed, until the end of the scope.
class Unseen {
 public:
  explicit Unseen(int terminal) : terminal_(terminal) {
    known_ = ::tcgetattr(terminal, &before_) == 0;
    if (!known_) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(terminal, TCSAFLUSH, &silent);
  }
  ~Unseen() {
    if (known_) ::tcsetattr(terminal_, TCSAFLUSH, &before_);
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

 private:
  const int terminal_;
  termios before_{};
  bool known_ = false;
};

void show(int terminal, std::string_view text) {
  // A prompt that cannot be shown shows itself when nothing is typed.
  static_cast<void>(!::write(terminal, text.data(), text.size()));
}

}  // namespace

Result<std::string> read_stdin_line() {
  return read_line(STDIN_FILENO);
}

Result<std::string> ask_secret(std::string_view prompt) {
  const net::UniqueFd terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!terminal)
    return fail(Errc::invalid_input,
                "there is no terminal to ask for the password; give it with --password-stdin");
  const Unseen unseen(terminal.get());
  show(terminal.get(), prompt);
  Result<std::string> line = read_line(terminal.get());
  show(terminal.get(), "\n");
  return line;
}

}  // namespace netml::admin::cli
