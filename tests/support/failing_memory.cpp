#include "tests/support/failing_memory.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <limits>

namespace netml::test {

namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

// Those from `first` to before `end` fail. Initialized before any allocation.
std::atomic<std::uint64_t> made{0};
std::atomic<std::uint64_t> first{kNone};
std::atomic<std::uint64_t> end{kNone};

[[maybe_unused]] bool fails() noexcept {
  const std::uint64_t number = made++;
  if (number < first || number >= end) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

FailingMemory::FailingMemory(std::uint64_t before, std::uint64_t count) {
  const std::uint64_t now = made;
  end = now + before + count;
  first = now + before;
}

FailingMemory::~FailingMemory() {
  first = end = kNone;
}

std::uint64_t FailingMemory::allocations() {
  return made;
}

}  // namespace netml::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using netml::test::fails;

// NOLINTBEGIN(bugprone-reserved-identifier): what the C library calls its own.
extern "C" {
void* __libc_malloc(std::size_t bytes) noexcept;
void* __libc_calloc(std::size_t count, std::size_t bytes) noexcept;
void* __libc_realloc(void* memory, std::size_t bytes) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t bytes) noexcept;

void* malloc(std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return fails() ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  void* const got = fails() ? nullptr : __libc_memalign(alignment, bytes);
  if (got == nullptr) return ENOMEM;
  *memory = got;
  return 0;
}
}
// NOLINTEND(bugprone-reserved-identifier)

#endif
