// Thrown where stored data that are used in place cannot be read, or are damaged: any look at a
// record may find that, and a Result from each would hide what the code says for a case in which
// nothing is left to do. Ends where failed allocations end (engine/base/guarded.hpp).
#pragma once

#include <exception>
#include <utility>

#include "engine/base/result.hpp"

namespace netml {

class UnreadableError : public std::exception {
 public:
  explicit UnreadableError(Error error) : error_(std::move(error)) {}
  const Error& error() const noexcept { return error_; }
  const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  Error error_;
};

}  // namespace netml
