// Writes the exchange format (docs/requirements/exchange-format.md, section 11): a function of the
// graph, so that equal states give equal bytes. One line, the literal prefixes `grenml` and `nml`,
// elements in the order of the schema and by identifier within each kind.
//
// The text is made of pieces that depend on one topology each and can be kept and reused: for each
// topology in pre-order its start tag with all that it lists, up to its last node, and the end tags
// that follow. The root, and only it, declares the namespaces.
//
// Thread: any, as the graph is immutable; a NetmlWriter and a NetmlPieceWriter belong to one at a
// time. Several may write different pieces of a graph at once, each with a writer of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "codecs/document/text_buffer.hpp"
#include "engine/export/export_order.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

// What a piece is made of. Equal ones of graphs in which the topology is written alike
// (engine::topologies_written_differently) are equal to the byte.
struct NetmlPiece {
  RecordId topology;
  bool root = false;       // begins the file
  std::uint32_t ends = 0;  // of this topology and those around it that end here
  bool operator==(const NetmlPiece&) const = default;
};

// Writes one piece after the other, each in parts.
class NetmlPieceWriter {
 public:
  using Contents = std::shared_ptr<const engine::TopologyContents>;
  // Of the elements of a topology, in their order. The share that begins with the first has what
  // comes before the elements, the one that ends with the last the end tags.
  struct Share {
    std::size_t first = 0;
    std::size_t last = 0;  // the one behind it
  };

  // `graph` outlives the writer. Topologies that are written have an owner, as
  // engine::export_tree makes sure.
  explicit NetmlPieceWriter(const engine::Graph& graph);
  NetmlPieceWriter(NetmlPieceWriter&&) noexcept;
  NetmlPieceWriter& operator=(NetmlPieceWriter&&) noexcept;
  ~NetmlPieceWriter();

  // What is written next, instead of what has not been written of anything else.
  void begin(const NetmlPiece& piece);
  void begin(const NetmlPiece& piece, Contents contents, Share share);
  // Appends until `out` has `bytes_max` and the element that is being written ends. False while
  // there is more. Something must have begun.
  bool write(TextBuffer& out, std::size_t bytes_max);

 private:
  class Elements;

  std::unique_ptr<Elements> elements_;
  NetmlPiece piece_;
  Contents contents_;  // null: nothing has begun
  Share share_;        // what is still to be written of it
  bool head_written_ = false;
};

// As many elements as there are shares to be made of.
inline std::size_t element_count(const engine::TopologyContents& contents) {
  return contents.institutions.size() + contents.links.size() + contents.nodes.size();
}

// A whole export in pieces, so that it need never be in memory at once.
class NetmlWriter {
 public:
  using Piece = NetmlPiece;

  // `graph` outlives the writer; `tree` is of that graph.
  NetmlWriter(const engine::Graph& graph, engine::ExportTree tree);

  // What comes next; nothing when the file is complete.
  std::optional<Piece> next();
  // Appends a piece of this graph in parts, one piece after the other: until `out` has `bytes_max`
  // and the element that is being written ends. False while there is more of the piece.
  bool write_part(const Piece& piece, TextBuffer& out, std::size_t bytes_max);
  bool write_part(const Piece& piece, std::string& out, std::size_t bytes_max);

 private:
  engine::ExportTree tree_;
  std::size_t next_ = 0;
  NetmlPieceWriter writer_;
  bool under_way_ = false;  // a piece is written in parts
};

}  // namespace netml::codecs
