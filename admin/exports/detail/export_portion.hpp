// A portion of an export: as much of it as one thread writes at a time, some small topologies, one,
// or a share of a large one. Portions are written one beside the other, and sent one after the
// other.
//
// Thread: one at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "admin/exports/export_pieces.hpp"
#include "codecs/netml/netml_writer.hpp"

namespace netml::admin {

// What is worth sending by itself; smaller pieces are joined.
inline constexpr std::size_t kSentBytes = 256 << 10;

// What all portions of an export have in common. Thread: any.
struct ExportOrigin {
  ExportOrigin(const engine::Graph& exported, ExportPieces* cached)
      : graph(exported), pieces(cached) {}

  const engine::Graph& graph;
  ExportPieces* const pieces;               // those that are cached; null: none
  engine::Digest content;                   // where there are any
  std::atomic<std::size_t> last_bytes = 0;  // of a piece that was written
};

class ExportPortion {
 public:
  using Piece = codecs::NetmlPiece;
  using Contents = codecs::NetmlPieceWriter::Contents;
  using Share = codecs::NetmlPieceWriter::Share;

  static constexpr std::size_t kPiecesMax = 256;

  explicit ExportPortion(ExportOrigin& origin) : origin_(origin), writer_(origin.graph) {
    pieces_.reserve(kPiecesMax);
  }

  // ---- what it is of: at most kPiecesMax pieces, so that adding one never fails ----
  void clear();  // of nothing; keeps its memory
  void add(const Piece& piece) { pieces_.push_back(piece); }
  // Alone: a topology that is too long to be copied into the cache, or a share of one.
  void set_large(const Piece& piece);
  void set_share(const Piece& piece, Contents contents, Share share);
  bool empty() const { return pieces_.empty(); }
  std::size_t size() const { return pieces_.size(); }

  // ---- writing ----
  // The next part of the text, instead of the one before: about `bytes_max`, or a cached piece.
  // After a failure nothing of it counts, and only restart() may follow.
  void write(std::size_t bytes_max);
  void restart();  // before its first part
  bool whole() const { return next_ == pieces_.size(); }
  // Whether something of the part was not cached.
  bool wrote() const { return wrote_; }
  // Gives the part away, and takes memory for the next one: a cached piece, or null and a text.
  ExportPieces::Text take(codecs::TextBuffer& text);

 private:
  ExportPieces::Text find_cached() const;
  bool wants(std::size_t bytes) const;  // whether a piece of so many bytes would be cached
  void begin();
  void write_on(std::size_t bytes_max);
  void end_piece();
  void write_kept();
  void write_large_kept();

  ExportOrigin& origin_;
  std::vector<Piece> pieces_;
  bool large_ = false;
  Contents contents_;  // of the share; null: whole pieces
  Share share_;
  codecs::NetmlPieceWriter writer_;
  std::size_t next_ = 0;         // of the pieces: under way, or to begin
  bool under_way_ = false;       // the writer has begun it
  std::size_t piece_bytes_ = 0;  // of it, so far
  bool wrote_ = false;
  codecs::TextBuffer text_;
  ExportPieces::Text cached_;  // instead of the text
};

}  // namespace netml::admin
