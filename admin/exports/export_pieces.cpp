#include "admin/exports/export_pieces.hpp"

#include "engine/export/export_changes.hpp"

namespace netml::admin {

// Of records that share an identifier the newest is written, which their numbers tell.
engine::Digest export_content(const engine::Graph& graph) {
  return graph.has_duplicates() ? graph.digest() : graph.content_digest();
}

ExportPieces::ExportPieces(std::uint64_t bytes_max, MemoryBudget& memory)
    : bytes_max_(bytes_max),
      memory_(memory),
      bytes_(memory.account(MemoryUse::caches, 0)),
      registration_(memory.add_cache([this] {
        const std::lock_guard lock(mutex_);
        forget_all();
        graph_.reset();
      })) {}

void ExportPieces::forget_all() {
  kept_.clear();
  bytes_.set(0);
}

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
  if (!changed) {
    forget_all();
    return;
  }
  for (const RecordId topology : *changed) {
    forget(key({topology, false}));
    forget(key({topology, true}));
  }
}

void ExportPieces::forget(std::uint64_t key) {
  const auto found = kept_.find(key);
  if (found == kept_.end()) return;
  bytes_.set(bytes_.bytes() - found->second.text->capacity());
  kept_.erase(found);
}

ExportPieces::Text ExportPieces::find(const engine::Digest& content, const Piece& piece) const {
  const std::lock_guard lock(mutex_);
  if (!(content_ == content)) return nullptr;
  const auto found = kept_.find(key(piece));
  return found != kept_.end() && found->second.piece == piece ? found->second.text : nullptr;
}

bool ExportPieces::wants(const engine::Digest& content, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  return fits(content, bytes);
}

bool ExportPieces::fits(const engine::Digest& content, std::size_t bytes) const {
  return asked_again_ && content_ == content && graph_.has_value() &&
         bytes_.bytes() + bytes <= bytes_max_ && memory_.has_spare(bytes);
}

void ExportPieces::keep(const engine::Digest& content, const Piece& piece, Text text) {
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = text->capacity();
  forget(key(piece));
  if (!fits(content, bytes)) return;
  bytes_.set(bytes_.bytes() + bytes);
  kept_.insert_or_assign(key(piece), Kept{piece, std::move(text)});
}

std::uint64_t ExportPieces::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_.bytes();
}

}  // namespace netml::admin
