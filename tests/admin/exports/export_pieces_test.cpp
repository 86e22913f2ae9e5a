// Exports made of cached pieces are those made of none, to the byte.
#include "admin/exports/export_pieces.hpp"

#include <gtest/gtest.h>

#include "admin/exports/exporter.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using netml::test::ImportHarness;
using netml::test::institution;
using netml::test::node;
using netml::test::topology;

constexpr std::uint64_t kMuch = 1 << 20;

// A root with two networks; what `name` names is in the second.
std::string two_networks(std::string_view name) {
  const std::string long_text(1000, 'x');
  return topology("R", "r", institution("r"),
                  topology("A", "a", institution("a"), node("a1").with("note", long_text)),
                  topology("B", "b", institution("b"), node("b1").named(name)));
}

class KeptPieces : public ::testing::Test {
 protected:
  explicit KeptPieces(std::uint64_t bytes_max = kMuch) : pieces(bytes_max, memory) {
    store.import_at_top(two_networks("first"));
  }

  std::string exported(ExportPieces* kept) const {
    auto state = std::make_shared<const engine::State>(store.state());
    const RecordId root = store.graph().find_newest(Kind::topology, "R");
    const auto source = export_stream(memory, state, *export_tree(state->graph, root), kept);
    return testing::body_text(*source);
  }
  void expect_as_without() { EXPECT_EQ(exported(&pieces), exported(nullptr)); }

  ImportHarness store;
  mutable MemoryBudget memory;
  ExportPieces pieces;
};

TEST_F(KeptPieces, AreNoneUntilAnExportIsAskedForAgain) {
  expect_as_without();
  EXPECT_EQ(pieces.bytes(), 0U);
  expect_as_without();
  EXPECT_GE(pieces.bytes(), exported(nullptr).size());
  expect_as_without();
}

TEST_F(KeptPieces, AreReplacedWhereSomethingChanged) {
  for (int i = 0; i < 2; ++i) expect_as_without();
  const std::string before = exported(nullptr);
  for (const char* name : {"second", "third", "first"}) {
    store.import_at_top(two_networks(name));
    expect_as_without();
    EXPECT_NE(pieces.bytes(), 0U);
  }
  EXPECT_EQ(exported(&pieces), before);
}

TEST_F(KeptPieces, AreKeptAtOnceWhereAllOfThemChanged) {
  for (int i = 0; i < 2; ++i) expect_as_without();
  store.import_at_top(topology("R", "r", institution("r"),
                               topology("A", "a", institution("a"), node("a1")).named("other a"),
                               topology("B", "b", institution("b"), node("b1")).named("other b"))
                          .named("other r"));
  expect_as_without();
  EXPECT_GE(pieces.bytes(), exported(nullptr).size());
}

TEST_F(KeptPieces, ServeTheVersionThatAnExportBeganWith) {
  for (int i = 0; i < 2; ++i) expect_as_without();
  auto state = std::make_shared<const engine::State>(store.state());
  const std::string before = exported(nullptr);
  const RecordId root = store.graph().find_newest(Kind::topology, "R");
  const auto slow = export_stream(memory, state, *export_tree(state->graph, root), &pieces);
  const ExportPieces::Piece second{store.topology("B").record, false, 2};
  const engine::Digest content = export_content(state->graph);
  EXPECT_NE(pieces.find(content, second), nullptr);
  store.import_at_top(two_networks("second"));
  expect_as_without();
  EXPECT_EQ(pieces.find(content, second), nullptr) << "of another content";
  EXPECT_EQ(testing::body_text(*slow), before);
  expect_as_without();
}

class FewKeptPieces : public KeptPieces {
 protected:
  FewKeptPieces() : KeptPieces(2000) {}
};

TEST_F(FewKeptPieces, StayBelowTheLimit) {
  for (int i = 0; i < 4; ++i) {
    expect_as_without();
    EXPECT_LE(pieces.bytes(), 2000U);
  }
  EXPECT_GT(pieces.bytes(), 0U);
}

}  // namespace
}  // namespace netml::admin
