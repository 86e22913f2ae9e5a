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
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Takes the prologue from the parser, as long as nothing about it is special.
class PrologueEvents final : public XmlEvents {
 public:
  PrologueEvents(const ReadLimits& limits, BulkPrologue& prologue)
      : prologue_(prologue), stream_(limits, *this) {}

  // The text may end anywhere behind the prologue.
  bool read(std::string_view text) {
    stream_.feed(std::as_bytes(std::span(text)));
    stream_.finish();
    return complete_ && plain_;
  }

  void declaration(std::string_view version, std::string_view encoding) override {
    plain_ = version == "1.0" && (encoding.empty() || lower_ascii(encoding) == "utf-8");
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
    prologue_.bytes = stream_.bytes_to_end();
    stream_.stop();
  }
  void end_element() override {}
  void text(std::string_view) override {}
  void fault(std::string_view, std::string_view) override { plain_ = false; }

 private:
  BulkPrologue& prologue_;
  std::vector<std::string> spaces_;
  bool complete_ = false;
  bool plain_ = true;
  XmlStream stream_;
};

// Whether the start tag of the root is there, as far as can be seen without reading it.
PrologueState root_tag_state(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return PrologueState::incomplete;
  if (text[first] != '<') return PrologueState::refused;
  std::size_t tag = first;
  while (tag + 1 < text.size() && text[tag + 1] == '?') {
    tag = text.find('<', tag + 1);
    if (tag == std::string_view::npos) return PrologueState::incomplete;
  }
  if (text.substr(tag).starts_with("<!")) return PrologueState::refused;
  return text.find('>', tag) == std::string_view::npos ? PrologueState::incomplete
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

PrologueState read_prologue(std::string_view text, const ReadLimits& limits,
                            BulkPrologue& prologue) {
  text = text.substr(0, kPrologueBytesMax);
  const PrologueState extent = root_tag_state(text);
  if (extent == PrologueState::incomplete && text.size() < kPrologueBytesMax) return extent;
  if (extent != PrologueState::complete) return PrologueState::refused;
  if (!PrologueEvents(limits, prologue).read(text)) return PrologueState::refused;
  prologue.empty_root = text[prologue.bytes - 2] == '/';
  return is_plain_text(text.substr(0, prologue.bytes)) ? PrologueState::complete
                                                       : PrologueState::refused;
}

}  // namespace netml::codecs
