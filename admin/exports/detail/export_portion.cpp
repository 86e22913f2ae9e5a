#include "admin/exports/detail/export_portion.hpp"

#include <string>
#include <utility>

namespace netml::admin {

void ExportPortion::clear() {
  pieces_.clear();
  large_ = false;
  contents_.reset();
  restart();
}

void ExportPortion::set_large(const Piece& piece) {
  add(piece);
  large_ = true;
}

void ExportPortion::set_share(const Piece& piece, Contents contents, Share share) {
  add(piece);
  contents_ = std::move(contents);
  share_ = share;
}

void ExportPortion::restart() {
  next_ = 0;
  under_way_ = false;
  wrote_ = false;
  text_.clear();
  cached_.reset();
}

ExportPieces::Text ExportPortion::take(codecs::TextBuffer& text) {
  std::swap(text, text_);
  return std::exchange(cached_, nullptr);
}

void ExportPortion::write(std::size_t bytes_max) {
  text_.clear();
  cached_.reset();
  wrote_ = false;
  while (!whole() && text_.size() < bytes_max) {
    if (under_way_) {
      write_on(bytes_max);
      continue;
    }
    if (ExportPieces::Text cached = find_cached(); cached != nullptr) {
      if (cached->size() < kSentBytes) {
        text_.append(*cached);
        ++next_;
        continue;
      }
      if (!text_.empty()) return;  // it is found again when that is sent
      cached_ = std::move(cached);
      ++next_;
      return;
    }
    begin();
    if (contents_ != nullptr || !wants(origin_.last_bytes)) continue;
    if (large_) return write_large_kept();
    write_kept();
  }
}

ExportPieces::Text ExportPortion::find_cached() const {
  if (origin_.pieces == nullptr || contents_ != nullptr) return nullptr;
  return origin_.pieces->find(origin_.content, pieces_[next_]);
}

bool ExportPortion::wants(std::size_t bytes) const {
  return origin_.pieces != nullptr && origin_.pieces->wants(origin_.content, bytes);
}

void ExportPortion::begin() {
  if (contents_ != nullptr)
    writer_.begin(pieces_[next_], contents_, share_);
  else
    writer_.begin(pieces_[next_]);
  under_way_ = true;
  piece_bytes_ = 0;
  wrote_ = true;
}

void ExportPortion::write_on(std::size_t bytes_max) {
  wrote_ = true;
  const std::size_t before = text_.size();
  const bool whole = writer_.write(text_, bytes_max);
  piece_bytes_ += text_.size() - before;
  if (whole) end_piece();
}

void ExportPortion::end_piece() {
  if (contents_ == nullptr) origin_.last_bytes = piece_bytes_;
  under_way_ = false;
  ++next_;
}

// Sent from the memory that is used again, and copied once from there. What turns out too long to
// be cached stays under way.
void ExportPortion::write_kept() {
  const std::size_t from = text_.size();
  bool whole = false;
  do {
    whole = writer_.write(text_, text_.size() + kSentBytes);
    piece_bytes_ = text_.size() - from;
  } while (!whole && wants(2 * piece_bytes_));
  if (!whole) return;
  auto kept = std::make_shared<const std::string>(text_.view().substr(from));
  origin_.pieces->store(origin_.content, pieces_[next_], std::move(kept));
  end_piece();
}

// The same without being in memory twice: sent from where it is cached.
void ExportPortion::write_large_kept() {
  auto kept = std::make_shared<std::string>();
  kept->reserve(origin_.last_bytes + origin_.last_bytes / 16);  // topologies are often alike
  bool whole = false;
  do {
    text_.clear();
    whole = writer_.write(text_, kSentBytes);
    kept->append(text_.view());
  } while (!whole && wants(2 * kept->size()));
  text_.clear();
  cached_ = kept;
  piece_bytes_ = kept->size();
  if (!whole) return;
  origin_.pieces->store(origin_.content, pieces_[next_], cached_);
  end_piece();
}

}  // namespace netml::admin
