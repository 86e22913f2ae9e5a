#include "tests/e2e/support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::e2e {

namespace {

std::vector<char*> environment(std::vector<std::string>& added) {
  std::vector<char*> kept;
  for (std::string& variable : added) kept.push_back(variable.data());
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!std::string_view(*variable).starts_with("NETML_")) kept.push_back(*variable);
  kept.push_back(nullptr);
  return kept;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

bool readable(int descriptor, std::chrono::milliseconds at_most) {
  pollfd wanted{descriptor, POLLIN, 0};
  return ::poll(&wanted, 1, static_cast<int>(at_most.count())) == 1;
}

}  // namespace

Process::Process(const std::string& program, const std::vector<std::string>& arguments,
                 const std::string& out_path, const std::string& err_path,
                 std::vector<std::string> variables, const std::vector<int>& held) {
  constexpr int kNewFile = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  std::array<int, 2> pipe{-1, -1};
  if (out_path.empty()) {
    NETML_ASSERT(::pipe2(pipe.data(), O_CLOEXEC) == 0);
    output_ = net::UniqueFd(pipe[0]);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_path.c_str(), kNewFile, 0600);
  }
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_path.c_str(), kNewFile, 0600);

  // From numbers that none of these takes.
  constexpr int kFirstHeld = 3;
  constexpr int kAbove = 200;
  std::vector<net::UniqueFd> copies;
  copies.reserve(held.size());
  for (const int descriptor : held) {
    copies.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, kAbove));
    NETML_ASSERT(copies.back().get() >= 0);
    posix_spawn_file_actions_adddup2(&actions, copies.back().get(),
                                     kFirstHeld + static_cast<int>(copies.size()) - 1);
  }
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int failed = ::posix_spawn(&pid_, program.c_str(), &actions, nullptr,
                                   pointers(words).data(), environment(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (pipe[1] >= 0) ::close(pipe[1]);
  NETML_ASSERT(failed == 0);
  // By number: the C library's header for it is not made for C++.
  exited_ = net::UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  NETML_ASSERT(exited_.get() >= 0);
}

Process::~Process() {
  if (exit_code_) return;
  signal(SIGKILL);
  wait();
}

void Process::signal(int number) const {
  if (!exit_code_) ::kill(pid_, number);  // not yet waited for, so the number is still its own
}

std::optional<std::string> Process::read_line() {
  while (received_.find('\n') == std::string::npos) {
    std::array<char, 512> piece;
    if (!readable(output_.get(), kPatience)) return std::nullopt;
    const ssize_t got = ::read(output_.get(), piece.data(), piece.size());
    if (got <= 0) return std::nullopt;
    received_.append(piece.data(), static_cast<std::size_t>(got));
  }
  const std::size_t end = received_.find('\n');
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

std::optional<int> Process::wait(std::chrono::milliseconds at_most) {
  if (exit_code_) return exit_code_;
  if (!readable(exited_.get(), at_most)) return std::nullopt;
  int status = 0;
  if (::waitpid(pid_, &status, 0) != pid_) return std::nullopt;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

}  // namespace netml::e2e
