#include "codecs/formats/gml/gml_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "codecs/formats/gml/gml_content.hpp"
#include "codecs/formats/gml/gml_texts.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";

// Goes through the first keys and values of a file.
class Beginning final : public GmlEvents {
 public:
  bool is_gml(std::string_view text) {
    tokens_.feed(text);
    return found_;
  }
  void token(const GmlToken& token) override {
    if (key_.empty()) {
      if (token.kind != GmlKind::word || !is_gml_key(token.text)) return tokens_.stop();
      key_ = token.text;
      return;
    }
    // Graphviz begins so, with the same words.
    if (token.kind == GmlKind::word && token.text.starts_with('{')) return tokens_.stop();
    found_ = token.kind == GmlKind::open && equals_ignoring_case(key_, "graph");
    if (token.kind == GmlKind::open || token.kind == GmlKind::close) tokens_.stop();
    key_.clear();
  }
  void fault(std::string_view, std::string_view, TextPosition) override {}

 private:
  GmlTokens tokens_{ReadLimits(), *this};
  std::string key_;
  bool found_ = false;
};

}  // namespace

ReadResult read_gml(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits) {
  GmlContent content(limits);
  bool first = true;
  const auto take = [&](std::span<const std::byte> bytes) {
    std::string_view piece(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (std::exchange(first, false) && piece.starts_with(kMark)) piece.remove_prefix(kMark.size());
    content.feed(piece);
    return !content.stopped();
  };
  if (const Status read = read_in_pieces(file, take); !read)
    content.fault("unreadable", read.error().message, {});
  return content.finish(options);
}

bool begins_as_gml(std::string_view first_bytes) {
  if (first_bytes.starts_with(kMark)) first_bytes.remove_prefix(kMark.size());
  return Beginning().is_gml(first_bytes);
}

}  // namespace netml::codecs
