// A power cut for real processes: those started with variables() write down how to undo what they
// do to a directory, and lose() undoes all that they did not sync.
//
// The processes must have ended, and must not have made directories. Thread: one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"

namespace netml::e2e {

class LostWrites {
 public:
  // The library that was built with the tests is preloaded.
  explicit LostWrites(std::filesystem::path data) : data_(std::move(data)) {}

  std::vector<std::string> variables() const;
  // How many changes were undone. Fails the running test when one cannot be.
  std::uint64_t lose();

 private:
  std::filesystem::path data_;
  test::TemporaryDirectory log_;
};

}  // namespace netml::e2e
