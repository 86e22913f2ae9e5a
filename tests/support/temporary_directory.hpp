// An empty directory, removed with all its content at the end. Below TMPDIR, which decides whose
// disk is used, unless a test names another place.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace netml::test {

class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "netml-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;  // a directory that stays harms no other test
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Where a million fsyncs cost nothing, for tests of what no power failure interrupts; TMPDIR where
// memory offers less than 1 GiB.
inline std::filesystem::path memory_disk() {
  const std::filesystem::path memory = "/dev/shm";
  std::error_code absent;
  const std::filesystem::space_info space = std::filesystem::space(memory, absent);
  const bool roomy = !absent && space.available >= std::uintmax_t{1} << 30;
  return roomy && ::access(memory.c_str(), W_OK) == 0 ? memory
                                                      : std::filesystem::temp_directory_path();
}

}  // namespace netml::test
