// A directory that a command fills, and that appears when it is complete.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "admin/cli/client/files.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::admin::cli {

// It comes into being as `.unfinished` in its parent, with each file as OutputFile has it, and gets
// its name when all of them are durable. Where it ends before commit(), nothing is left behind;
// what a process that was killed left there goes with the next one. One process at a time writes
// into a parent.
//
// Failure: Errc::io_error with path and reason; Errc::conflict. Thread: one at a time.
class OutputDirectory {
 public:
  // The parent is made if need be. Errc::conflict while another process writes there.
  static Result<OutputDirectory> create(const std::string& parent);
  OutputDirectory(OutputDirectory&&) noexcept = default;
  OutputDirectory& operator=(OutputDirectory&&) = delete;
  ~OutputDirectory();

  const std::string& parent() const { return parent_; }
  // To the end of the file of this name, which has no folders.
  Status append(const std::string& file, std::string_view bytes);
  std::uint64_t bytes() const { return bytes_; }
  // Of one file; 0 where nothing was appended.
  std::uint64_t bytes(const std::string& file) const;
  // Errc::conflict when the parent has the name already.
  Status commit(const std::string& name);

 private:
  OutputDirectory(std::string parent, net::UniqueFd lock, bool parent_is_new)
      : parent_(std::move(parent)), lock_(std::move(lock)), parent_is_new_(parent_is_new) {}
  std::string unfinished() const { return parent_ + "/.unfinished"; }

  std::string parent_;
  net::UniqueFd lock_;  // the parent, locked; none: moved away, or done
  bool parent_is_new_;
  std::map<std::string, OutputFile> files_;
  std::uint64_t bytes_ = 0;
};

}  // namespace netml::admin::cli
