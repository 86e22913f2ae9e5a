// The graph of a checkpoint as it is used where it lies, laid out section by section.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/parallel.hpp"
#include "wal/checkpoint/detail/chunk_file.hpp"
#include "wal/checkpoint/detail/graph_sections.hpp"

namespace netml::wal {

// The bytes of the body, block after block.
// Thread: its owner.
class GraphBodyEncoder {
 public:
  // `offset`: of the body in the file.
  GraphBodyEncoder(const engine::Graph& graph, std::uint64_t offset)
      : graph_(graph), offset_(offset) {}

  // Nothing after the last.
  std::optional<std::vector<std::byte>> next();
  // After the last.
  std::vector<BodySection> sections() && { return std::move(sections_); }

 private:
  using Block = std::vector<std::byte>;

  // Each adds to the block until it is full, and tells whether its section is complete.
  bool add_part(Block& block);
  bool add_records(Block& block);
  bool add_kinds(Block& block);
  bool add_numbers(Block& block);
  bool add_keys(Block& block, GraphSection section);

  const engine::Graph& graph_;
  std::uint64_t offset_;  // of the next block in the file
  std::vector<BodySection> sections_;
  std::uint32_t id_ = 0;   // the next one of the section
  std::uint64_t key_ = 0;  // no smaller one of the section is left
  std::size_t keys_ = 0;   // so far, of the section
  std::vector<std::uint64_t> record_offsets_;
  std::vector<std::uint64_t> firsts_[kKeySections];
};

// What lies where, and the checksums; the footer has it.
Result<GraphBody> write_graph_body(ChunkFileWriter& file, const engine::Graph& graph,
                                   Parallel& parallel);

}  // namespace netml::wal
