#include "admin/server/process_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "engine/base/texts.hpp"

namespace netml::admin {

namespace {

constexpr std::uint64_t kThreadStackBytes = 1 << 20;

std::optional<std::uint64_t> number_at(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

// A file of the system, as far as it fits. Nothing is allocated: it is asked where memory runs out.
std::string_view read_file(const char* path, std::span<char> text) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t got = ::read(file, text.data(), text.size());
  ::close(file);
  return {text.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

// What a file of the system begins with, if that is a number.
std::optional<std::uint64_t> number_in_file(const std::string& path) {
  std::array<char, 32> text{};
  return number_at(read_file(path.c_str(), text));  // "max": no limit
}

// Where the two versions of control groups tell it.
struct GroupLayout {
  const char* top;
  const char* limit;
  const char* usage;
};
constexpr GroupLayout kVersion1{"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                "memory.usage_in_bytes"};
constexpr GroupLayout kVersion2{"/sys/fs/cgroup", "memory.max", "memory.current"};

// The least limit of the group `path` and those around it. Inside a container the path may be that
// of the host, where nothing lies; the container's own group is at the top then.
std::optional<MemoryBound> group_bound(const std::string& root, const GroupLayout& layout,
                                       std::string path) {
  std::optional<MemoryBound> least;
  while (true) {
    const std::string group = fmt::format("{}{}{}", root, layout.top, path);
    const auto limit = number_in_file(fmt::format("{}/{}", group, layout.limit));
    if (limit && (!least || *limit < least->bytes))
      least = MemoryBound{*limit,
                          MemoryMeasure::resident,
                          "the container's limit",
                          true,
                          {fmt::format("{}/{}", group, layout.usage), group + "/memory.stat"}};
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return least;
    path.resize(slash);
  }
}

// "0::/a/b" for version 2; "4:memory:/a/b" for version 1.
std::optional<MemoryBound> container_bound(const std::string& root) {
  std::ifstream groups(root + "/proc/self/cgroup");
  std::optional<MemoryBound> least;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    std::optional<MemoryBound> bound;
    if (controllers == ",,") bound = group_bound(root, kVersion2, path);
    if (controllers.find(",memory,") != controllers.npos)
      bound = group_bound(root, kVersion1, path);
    if (bound && (!least || bound->bytes < least->bytes)) least = std::move(bound);
  }
  return least;
}

void add_resource_limit(std::vector<MemoryBound>& bounds, __rlimit_resource_t which,
                        MemoryMeasure measure, const char* name) {
  rlimit limit{};
  if (::getrlimit(which, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bounds.push_back({limit.rlim_cur, measure, name});
}

std::uint64_t machine_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

MemoryTaken taken_now() {
  std::array<char, 256> text{};
  std::string_view left = read_file("/proc/self/statm", text);
  std::array<std::uint64_t, 6> pages{};  // all, resident, shared, code, 0, data
  for (std::uint64_t& value : pages) value = number_at(take_until(left, ' ')).value_or(0);
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return {pages[0] * page, pages[5] * page, (pages[1] - std::min(pages[1], pages[2])) * page};
}

// The number behind `name`, which begins with the end of a line; 0 where it is not given.
std::uint64_t number_of(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  return at == text.npos ? 0 : number_at(text.substr(at + name.size())).value_or(0);
}

std::uint64_t difference(std::uint64_t from, std::uint64_t taken) {
  return from - std::min(from, taken);
}

std::uint64_t of(const MemoryTaken& taken, MemoryMeasure measure) {
  return taken[static_cast<std::size_t>(measure)];
}

// By all processes of a container, without the pages of files, which the kernel gives up for them:
// those read several times are "active", but no less free. In version 1 the sums with the groups
// within have names of their own.
std::uint64_t taken_in(const ContainerFiles& files) {
  if (files.usage.empty()) return 0;
  std::array<char, 8192> stat{};
  const std::uint64_t all = number_in_file(files.usage).value_or(0);
  const std::string_view reported = read_file(files.stat.c_str(), stat);
  const bool has_sums = reported.find("\ntotal_active_file ") != reported.npos;
  const std::uint64_t pages =
      has_sums ? number_of(reported, "\ntotal_active_file ") +
                     number_of(reported, "\ntotal_inactive_file ")
               : number_of(reported, "\nactive_file ") + number_of(reported, "\ninactive_file ");
  return difference(all, pages);
}

}  // namespace

std::vector<MemoryBound> memory_bounds(const std::string& root) {
  std::vector<MemoryBound> bounds;
  const std::uint64_t machine = machine_bytes();
  if (auto container = container_bound(root); container && container->bytes < machine)
    bounds.push_back(*std::move(container));
  add_resource_limit(bounds, RLIMIT_AS, MemoryMeasure::address_space, "the address space limit");
  add_resource_limit(bounds, RLIMIT_DATA, MemoryMeasure::data, "the data limit");
  bounds.push_back({machine, MemoryMeasure::resident, "the machine's memory"});
  return bounds;
}

std::uint64_t BoundedMemory::room() {
  const auto taken = taken_now();
  std::uint64_t least = kUnlimited;
  for (const MemoryBound& bound : bounds_)
    least = std::min(
        least, difference(bound.bytes, std::max(of(taken, bound.measure), taken_in(bound.files))));
  if (!resident_max_) return least;
  limit_data(taken);
  return std::min(least, difference(*resident_max_, of(taken, MemoryMeasure::resident)));
}

void BoundedMemory::trim() {
  ::malloc_trim(0);
}

const MemoryBound* BoundedMemory::tightest() const {
  const auto taken = taken_now();
  const auto found = std::ranges::min_element(bounds_, {}, [&](const MemoryBound& bound) {
    return difference(bound.bytes / 4 * 3, of(taken, bound.measure));
  });
  return found == bounds_.end() ? nullptr : &*found;
}

MemoryLimit BoundedMemory::limit(const std::optional<std::uint64_t>& given) const {
  const MemoryBound* bound = tightest();
  if (given && (bound == nullptr || *given <= bound->bytes)) return {*given, "--memory-max"};
  if (bound == nullptr) return {};
  return {bound->bytes / 4 * 3,
          fmt::format("three quarters of {}, {} MiB", bound->name, bound->bytes >> 20)};
}

std::uint64_t BoundedMemory::used() const {
  const MemoryBound* bound = tightest();
  return bound == nullptr ? 0 : of(taken_now(), bound->measure);
}

void BoundedMemory::refuse_before_kill() {
  const auto container = std::ranges::find_if(bounds_, &MemoryBound::of_container);
  if (container == bounds_.end()) return;
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  data_max_ = limit.rlim_cur;
  resident_max_ = container->bytes / 16 * 15;
  limit_data(taken_now());
}

// The system knows a limit of what is mapped only. What was given back stays mapped, and stacks of
// threads are before they are used: as much as that is now comes on top.
void BoundedMemory::limit_data(const MemoryTaken& taken) const {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t mapped_only =
      difference(of(taken, MemoryMeasure::data), of(taken, MemoryMeasure::resident));
  limit.rlim_cur = std::min(data_max_, *resident_max_ + mapped_only);
  ::setrlimit(RLIMIT_DATA, &limit);
}

void spare_thread_memory(const std::vector<MemoryBound>& bounds) {
  const std::uint64_t machine = machine_bytes();
  bool bounded = false;
  for (const MemoryBound& bound : bounds) {
    if (bound.bytes >= machine) continue;
    bounded = true;
    // Arenas set aside addresses only.
    if (bound.measure == MemoryMeasure::address_space)
      ::mallopt(M_ARENA_MAX, 1);  // NOLINT: no other thread has been started yet
  }
  if (!bounded) return;
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kThreadStackBytes) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

namespace {

// Freed bytes up to `kept` stay with each arena. False where addresses are bounded.
bool keep_freed(int kept) {
  constexpr int kMappedFromBytes = 32 << 20;  // the most that the library takes
  constexpr int kGrownAtOnceBytes = 4 << 20;  // each time is a call of the system
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur != RLIM_INFINITY) return false;
  ::mallopt(M_MMAP_THRESHOLD, kMappedFromBytes);  // NOLINT: it locks
  ::mallopt(M_TRIM_THRESHOLD, kept);              // NOLINT: the same
  ::mallopt(M_TOP_PAD, kGrownAtOnceBytes);        // NOLINT: the same
  return true;
}

}  // namespace

void keep_freed_memory() {
  constexpr int kArenas = 2;  // what one thread frees serves others, too
  if (keep_freed(std::numeric_limits<int>::max()))
    ::mallopt(M_ARENA_MAX, kArenas);  // NOLINT: it locks
}

void keep_some_freed_memory() {
  constexpr int kKeptBytes = 32 << 20;
  keep_freed(kKeptBytes);
}

}  // namespace netml::admin
