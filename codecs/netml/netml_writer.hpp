// Writes the exchange format (docs/requirements/exchange-format.md, section 11): a function of the
// graph, so that equal states give equal bytes. One line, the literal prefixes `grenml` and `nml`,
// elements in the order of the schema and by identifier within each kind.
//
// The text is made of pieces that depend on one topology each and can be kept and reused:
//
//   prologue, then for each topology in pre-order: its open piece, then its sub-topologies, then
//   kTopologyClose
//
// Thread: any, as the graph is immutable; a NetmlWriter belongs to one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/export/export_order.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

void write_prologue(std::string& out);

// Appends the start tag of `topology` and all it lists, up to its last node. The root, and only
// it, declares the namespaces. The topology has an owner, as engine::export_tree makes sure.
void write_topology_open(std::string& out, const engine::Graph& graph, RecordId topology,
                         bool root);

inline constexpr std::string_view kTopologyClose = "</grenml:Topology>";

// A whole export in pieces, so that it need never be in memory at once: one for each topology of
// the tree, with the end tags that follow it.
class NetmlWriter {
 public:
  // What a piece is made of. Equal ones of graphs in which the topology is written alike
  // (engine::topologies_written_differently) are equal to the byte.
  struct Piece {
    RecordId topology;
    bool root = false;       // begins the file
    std::uint32_t ends = 0;  // of this topology and those around it that end here
    bool operator==(const Piece&) const = default;
  };

  // `graph` outlives the writer; `tree` is of that graph.
  NetmlWriter(const engine::Graph& graph, engine::ExportTree tree);

  // What comes next; nothing when the file is complete.
  std::optional<Piece> next();
  // Appends a piece of this graph.
  void write(const Piece& piece, std::string& out) const;
  // The same in parts, one piece after the other: appends until `out` has `bytes_max` and the
  // element that is being written ends. False while there is more of the piece.
  bool write_part(const Piece& piece, std::string& out, std::size_t bytes_max);

  // Replaces `text` by what comes next; false when the file is complete. Handing in the same
  // string again reuses its memory.
  bool next(std::string& text);

 private:
  const engine::Graph& graph_;
  engine::ExportTree tree_;
  std::size_t next_ = 0;
  // Of the piece that is written in parts.
  std::optional<engine::TopologyContents> contents_;
  std::size_t elements_written_ = 0;
};

}  // namespace netml::codecs
