// Writes the exchange format (docs/requirements/exchange-format.md, section 11): a function of the
// graph, so that equal states give equal bytes. One line, the literal prefixes `grenml` and `nml`,
// elements in the order of the schema and by identifier within each kind.
//
// The text is made of pieces that depend on one topology each and can be kept and reused: for each
// topology in pre-order its start tag with all that it lists, up to its last node, and the end tags
// that follow. The root, and only it, declares the namespaces.
//
// Thread: any, as the graph is immutable; a NetmlWriter belongs to one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/export/export_order.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

// A whole export in pieces, so that it need never be in memory at once.
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

  // `graph` outlives the writer; `tree` is of that graph. Topologies that are written have an
  // owner, as engine::export_tree makes sure.
  NetmlWriter(const engine::Graph& graph, engine::ExportTree tree);

  // What comes next; nothing when the file is complete.
  std::optional<Piece> next();
  // Appends a piece of this graph in parts, one piece after the other: until `out` has `bytes_max`
  // and the element that is being written ends. False while there is more of the piece.
  bool write_part(const Piece& piece, std::string& out, std::size_t bytes_max);

 private:
  const engine::Graph& graph_;
  engine::ExportTree tree_;
  std::size_t next_ = 0;
  // Of the piece that is written in parts.
  std::optional<engine::TopologyContents> contents_;
  std::size_t elements_written_ = 0;
};

}  // namespace netml::codecs
