// A control group with a limit of memory, which the shell that starts a program enters; it goes
// with this. Version 1 and 2. Not made where the system lets nobody make one, or counts no memory
// in it.
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace netml::e2e {

inline constexpr std::uint64_t kMebibyte = 1 << 20;

class ControlGroup {
 public:
  explicit ControlGroup(std::uint64_t bytes) {
    namespace fs = std::filesystem;
    for (const bool second : {false, true}) {
      const fs::path top = second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
      const fs::path group = top / fmt::format("netml-test-{}-{}", ::getpid(), bytes >> 20);
      if (::mkdir(group.c_str(), 0755) != 0) continue;
      group_ = group;
      limit_ = group / (second ? "memory.max" : "memory.limit_in_bytes");
      if (fs::exists(limit_)) break;  // the system's own file
      leave();
    }
    if (made()) std::ofstream(limit_) << bytes << std::flush;
  }
  ~ControlGroup() { leave(); }
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  bool made() const { return !group_.empty(); }
  std::string enter() const { return fmt::format("echo $$ > {}/cgroup.procs", group_.string()); }
  std::uint64_t limit() const {
    std::uint64_t bytes = 0;
    std::ifstream(limit_) >> bytes;
    return bytes;
  }

 private:
  void leave() {
    if (!group_.empty()) ::rmdir(group_.c_str());
    group_.clear();
  }
  std::filesystem::path group_;
  std::filesystem::path limit_;
};

}  // namespace netml::e2e
