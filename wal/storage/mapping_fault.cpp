#include "wal/storage/mapping_fault.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace netml::wal {

namespace {

// All of this runs in a signal handler: no memory is allocated and no lock is taken.

void say(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // nobody is left to tell
}

// A line of /proc/self/maps: "begin-end rights offset device inode path".
struct MapsLine {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uint64_t offset = 0;
  std::string_view path;

  static MapsLine of(std::string_view text) {
    const auto number = [&](auto& value) {
      const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
      text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(stop - text.data()) + 1));
    };
    MapsLine line;
    number(line.begin);
    number(line.end);
    text.remove_prefix(std::min(text.size(), text.find(' ') + 1));  // rights
    number(line.offset);
    line.path = text.substr(std::min(text.size(), text.find('/')));
    return line;
  }
};

// visit(line) for each line until it returns false. Lines are cut at the size of the buffer.
template <class Visit>
void for_each_mapping(Visit&& visit) {
  const int maps = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  std::array<char, 8192> buffer;
  std::size_t held = 0;
  bool more = true;
  while (more) {
    const ssize_t count = ::read(maps, buffer.data() + held, buffer.size() - held);
    if (count <= 0) break;
    held += static_cast<std::size_t>(count);
    std::string_view rest(buffer.data(), held);
    for (std::size_t end = rest.find('\n'); more && end != std::string_view::npos;
         end = rest.find('\n')) {
      more = visit(MapsLine::of(rest.substr(0, end)));
      rest.remove_prefix(end + 1);
    }
    if (rest.size() == buffer.size()) rest = {};
    std::copy(rest.begin(), rest.end(), buffer.begin());
    held = rest.size();
  }
  ::close(maps);
}

void end_with_message(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  bool found = false;
  for_each_mapping([&](const MapsLine& line) {
    if (address < line.begin || address >= line.end) return true;
    if (line.path.empty()) return false;
    found = true;
    std::array<char, 32> digits;
    const std::uint64_t offset = line.offset + (address - line.begin);
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), offset).ptr;
    say("netml: ");
    say(line.path);
    say(": offset ");
    say({digits.data(), static_cast<std::size_t>(end - digits.data())});
    say(": cannot be read any more: the disk failed, or the file was cut; nothing that was "
        "acknowledged is lost: start the node again\n");
    return false;
  });
  if (found) ::_exit(kMappingFaultExitCode);
  // Some other fault: again, with what the system does about it.
  ::signal(signal, SIG_DFL);
}

}  // namespace

void end_on_mapping_faults() {
  struct sigaction action = {};
  action.sa_sigaction = end_with_message;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace netml::wal
