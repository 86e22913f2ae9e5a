// Pieces of exports that are cached in memory, so that what did not change need not be written
// again: asking for the same export twice costs its transfer, and after a change only the
// topologies that it touched are written anew.
//
// Cached from the first time on that the same content is asked for again: those who ask for this
// map ask often, also when all of it has changed meanwhile. Where each export is fetched once it
// takes no memory. Pieces that do not fit are made each time: as exports ask for all of them in the
// same order, making room for one would drop the one that is asked for next.
//
// Thread: any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "admin/base/cache.hpp"
#include "codecs/netml/netml_writer.hpp"
#include "engine/graph/graph.hpp"

namespace netml::admin {

// Differs whenever an export of the graph may differ in a byte.
engine::Digest export_content(const engine::Graph& graph);

class ExportPieces {
 public:
  using Text = std::shared_ptr<const std::string>;
  using Piece = codecs::NetmlWriter::Piece;

  // `bytes_max`: of all texts together. The budget outlives the pieces.
  // `counted` as of CacheBounds.
  ExportPieces(std::uint64_t bytes_max, MemoryBudget& memory, CacheCounts* counted = nullptr);
  // Where there are more than that now, no more are added; those of the next state are fewer.
  void set_bytes_max(std::uint64_t bytes_max) { bytes_max_ = bytes_max; }

  // Called when an export of `graph` begins. Drops what this graph writes differently, and holds
  // the graph to compare the next one with. The content to hand to find() and store().
  engine::Digest follow(const engine::Graph& graph);

  // Null: not there, or another content has been asked for since.
  Text find(const engine::Digest& content, const Piece& piece);
  // Whether a piece of so many bytes would be stored now.
  bool wants(const engine::Digest& content, std::size_t bytes) const;
  void store(const engine::Digest& content, const Piece& piece, Text text);

  std::uint64_t bytes() const { return pieces_.bytes(); }

 private:
  struct Cached {
    Piece piece;
    Text text;
  };
  static std::uint64_t key(const Piece& piece) {
    return std::uint64_t{piece.topology.value} << 1 | (piece.root ? 1 : 0);
  }
  bool fits(const engine::Digest& content, std::size_t bytes) const;
  void forget_changes(const engine::Graph& graph);

  std::atomic<std::uint64_t> bytes_max_;
  MemoryBudget& memory_;
  mutable std::mutex mutex_;
  std::optional<engine::Digest> content_;  // asked for last; guarded by mutex_
  bool asked_again_ = false;               // guarded by mutex_
  std::optional<engine::Graph> graph_;     // of the pieces; guarded by mutex_
  Cache<std::uint64_t, Cached> pieces_;
  const MemoryBudget::Registration registration_;
};

}  // namespace netml::admin
