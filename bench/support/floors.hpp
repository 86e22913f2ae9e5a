// What a figure is compared with: the time that the machine needs for work nobody can avoid. Each
// is the best of a few runs, because a floor is what the machine can do, not what it did once.
//
// Failure: these programs measure or end; there is nothing to recover. Thread: one at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace netml::bench {

// Seconds of a clock that never goes back.
double now();

// The unit P: pugixml parsing `text` in place, with the memory of a former run at hand.
double pugixml_seconds(std::string_view text);

// Copying `bytes` bytes in memory.
double copy_seconds(std::size_t bytes);

// Writing `bytes` bytes to a new file in sequence, and fdatasync.
double write_seconds(std::size_t bytes);

}  // namespace netml::bench
