// Memory that a process does not get: calls of malloc and its kin fail, whoever makes them, in any
// thread and inside of any library.
//
// A program that links this has it in the place of the C library's; where a sanitizer has put its
// own there already, nothing fails. Thread: any; one FailingMemory at a time.
#pragma once

#include <cstdint>

namespace netml::test {

class FailingMemory {
 public:
  // `count` of the allocations from now on fail, after the first `before`.
  FailingMemory(std::uint64_t before, std::uint64_t count);
  ~FailingMemory();
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;

  // Of the process, so far.
  static std::uint64_t allocations();
};

}  // namespace netml::test
