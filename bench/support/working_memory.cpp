#include "bench/support/working_memory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>
#include <string_view>

namespace netml::bench {

namespace {

// A line of /proc/self/status, which is in KiB.
std::size_t status_bytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return 1024 * std::stoull(line.substr(name.size() + 1));
  return 0;
}

std::size_t allocated_bytes() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

WorkingMemory::WorkingMemory() {
  ::malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak is what is there now
  resident_ = status_bytes("VmRSS");
  allocated_ = allocated_bytes();
}

std::size_t WorkingMemory::bytes() const {
  const std::size_t peak = status_bytes("VmHWM") - resident_;
  const std::size_t kept = allocated_bytes() - allocated_;
  return peak > kept ? peak - kept : 0;
}

}  // namespace netml::bench
