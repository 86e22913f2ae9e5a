// Child processes of the tests: the program under test, as a shell would run it.
//
// A Process that is dropped while it runs is killed and waited for, so that no test leaves one
// behind. All waits are bounded.
// Thread: one at a time, except signal().
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "net/http/unique_fd.hpp"

namespace netml::e2e {

// How long anything may take that is expected to happen. Generous: it only bounds failures.
inline constexpr std::chrono::seconds kPatience{120};

class Process {
 public:
  // Standard output goes to `out_path`, or into a pipe for read_line() when that is empty.
  // Variables named NETML_* do not reach the child; `variables` (NAME=VALUE) do besides. It finds
  // the descriptors `held` as 3 and so on.
  Process(const std::string& program, const std::vector<std::string>& arguments,
          const std::string& out_path, const std::string& err_path,
          std::vector<std::string> variables = {}, const std::vector<int>& held = {});
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  // Without the line's end; nothing when the output ended or did not come in time.
  std::optional<std::string> read_line();
  // The exit code, or 128 + the signal that ended it; nothing when it goes on.
  std::optional<int> wait(std::chrono::milliseconds at_most = kPatience);

 private:
  pid_t pid_ = -1;
  net::UniqueFd exited_;  // becomes readable at the end of the process
  net::UniqueFd output_;
  std::string received_;
  std::optional<int> exit_code_;
};

}  // namespace netml::e2e
