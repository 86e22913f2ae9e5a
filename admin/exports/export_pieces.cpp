#include "admin/exports/export_pieces.hpp"

#include "engine/export/export_changes.hpp"

namespace netml::admin {

// Of records that share an identifier the newest is written, which their numbers tell.
engine::Digest export_content(const engine::Graph& graph) {
  return graph.has_duplicates() ? graph.digest() : graph.content_digest();
}

// The cache empties itself; without pieces there is nothing to compare a graph with.
ExportPieces::ExportPieces(std::uint64_t bytes_max, MemoryBudget& memory, CacheCounts* counted)
    : bytes_max_(bytes_max),
      memory_(memory),
      pieces_(memory, {.counted = counted},
              [](const Cached& cached) { return cached.text->capacity(); }),
      registration_(memory.add_cache([this] {
        const std::lock_guard lock(mutex_);
        graph_.reset();
        pieces_.clear();
      })) {}

engine::Digest ExportPieces::follow(const engine::Graph& graph) {
  const engine::Digest content = export_content(graph);
  const std::lock_guard lock(mutex_);
  if (content_ == content) {
    asked_again_ = true;
  } else {
    content_ = content;
    forget_changes(graph);
  }
  if (asked_again_)
    graph_ = graph;
  else
    graph_.reset();
  return content;
}

void ExportPieces::forget_changes(const engine::Graph& graph) {
  if (!graph_) return;
  const auto changed = engine::topologies_written_differently(*graph_, graph);
  if (!changed) return pieces_.clear();
  for (const RecordId topology : *changed) {
    pieces_.erase(key({topology, false}));
    pieces_.erase(key({topology, true}));
  }
}

ExportPieces::Text ExportPieces::find(const engine::Digest& content, const Piece& piece) {
  const std::lock_guard lock(mutex_);
  if (!(content_ == content)) return nullptr;
  const auto found = pieces_.find(key(piece));
  return found != nullptr && found->piece == piece ? found->text : nullptr;
}

bool ExportPieces::wants(const engine::Digest& content, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  return fits(content, bytes);
}

bool ExportPieces::fits(const engine::Digest& content, std::size_t bytes) const {
  return asked_again_ && content_ == content && graph_.has_value() &&
         pieces_.bytes() + bytes <= bytes_max_ && memory_.has_spare(bytes);
}

void ExportPieces::store(const engine::Digest& content, const Piece& piece, Text text) {
  const std::lock_guard lock(mutex_);
  pieces_.erase(key(piece));
  if (!fits(content, text->capacity())) return;
  pieces_.store(key(piece), std::make_shared<const Cached>(Cached{piece, std::move(text)}));
}

}  // namespace netml::admin
