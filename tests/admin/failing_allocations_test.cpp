// Goal: an allocation that fails, in whichever thread, ends the import that needed it and nothing
// else: it is refused, the state is untouched, exports go on (docs/operation.md, "Memory").
// Method: this program's operator new fails the n-th time, for n from the first allocation of an
// import to its last, once, and for a while. The file is long enough that helper threads parse it.
// Long: NETML_ALLOCATIONS=1 tries every n.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <new>

#include "admin/services/exporter.hpp"
#include "admin/services/import_job.hpp"
#include "admin/services/importer.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/netml_text.hpp"
#include "tests/support/sanitized.hpp"

namespace {

// Allocations of the process since counting began; those from `first` to before `end` fail.
std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> first_failing{~std::uint64_t{0}};
std::atomic<std::uint64_t> end_failing{~std::uint64_t{0}};

void* allocate(std::size_t bytes, std::size_t alignment) {
  const std::uint64_t number = allocations++;
  if (number >= first_failing && number < end_failing) return nullptr;
  const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment;
  return std::aligned_alloc(alignment, whole * alignment);
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const memory = allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t kAlignment = alignof(std::max_align_t);

}  // namespace

// Not inlined: the compiler would take what free() gets for memory of its own operator new.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return allocate_or_throw(bytes, kAlignment);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, kAlignment);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace netml::admin {
namespace {

using testing::OpenNode;

// More than two slices of the reader's.
std::string long_map(std::size_t nodes) {
  test::TopologyText map("P", "o");
  map.add(test::institution("o"));
  const std::string note(500, 'x');
  for (std::size_t i = 0; i < nodes; ++i)
    map.add(test::node(fmt::format("n{}", i)).with("note", note));
  return map;
}

class FailingAllocations : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::kSanitized) GTEST_SKIP() << "the sanitizer has its own operator new";
    ASSERT_TRUE(imported(small));
  }

  bool imported(const std::string& file) {
    ImportRequest request;
    request.file_name = "map.xml";
    request.place = ImportPlace::top_level;
    auto job = ImportJob::begin(*node, request);
    if (!job) return false;
    (*job)->write(file);
    return (*job)->commit().has_value();
  }
  std::string exported() {
    const engine::StatePtr state = node->version().state;
    const auto source = export_stream(node->memory(), state,
                                      *export_tree(state->graph, *export_root(state->graph)));
    std::string text;
    for (auto piece = source->next(); piece && !piece->empty(); piece = source->next())
      text += *piece;
    return text;
  }
  // Of an import of `large` without failures.
  std::uint64_t allocations_of_an_import() {
    const std::uint64_t before = allocations;
    EXPECT_TRUE(imported(large));
    const std::uint64_t count = allocations - before;
    EXPECT_TRUE(imported(small));
    return count;
  }
  // Imports with `count` failures from the n-th allocation on; whether it was done.
  bool try_failing(std::uint64_t n, std::uint64_t count) {
    const std::string before = exported();
    const std::uint64_t now = allocations;
    end_failing = now + n + count;
    first_failing = now + n;
    bool done = false;
    try {  // what a handler would see, whose caller answers it
      done = imported(large);
    } catch (const std::bad_alloc&) {
    }
    first_failing = end_failing = ~std::uint64_t{0};
    if (!done) {
      EXPECT_EQ(exported(), before) << "failure " << n;
      EXPECT_TRUE(imported(small)) << "failure " << n << ": nothing can be imported any more";
      return false;
    }
    EXPECT_TRUE(imported(small));
    return true;
  }
  void try_all(std::uint64_t count) {
    constexpr std::uint64_t kTried = 120;
    const std::uint64_t last = allocations_of_an_import();
    const std::uint64_t step =
        std::getenv("NETML_ALLOCATIONS") != nullptr ? 1 : std::max<std::uint64_t>(last / kTried, 1);
    std::uint64_t refused = 0;
    for (std::uint64_t n = 0; n < last; n += step) refused += try_failing(n, count) ? 0 : 1;
    EXPECT_GT(refused, 0U);
    std::cout << refused << " imports refused of " << (last + step - 1) / step << ", " << last
              << " allocations\n";
  }

  const std::string small = test::topology("P", "o", test::institution("o"), test::node("n"));
  const std::string large = long_map(1200);
  OpenNode node;
};

TEST_F(FailingAllocations, OnceRefuseTheImportAndNothingElse) {
  try_all(1);
}

TEST_F(FailingAllocations, InARowRefuseTheImportAndNothingElse) {
  try_all(20);
}

}  // namespace
}  // namespace netml::admin
