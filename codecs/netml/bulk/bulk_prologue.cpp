#include "codecs/netml/bulk/bulk_prologue.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "codecs/document/xml_stream.hpp"
#include "codecs/netml/bulk/markup_cursor.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

constexpr std::size_t kPrologueBytesMax = 8 << 10;
// What tells the form of a file, and whether it can be XML at all.
constexpr std::size_t kFirstBytes = 4;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Of two bytes to a unit, as a parser sees it before there can be a declaration; UTF-8 otherwise.
TextEncoding encoding_at_first_sight(std::string_view file) {
  using namespace std::string_view_literals;
  if (file.starts_with("\xff\xfe"sv) || file.starts_with("<\0"sv))
    return TextEncoding::utf16_little;
  if (file.starts_with("\xfe\xff"sv) || file.starts_with("\0<"sv)) return TextEncoding::utf16_big;
  return TextEncoding::utf8;
}

// That of a declaration, where the file looks like `first`. The parser refuses what contradicts it.
std::optional<TextEncoding> declared_encoding(std::string_view name, TextEncoding first) {
  if (name.empty()) return first;
  const std::string lower = lower_ascii(name);
  if (first != TextEncoding::utf8)
    return lower.starts_with("utf-16") ? std::optional(first) : std::nullopt;
  if (lower == "utf-8") return TextEncoding::utf8;
  if (lower == "iso-8859-1") return TextEncoding::latin1;
  if (lower == "us-ascii") return TextEncoding::ascii;
  return std::nullopt;
}

// Takes the prologue from the parser, as long as nothing about it is special.
class PrologueEvents final : public XmlEvents {
 public:
  PrologueEvents(const ReadLimits& limits, BulkPrologue& prologue)
      : prologue_(prologue), stream_(limits, *this) {}

  // The file may end anywhere behind the prologue.
  bool read(std::string_view file) {
    marked_ = file.starts_with(kByteOrderMark);
    stream_.feed(std::as_bytes(std::span(file)));
    stream_.finish();
    return complete_ && plain_;
  }
  // Of the file, up to the end of the root's start tag.
  std::size_t bytes() const { return bytes_; }

  void declaration(std::string_view version, std::string_view encoding) override {
    const auto declared = declared_encoding(encoding, prologue_.encoding);
    plain_ = version == "1.0" && declared && (!marked_ || declared == TextEncoding::utf8);
    prologue_.encoding = declared.value_or(prologue_.encoding);
  }
  // Each namespace has one prefix, none of those that XML keeps for itself.
  void declare_namespace(std::string_view prefix, std::string_view space) override {
    if (space.empty() || lower_ascii(prefix).starts_with("xml") ||
        std::ranges::find(spaces_, space) != spaces_.end())
      plain_ = false;
    spaces_.emplace_back(space);
    prologue_.names.set_prefix(space, prefix);
  }
  void start_element(const XmlName& name, std::span<const XmlAttribute> attributes) override {
    const ElementRule& topology = rule_of(Element::topology);
    complete_ = name.local == topology.name && name.space == topology.space;
    for (const auto& [attribute, value] : attributes) {
      if (attribute.space == kXsiNamespace) continue;
      if (attribute.space.empty() && attribute.local == "id")
        prologue_.id = value;
      else if (attribute.space.empty() && attribute.local == "version")
        prologue_.version = value;
      else
        plain_ = false;
    }
    bytes_ = stream_.bytes_to_end();
    stream_.stop();
  }
  void end_element() override {}
  void text(std::string_view) override {}
  void fault(std::string_view, std::string_view) override { plain_ = false; }

 private:
  BulkPrologue& prologue_;
  std::vector<std::string> spaces_;
  std::size_t bytes_ = 0;
  bool marked_ = false;  // as UTF-8
  bool complete_ = false;
  bool plain_ = true;
  XmlStream stream_;
};

// Whether the start tag of the root is there, as far as can be seen without reading it.
PrologueState root_tag_state(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.empty()) return PrologueState::incomplete;
    if (text.front() != '<') return PrologueState::refused;
    const bool comment = text.starts_with("<!--");
    if (!comment && !text.starts_with("<?")) break;
    const std::string_view end = comment ? "-->" : "?>";
    const std::size_t at = text.find(end, comment ? 4 : 2);
    if (at == std::string_view::npos) return PrologueState::incomplete;
    text.remove_prefix(at + end.size());
  }
  if (text.starts_with("<!") && !std::string_view("<!--").starts_with(text))
    return PrologueState::refused;
  return text.find('>') == std::string_view::npos ? PrologueState::incomplete
                                                  : PrologueState::complete;
}

}  // namespace

void ElementNames::set_prefix(std::string_view space, std::string_view prefix) {
  for (std::size_t i = 0; i < kElementCount; ++i) {
    const ElementRule& rule = rule_of(static_cast<Element>(i));
    if (rule.space != space) continue;
    names_[i] = prefix;
    if (!prefix.empty()) names_[i] += ':';
    names_[i] += rule.name;
  }
}

PrologueState read_prologue(std::string_view file, const ReadLimits& limits,
                            BulkPrologue& prologue) {
  if (file.size() < kFirstBytes) return PrologueState::incomplete;
  file = file.substr(0, kPrologueBytesMax);
  prologue.encoding = encoding_at_first_sight(file);
  std::string text;
  if (!TextDecoder(prologue.encoding).append(file, text)) return PrologueState::refused;
  const PrologueState extent = root_tag_state(text);
  if (extent == PrologueState::incomplete && file.size() < kPrologueBytesMax) return extent;
  if (extent != PrologueState::complete) return PrologueState::refused;
  PrologueEvents events(limits, prologue);
  if (!events.read(file)) return PrologueState::refused;
  text.clear();
  if (!TextDecoder(prologue.encoding).append(file.substr(0, events.bytes()), text))
    return PrologueState::refused;
  prologue.bytes = text.size();
  prologue.empty_root = text.ends_with("/>");
  return is_plain_text(text) ? PrologueState::complete : PrologueState::refused;
}

}  // namespace netml::codecs
