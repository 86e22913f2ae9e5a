#include "bench/support/floors.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"

namespace netml::bench {

namespace {

template <class Run>
double best_of(int runs, Run&& run) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < runs; ++i) best = std::min(best, run());
  return best;
}

}  // namespace

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Warm: the allocator gives back neither the end of the heap nor blocks that it would map by
// themselves, so that no run but the first waits for the system to hand out pages.
double pugixml_seconds(std::string_view text) {
  constexpr int kNeverTrim = -1;  // any number of bytes would be too few for some map
  ::mallopt(M_TRIM_THRESHOLD, kNeverTrim);
  ::mallopt(M_MMAP_MAX, 0);
  const double best = best_of(5, [&] {
    std::string copy(text);
    pugi::xml_document parsed;
    const double begin = now();
    if (!parsed.load_buffer_inplace(copy.data(), copy.size())) std::abort();
    return now() - begin;
  });
  constexpr int kDefaultTrimThreshold = 128 * 1024;
  constexpr int kDefaultMappingsMax = 65536;
  ::mallopt(M_TRIM_THRESHOLD, kDefaultTrimThreshold);
  ::mallopt(M_MMAP_MAX, kDefaultMappingsMax);
  ::malloc_trim(0);
  return best;
}

double copy_seconds(std::size_t bytes) {
  const std::vector<char> from(bytes, 'x');
  std::vector<char> to(bytes);
  return best_of(4, [&] {
    const double begin = now();
    std::memcpy(to.data(), from.data(), bytes);
    asm volatile("" : : "g"(to.data()) : "memory");  // the copy counts as used
    return now() - begin;
  });
}

double write_seconds(std::size_t bytes) {
  const test::TemporaryDirectory directory;
  const std::vector<char> piece(1 << 20, 'x');
  return best_of(2, [&] {
    const std::string path = directory.file("floor").string();
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const double begin = now();
    for (std::size_t done = 0; done < bytes; done += piece.size())
      if (::write(file, piece.data(), std::min(piece.size(), bytes - done)) < 0) std::abort();
    ::fdatasync(file);
    const double seconds = now() - begin;
    ::close(file);
    return seconds;
  });
}

}  // namespace netml::bench
