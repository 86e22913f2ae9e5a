// Goal: a checkpoint is the state it was taken of, and one whose content is not the state its
// footer names is never used (K1), even when all its checksums are right.
#include "wal/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include "tests/wal/support/node.hpp"
#include "wal/checkpoint/detail/chunk_file.hpp"
#include "wal/format/footer_codec.hpp"

namespace netml::wal::test {
namespace {

using testing::import_topology;

class CheckpointFile : public ::testing::Test {
 protected:
  // In chunks, as before version 4.
  Result<FileReference> write_empty_graph(const engine::Digest& named) {
    NETML_TRY(ChunkFileWriter file,
              ChunkFileWriter::create(
                  *storage_, "named.graph",
                  {format::CheckpointPart::graph, NodeUuid{}, Lsn{0}, format::kVersion3}));
    Footer footer;
    footer.digest = named;
    footer.counts = {0, 0, 0, 0};
    footer.next_id = RecordId{1};
    footer.next_number = RecordNumber{1};
    MessageScratch scratch;
    NETML_TRY_VOID(encode(footer, scratch, [&](std::span<const std::byte> payload) {
      return file.append(format::ChunkKind::footer, payload);
    }));
    return file.finish(inline_);
  }

  testing::SimDisk disk_;
  std::unique_ptr<Storage> storage_ = disk_.root();
  InlineParallel inline_;
};

TEST_F(CheckpointFile, GivesBackTheStateOnOneThreadAndOnTwo_K1) {
  const engine::State base;
  auto state = std::make_shared<engine::State>(
      *engine::apply(base, import_topology(base, "a", 3000), Lsn{3}));
  const auto files = write_checkpoint(*storage_, {NodeUuid{}, {Lsn{4}, {}}, state}, inline_);
  ASSERT_TRUE(files) << files.error().message;
  HelperThreads helper;
  for (Parallel* parallel : {static_cast<Parallel*>(&inline_), static_cast<Parallel*>(&helper)}) {
    const auto read = read_checkpoint(*storage_, NodeUuid{}, *files, *parallel);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->head.lsn, Lsn{4});
    EXPECT_EQ(read->state->lsn, Lsn{3});
    EXPECT_EQ(read->state->effective_time, state->effective_time);
    EXPECT_TRUE(read->state->digest() == state->digest());
    EXPECT_EQ(read->state->graph.next_number(), state->graph.next_number());
  }
}

TEST_F(CheckpointFile, HasTheSameBytesForTheSameState) {
  const engine::State base;
  auto state =
      std::make_shared<engine::State>(*engine::apply(base, import_topology(base, "a", 30), Lsn{1}));
  HelperThreads helper;
  const auto first = write_checkpoint(*storage_, {NodeUuid{}, {Lsn{1}, {}}, state}, inline_);
  const auto second = write_checkpoint(*storage_, {NodeUuid{}, {Lsn{1}, {}}, state}, helper);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->graph, second->graph);
  EXPECT_EQ(first->catalog, second->catalog);
}

TEST_F(CheckpointFile, WithAnotherDigestThanItsContentIsRefused_K1) {
  const auto empty = write_checkpoint(
      *storage_, {NodeUuid{}, {Lsn{0}, {}}, std::make_shared<const engine::State>()}, inline_);
  ASSERT_TRUE(empty) << empty.error().message;
  for (const engine::Digest named : {engine::Digest{0, 0}, engine::Digest{1, 2}}) {
    const auto graph = write_empty_graph(named);
    ASSERT_TRUE(graph) << graph.error().message;
    const auto read =
        read_checkpoint(*storage_, NodeUuid{}, {Lsn{0}, *graph, empty->catalog}, inline_);
    EXPECT_EQ(read.has_value(), named == engine::Digest{});
  }
}

TEST_F(CheckpointFile, OfAnotherNodeIsRefused_K1) {
  const auto files = write_checkpoint(
      *storage_, {NodeUuid{}, {Lsn{0}, {}}, std::make_shared<const engine::State>()}, inline_);
  ASSERT_TRUE(files);
  NodeUuid other;
  other.bytes[3] = std::byte{1};
  EXPECT_FALSE(read_checkpoint(*storage_, other, *files, inline_));
}

}  // namespace
}  // namespace netml::wal::test
