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
  constexpr std::uint64_t kPieceBytes = 256 << 10;
  GmlContent content(limits);
  std::vector<char> buffer(static_cast<std::size_t>(std::min(kPieceBytes, file.size())));
  for (std::uint64_t done = 0; done < file.size() && !content.stopped();) {
    const auto count = static_cast<std::size_t>(std::min(kPieceBytes, file.size() - done));
    const auto bytes = std::as_writable_bytes(std::span(buffer).first(count));
    if (const Status read = file.read_at(done, bytes); !read) {
      content.fault("unreadable", read.error().message, {});
      break;
    }
    std::string_view piece(buffer.data(), count);
    if (done == 0 && piece.starts_with(kMark)) piece.remove_prefix(kMark.size());
    content.feed(piece);
    done += count;
  }
  return content.finish(options);
}

bool begins_as_gml(std::string_view first_bytes) {
  if (first_bytes.starts_with(kMark)) first_bytes.remove_prefix(kMark.size());
  return Beginning().is_gml(first_bytes);
}

}  // namespace netml::codecs
