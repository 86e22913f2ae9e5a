// Memory of the system for much that is about to be made of small pieces.
//
// Thread: any; for what this thread makes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace netml {

// Takes it from the system at once and frees it, so that the library has it: in a thread that is
// not the first it would ask for a page at a time. Advice, and for servers, which keep what is
// freed (admin/server/process_memory.hpp: more than is taken at once); no page is touched.
inline void take_room(std::size_t bytes) {
  constexpr std::size_t kAtOnceMax = 16 << 20;
  void* volatile room = std::malloc(std::min(bytes, kAtOnceMax));  // NOLINT: freed at once
  std::free(room);                                                 // NOLINT: the same
}

}  // namespace netml
