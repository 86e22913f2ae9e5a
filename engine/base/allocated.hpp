// C libraries answer with null or a code when they get no memory. That is thrown, as the failure of
// any other allocation is, and ends at the same boundary (engine/base/guarded.hpp).
#pragma once

#include <new>

namespace netml {

inline void check_allocated(bool allocated) {
  if (!allocated) throw std::bad_alloc();
}

}  // namespace netml
