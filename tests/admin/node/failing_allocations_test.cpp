// Goal: an allocation that fails, in whichever thread, ends the import that needed it and nothing
// else: it is refused, the state is untouched, exports go on (docs/operation.md, "Memory").
// Method: malloc fails the n-th time, for n from the first allocation of an import to its last,
// once, and for a while: in this code and in the libraries. One file is long enough that helper
// threads parse it, one takes the strict path, one is a workbook.
// Long: NETML_ALLOCATIONS=1 tries every n.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <new>

#include "admin/exports/export_helpers.hpp"
#include "admin/exports/exporter.hpp"
#include "admin/imports/import_job.hpp"
#include "admin/imports/intake.hpp"
#include "codecs/netml/netml_reader.hpp"
#include "codecs/xlsx/xlsx_writer.hpp"
#include "engine/edit/plan_records.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/netml_text.hpp"
#include "tests/support/sanitized.hpp"

namespace netml::admin {
namespace {

using test::FailingMemory;
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

// A comment is more than the fast path reads.
std::string strict_map() {
  std::string map = test::topology("S", "o", test::institution("o"), test::node("a"),
                                   test::node("b"), test::link("l", "a", "b"));
  return map.insert(map.find("<grenml:owner>"), "<![CDATA[ ]]>");
}

// How to import it.
struct File {
  std::string name = "map.xml";
  std::string content;
};

class FailingAllocations : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::kSanitized) GTEST_SKIP() << "the sanitizer has its own operator new";
    ASSERT_TRUE(imported(small));
  }

  bool imported(const std::string& content) { return imported(File{.content = content}); }
  bool imported(const File& file) {
    ImportRequest request;
    request.file_name = file.name;
    request.place = ImportPlace::top_level;
    if (file.name.ends_with(".xlsx")) request.topology_name = "workbook";
    auto job = ImportJob::begin(*node, request);
    if (!job) return false;
    (*job)->write(file.content);
    ImportOutcome outcome = (*job)->commit();
    if (outcome) return true;
    failure = std::move(outcome.error().error);
    return false;
  }
  File workbook() {
    const engine::Graph& graph = node->version().state->graph;
    return {"map.xlsx", codecs::write_xlsx(graph, *export_root(graph)).value().bytes};
  }
  std::string exported() {
    const engine::StatePtr state = node->version().state;
    const auto source = export_stream(node->memory(), state,
                                      *export_tree(state->graph, *export_root(state->graph)));
    return testing::body_text(*source);
  }
  // Of an import without failures.
  std::uint64_t allocations_of(const File& file) {
    const std::uint64_t before = FailingMemory::allocations();
    EXPECT_TRUE(imported(file));
    const std::uint64_t count = FailingMemory::allocations() - before;
    EXPECT_TRUE(imported(small));
    return count;
  }
  // Imports with `count` failures after the first n allocations; whether it was done.
  bool try_failing(const File& file, std::uint64_t n, std::uint64_t count) {
    const std::string before = exported();
    bool done = false;
    failure = kNone;
    try {  // what a handler would see, whose caller answers it
      const FailingMemory failing(n, count);
      done = imported(file);
    } catch (const std::bad_alloc&) {
    }
    EXPECT_NE(failure.code, Errc::internal) << "failure " << n << ": " << failure.message;
    if (!done) {
      EXPECT_EQ(exported(), before) << "failure " << n;
    }
    // Where the journal itself got no memory, changes are refused until its thread has found out
    // that there is some again.
    bool again = false;
    for (int tried = 0; tried < 1000 && !again; ++tried) again = imported(small);
    if (!again) {  // it could not even revert what it had begun to write: reading goes on
      EXPECT_TRUE(failure.message.starts_with("read-only: out of memory")) << failure.message;
      node.close();
      node.open();
      again = imported(small);
    }
    EXPECT_TRUE(again) << "failure " << n
                       << ": nothing can be imported any more: " << failure.message;
    return done;
  }
  // So many of the n, if not all of them.
  void try_all(const File& file, std::uint64_t count, std::uint64_t tried) {
    const std::uint64_t last = allocations_of(file);
    const std::uint64_t step =
        std::getenv("NETML_ALLOCATIONS") != nullptr ? 1 : std::max<std::uint64_t>(last / tried, 1);
    std::uint64_t refused = 0;
    for (std::uint64_t n = 0; n < last; n += step) refused += try_failing(file, n, count) ? 0 : 1;
    EXPECT_GT(refused, 0U);
    std::cout << refused << " imports refused of " << (last + step - 1) / step << ", " << last
              << " allocations\n";
  }

  const Error kNone{Errc::not_found, {}};
  static constexpr std::uint64_t kAll = 100'000;
  static constexpr std::uint64_t kSome = 120;
  const std::string small = test::topology("P", "o", test::institution("o"), test::node("n"));
  const File large{.content = long_map(1200)};
  Error failure = kNone;  // of the last import that was not done
  OpenNode node;
};

TEST_F(FailingAllocations, OnceRefuseTheImportAndNothingElse) {
  try_all(large, 1, kSome);
}

TEST_F(FailingAllocations, InARowRefuseTheImportAndNothingElse) {
  try_all(large, 20, kSome);
}

TEST_F(FailingAllocations, OfTheXmlLibraryRefuseTheImportAndNothingElse) {
  const File strict{.content = strict_map()};
  codecs::NetmlReader reader({}, {.replay = [](const auto&) { return Status(); }});
  reader.feed(std::as_bytes(std::span(strict.content)));
  static_cast<void>(reader.finish());
  ASSERT_FALSE(reader.in_bulk());
  try_all(strict, 1, kAll);
  try_all(strict, 20, kSome);
}

TEST_F(FailingAllocations, OfTheZipLibraryRefuseTheImportAndNothingElse) {
  const File file = workbook();
  try_all(file, 1, kAll);
  try_all(file, 20, kSome);
}

// What the helper could not do is done by who pulls, and what that could not do ends the export: no
// byte is missing before its end.
TEST_F(FailingAllocations, EndAnExportThatTwoMakeOrLeaveItWhole) {
  ASSERT_TRUE(imported(File{.content = long_map(3000)}));
  const std::string whole = exported();
  const engine::StatePtr state = node->version().state;
  const engine::ExportTree tree = *export_tree(state->graph, *export_root(state->graph));
  ExportHelpers helpers(1);
  std::string text;
  text.reserve(whole.size());
  const auto exported_by_two = [&] {
    text.clear();
    const auto source = export_stream(node->memory(), state, tree, nullptr, &helpers);
    while (true) {
      const auto piece = source->next();
      if (!piece || piece->empty()) return piece.has_value();
      text += *piece;
    }
  };
  const std::uint64_t before = FailingMemory::allocations();
  ASSERT_TRUE(exported_by_two());
  ASSERT_EQ(text, whole);
  const std::uint64_t last = FailingMemory::allocations() - before;
  std::uint64_t ended = 0;
  for (std::uint64_t n = 0; n < last; n += std::max<std::uint64_t>(last / kSome, 1)) {
    bool done = false;
    try {
      const FailingMemory failing(n, 1);
      done = exported_by_two();
    } catch (const std::bad_alloc&) {
    }
    EXPECT_TRUE(whole.starts_with(text)) << "failure " << n;
    EXPECT_EQ(done, text.size() == whole.size()) << "failure " << n;
    ended += done ? 0 : 1;
  }
  EXPECT_GT(ended, 0U);
}

// Before anything was sent.
TEST_F(FailingAllocations, AskToSendAnUploadAgain) {
  Intake intake(*node);
  const ImportRequest request = testing::from_client();
  std::uint64_t refused = 0;
  bool begun = false;
  for (std::uint64_t n = 0; !begun && n < kAll; ++n) {
    try {
      const FailingMemory failing(n, 1);
      const auto upload = intake.begin(request);
      begun = upload.has_value();
      if (begun) continue;
      ++refused;
      ASSERT_EQ(upload.error().error.code, Errc::unavailable) << n;
    } catch (const std::bad_alloc&) {
    }
  }
  EXPECT_TRUE(begun);
  EXPECT_GT(refused, 0U);
}

// In the thread that asks as in the one that writes.
TEST_F(FailingAllocations, AskToTryAChangeAgain) {
  std::uint64_t refused = 0;
  Lsn done;
  for (std::uint64_t n = 0; done == Lsn{} && n < kAll; ++n) {
    Change change;
    change.plan = [](const engine::State& state, WallTime) {
      engine::RecordEdit edit;
      edit.name = fmt::format("network {}", state.lsn.value);
      return plan_record_update(state, *export_root(state.graph), edit);
    };
    try {
      const std::uint64_t before = FailingMemory::allocations();
      const FailingMemory failing(n, 1);
      const Result<Lsn> lsn = node->commit(std::move(change));
      const bool reached = FailingMemory::allocations() - before > n;
      if (lsn && !reached) done = *lsn;
      if (lsn) continue;
      ++refused;
      ASSERT_EQ(lsn.error().code, Errc::unavailable) << n << ": " << lsn.error().message;
    } catch (const std::bad_alloc&) {
    }
  }
  EXPECT_NE(done, Lsn{});
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace netml::admin
