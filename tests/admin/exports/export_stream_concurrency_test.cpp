// Goal: an export that two threads make has the bytes of one that a single thread makes, whatever
// is cached, however little memory there is, and also when others end halfway.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "admin/exports/export_helpers.hpp"
#include "admin/exports/export_stream.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::admin {
namespace {

using engine::test::GraphBuilder;

// Small topologies and long ones, one in many shares, and one empty at the end.
engine::StatePtr map_of_many() {
  GraphBuilder builder;
  const RecordId owner{1};
  builder.institution("owner", {RecordId{2}});
  const RecordId root = builder.topology("root", {}, owner, true);
  const auto fill = [&](std::string_view name, RecordId parent, int nodes) {
    const RecordId topology = builder.topology(name, parent, owner);
    RecordId last;
    for (int i = 0; i < nodes; ++i) {
      const RecordId node = builder.node(fmt::format("{} & {}", name, i), {topology}, {owner});
      if (last) builder.link(fmt::format("{}-{}", name, i), {topology}, {}, last, node);
      last = node;
    }
    return topology;
  };
  const int sizes[] = {0, 1, 3, 400, 700, 2};
  for (int i = 0; i < 60; ++i) {
    const RecordId topology = fill(fmt::format("t{}", i), root, sizes[i % 6]);
    if (i % 5 == 0) fill(fmt::format("below {}", i), topology, 10);
  }
  fill("long", root, 4000);
  fill("zero", root, 0);
  return std::make_shared<const engine::State>(builder.state());
}

class ExportStreams : public ::testing::Test {
 protected:
  std::unique_ptr<net::BodySource> stream(MemoryBudget& from, ExportPieces* pieces,
                                          ExportHelpers* helpers) const {
    return export_stream(from, state, tree, pieces, helpers);
  }
  // As a connection pulls it: a piece is looked at after the next one was asked for.
  static std::string text_of(net::BodySource& source) {
    std::string text;
    std::string_view sent;
    while (true) {
      const auto piece = source.next();
      text += sent;
      EXPECT_TRUE(piece.has_value());
      if (!piece || piece->empty()) return text;
      sent = *piece;
    }
  }
  std::string text(ExportPieces* pieces, ExportHelpers* helpers) {
    return text_of(*stream(memory, pieces, helpers));
  }
  static std::uint64_t exports_of(const MemoryBudget& of) {
    return of.report().by_use[static_cast<std::size_t>(MemoryUse::exports)];
  }

  const engine::StatePtr state = map_of_many();
  const engine::ExportTree tree = *export_tree(state->graph, *export_root(state->graph));
  MemoryBudget memory;
  const std::string whole = text(nullptr, nullptr);
};

TEST_F(ExportStreams, AreTheSameWhoeverHelps) {
  ASSERT_GT(whole.size(), 2U << 20);
  for (const unsigned threads : {0, 1, 2}) {
    ExportHelpers helpers(threads);
    for (int round = 0; round < 5; ++round) EXPECT_EQ(text(nullptr, &helpers), whole);
  }
}

TEST_F(ExportStreams, AreTheSameOfCachedPieces) {
  ExportHelpers helpers(1);
  for (const std::uint64_t bytes : {whole.size() / 5, 10 * whole.size()}) {
    ExportPieces pieces(bytes, memory);
    for (int round = 0; round < 5; ++round) {
      EXPECT_EQ(text(&pieces, &helpers), whole) << round;
      EXPECT_LE(pieces.bytes(), bytes);
    }
    EXPECT_GT(pieces.bytes(), 0U);
  }
}

TEST_F(ExportStreams, AreTheSameForManyAtOnce) {
  ExportHelpers helpers(2);
  ExportPieces pieces(10 * whole.size(), memory);
  std::atomic<int> same{0};
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 6; ++i)
      clients.emplace_back(
          [&, i] { same += text(i % 2 == 0 ? nullptr : &pieces, &helpers) == whole ? 1 : 0; });
  }
  EXPECT_EQ(same, 6);
}

TEST_F(ExportStreams, EndWhereAClientGoes) {
  ExportHelpers helpers(1);
  for (int calls = 0; calls < 12; ++calls) {
    auto source = stream(memory, nullptr, &helpers);
    for (int i = 0; i < calls; ++i) EXPECT_TRUE(source->next().has_value());
    EXPECT_EQ(exports_of(memory) > 0, calls > 0);
    source.reset();
    EXPECT_EQ(exports_of(memory), 0U);
    EXPECT_EQ(state.use_count(), 1) << "nobody works on it any more";
  }
  EXPECT_EQ(text(nullptr, &helpers), whole);
}

// Where there is no memory for two, one makes it with what one takes.
TEST_F(ExportStreams, AreMadeByOneWhereMemoryIsShort) {
  MemoryBudget little({.bytes = 6 << 20, .origin = "a test"});
  ExportHelpers helpers(1);
  const auto source = stream(little, nullptr, &helpers);
  EXPECT_EQ(text_of(*source), whole);
  EXPECT_LE(exports_of(little), 6U << 20);
}

TEST_F(ExportStreams, BeginWithAShortPiece) {
  ExportHelpers helpers(1);
  const auto source = stream(memory, nullptr, &helpers);
  const auto first = source->next();
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(first->empty());
  EXPECT_LT(first->size(), 300U << 10);
}

// ---- the helpers themselves ----

class Counted final : public ExportHelpers::Helped {
 public:
  explicit Counted(int portions) : done(portions), left_(portions) {}
  bool help() noexcept override {
    done.count_down();
    return --left_ > 0;
  }
  std::latch done;

 private:
  std::atomic<int> left_;
};

TEST(ExportHelpers, HelpUntilNothingIsLeft) {
  ExportHelpers helpers(2);
  Counted one(100);
  Counted other(50);
  helpers.offer(one);
  helpers.offer(other);
  one.done.wait();
  other.done.wait();
  helpers.withdraw(one);
  helpers.withdraw(other);
}

TEST(ExportHelpers, AreNotNeededAnyMoreOnceWithdrawn) {
  class Endless final : public ExportHelpers::Helped {
   public:
    bool help() noexcept override {
      EXPECT_FALSE(over);
      if (!begun.test_and_set()) begun.notify_all();
      return true;
    }
    std::atomic_flag begun;
    std::atomic<bool> over = false;
  };
  ExportHelpers helpers(1);
  Endless first;
  Endless second;
  helpers.offer(first);
  helpers.offer(second);
  second.begun.wait(false);
  first.begun.wait(false);
  helpers.withdraw(first);
  first.over = true;
  helpers.withdraw(second);
  second.over = true;
  helpers.withdraw(second);
}

}  // namespace
}  // namespace netml::admin
