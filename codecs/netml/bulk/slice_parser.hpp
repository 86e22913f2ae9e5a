// Reads one slice of a file on the bulk path: a run of whole children of topologies, and start
// and end tags of topologies between them. The grammar and the meaning of values are those of the
// strict path (netml_grammar.hpp, netml_content.hpp); the tags are matched by MarkupCursor.
//
// A slice is read without knowing what comes before it. So it may end topologies that began
// earlier, and whether its first elements may come where they do is for the assembler to check.
//
// Failure: parse gives false for all that is not certain to be accepted by the strict path; the
// parser is of no more use then. Thread: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/document_recording.hpp"
#include "codecs/document/error_list.hpp"
#include "codecs/netml/bulk/bulk_prologue.hpp"
#include "codecs/netml/bulk/markup_cursor.hpp"
#include "codecs/netml/strict/netml_content.hpp"

namespace netml::codecs {

class SliceParser {
 public:
  // `prologue` outlives the parser.
  SliceParser(const ReadLimits& limits, const BulkPrologue& prologue);
  SliceParser(const SliceParser&) = delete;
  SliceParser& operator=(const SliceParser&) = delete;

  // `text` is followed by a zero byte. The first slice begins with the prologue.
  bool parse(std::string_view text, bool first);

  // What the slice says, until the next one is parsed.
  DocumentRecording& recording() { return recording_; }
  std::uint64_t elements() const { return elements_; }

 private:
  bool begin_root();
  bool parse_elements();
  bool parse_markup();
  bool parse_start_tag();
  bool parse_end_tag();
  bool take_child_name(Element& child);
  bool take_attributes();
  bool parse_text(const OpenElement& element);
  bool parse_section();
  bool take_end_name(Element element);
  void end_element(const OpenElement& element);

  const ReadLimits limits_;
  const BulkPrologue& prologue_;
  ErrorList errors_;
  DocumentRecording recording_;
  NetmlContent content_;
  MarkupCursor cursor_;
  // Innermost last. The first is the topology that the slice lies in, whichever that is.
  std::vector<OpenElement> open_;
  std::uint64_t elements_ = 0;
  std::vector<XmlAttribute> attributes_;
  std::array<std::string, 2> decoded_values_;
};

}  // namespace netml::codecs
