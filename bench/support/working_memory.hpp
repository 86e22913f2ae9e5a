// What work takes of memory besides what it leaves behind.
//
// Failure: 0 where the system does not tell. Thread: one at a time; nothing else may allocate.
#pragma once

#include <cstddef>

namespace netml::bench {

// From when it is made on. What was freed before goes back to the system first.
class WorkingMemory {
 public:
  WorkingMemory();

  // The most that was there at once, less what is still there: call it while the result lives.
  std::size_t bytes() const;

 private:
  std::size_t resident_;   // when it began
  std::size_t allocated_;  // then
};

}  // namespace netml::bench
