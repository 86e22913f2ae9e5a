// Pieces of exports that are kept in memory, so that what did not change need not be written again:
// asking for the same export twice costs its transfer, and after a change only the topologies that
// it touched are written anew.
//
// They are a cache of the memory budget: kept as far as nobody else needs the memory.
//
// Kept from the first time on that the same content is asked for again: those who ask for this map
// ask often, also when all of it has changed meanwhile. Where each export is fetched once it takes
// no memory. Pieces that do not fit are made each time.
//
// Thread: any.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "admin/base/memory_budget.hpp"
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
  ExportPieces(std::uint64_t bytes_max, MemoryBudget& memory);

  // Told when an export of `graph` begins. Drops what this graph writes differently, and keeps the
  // graph to compare the next one with. The content to hand to find() and keep().
  engine::Digest follow(const engine::Graph& graph);

  // Null: not kept, or another content has been asked for since.
  Text find(const engine::Digest& content, const Piece& piece) const;
  // Whether a piece of so many bytes would be kept now.
  bool wants(const engine::Digest& content, std::size_t bytes) const;
  void keep(const engine::Digest& content, const Piece& piece, Text text);

  std::uint64_t bytes() const;

 private:
  struct Kept {
    Piece piece;
    Text text;
  };
  static std::uint64_t key(const Piece& piece) {
    return std::uint64_t{piece.topology.value} << 1 | (piece.root ? 1 : 0);
  }
  bool fits(const engine::Digest& content, std::size_t bytes) const;
  void forget_all();
  void forget(std::uint64_t key);
  void forget_changes(const engine::Graph& graph);

  const std::uint64_t bytes_max_;
  MemoryBudget& memory_;
  mutable std::mutex mutex_;
  // All below guarded by mutex_.
  std::optional<engine::Digest> content_;  // asked for last
  bool asked_again_ = false;
  std::optional<engine::Graph> graph_;  // of the kept pieces; none when there are none
  boost::unordered_flat_map<std::uint64_t, Kept> kept_;
  MemoryReservation bytes_;  // of all kept pieces
  const MemoryBudget::Registration registration_;
};

}  // namespace netml::admin
