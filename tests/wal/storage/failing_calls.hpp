// Fails system calls of this very program: it defines openat(), pwrite(), fsync() and their like,
// and is asked about each call that a thread makes while it has a FailingCalls. What no simulated
// disk can show is shown here: what the code next to the system does about errno, short counts and
// interruptions (T6).
//
// Syncs are not done for real meanwhile. Thread: those of its owner's calls; one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace netml::wal::test {

struct SystemCall {
  std::uint64_t number = 0;  // since the beginning
  std::string_view name;     // "pwrite"
  bool is_sync() const { return name == "fsync" || name == "fdatasync"; }
  bool moves_bytes() const { return name == "pread" || name == "pwrite"; }
};

struct CallOutcome {
  int error = 0;  // errno; 0: the call is done, but moves a part of its bytes only
};

class FailingCalls {
 public:
  using Decide = std::function<std::optional<CallOutcome>(const SystemCall& call)>;
  // Nothing fails without `decide`; the calls are counted.
  explicit FailingCalls(Decide decide = nullptr);
  ~FailingCalls();
  FailingCalls(const FailingCalls&) = delete;
  FailingCalls& operator=(const FailingCalls&) = delete;

  std::uint64_t calls() const { return calls_; }
  // For the functions in place of the C library's.
  std::optional<CallOutcome> next(std::string_view name);

 private:
  Decide decide_;
  std::uint64_t calls_ = 0;
};

}  // namespace netml::wal::test
