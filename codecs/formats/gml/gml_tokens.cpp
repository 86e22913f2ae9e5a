#include "codecs/formats/gml/gml_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "codecs/formats/gml/gml_texts.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kEndsWord = " \t\r\n[]\"#";

}  // namespace

void GmlTokens::feed(std::string_view piece) {
  while (!piece.empty() && !stopped_) {
    switch (in_) {
      case In::blank:
        begin(piece);
        break;
      case In::comment: {
        const std::size_t end = piece.find('\n');
        if (end != std::string_view::npos) in_ = In::blank;
        pass(piece, std::min(end, piece.size()));
        break;
      }
      case In::word: {
        const std::size_t end = piece.find_first_of(kEndsWord);
        take(piece, std::min(end, piece.size()));
        if (end != std::string_view::npos) emit(GmlKind::word);
        break;
      }
      case In::string: {
        const std::size_t end = piece.find('"');
        take(piece, std::min(end, piece.size()));
        if (end == std::string_view::npos) break;
        pass(piece, 1);
        emit(GmlKind::string);
        break;
      }
    }
  }
}

void GmlTokens::begin(std::string_view& piece) {
  const std::size_t blanks = piece.find_first_not_of(kBlanks);
  if (blanks != 0) return pass(piece, std::min(blanks, piece.size()));
  begin_ = position();
  switch (piece.front()) {
    case '#':
      in_ = In::comment;
      return;
    case '[':
    case ']': {
      const bool open = piece.front() == '[';
      pass(piece, 1);
      return emit(open ? GmlKind::open : GmlKind::close);
    }
    case '"':
      pass(piece, 1);
      in_ = In::string;
      return;
    default:
      in_ = In::word;
  }
}

void GmlTokens::finish() {
  if (stopped_) return;
  if (in_ == In::string) return fault("not-well-formed", "the file ends inside this string");
  if (in_ == In::word) emit(GmlKind::word);
}

void GmlTokens::pass(std::string_view& piece, std::size_t bytes) {
  for (const char c : piece.substr(0, bytes)) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;  // of UTF-8
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if (!continues) {
      ++column_;
    }
  }
  piece.remove_prefix(bytes);
}

void GmlTokens::take(std::string_view& piece, std::size_t bytes) {
  text_ += piece.substr(0, bytes);
  pass(piece, bytes);
  if (text_.size() > limits_.text_bytes)
    fault("too-large",
          beyond_limit("a text is too long", limit_names::kXmlTextBytes, limits_.text_bytes));
}

void GmlTokens::emit(GmlKind kind) {
  if (stopped_) return;
  in_ = In::blank;
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '&'; };
  if (!std::ranges::all_of(text_, is_plain)) {
    text_ = gml_in_utf8(text_);
    if (!is_text_of_a_map(text_))
      return fault("not-well-formed", "this text has a control character");
    if (kind == GmlKind::string) text_ = without_entities(text_);
  }
  events_.token({kind, text_, begin_});
  text_.clear();
}

void GmlTokens::fault(std::string_view code, std::string_view message) {
  stopped_ = true;
  events_.fault(code, message, begin_);
}

TextPosition GmlTokens::position() const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return {static_cast<std::uint32_t>(std::min(line_, kMost)),
          static_cast<std::uint32_t>(std::min(column_, kMost))};
}

}  // namespace netml::codecs
