// What the elements of a file mean: gathers records, checks their values and hands them to the
// DocumentEvents (docs/requirements/exchange-format.md, sections 2 to 9). The elements that come
// here are in places where the grammar knows them.
//
// Thread: its owner.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "codecs/document/document_events.hpp"
#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/document/record_builder.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"

namespace netml::codecs {

class NetmlContent {
 public:
  // `errors` and `document` outlive the content.
  NetmlContent(const ReadLimits& limits, ErrorList& errors, DocumentEvents& document);

  // A topology's parts are complete when the next part begins: nothing can be added to them then.
  bool takes(Element child_of_topology) const;
  void begin(const OpenElement& element, std::span<const XmlAttribute> attributes);
  void append_text(std::string_view piece, TextPosition at);
  void end(const OpenElement& element);
  void note_skipped(const OpenElement& nml_topology);

  // The identifier of the record that is being read.
  std::string_view subject() const { return in_record_ ? record_.id() : document_.topology_id(); }
  // What the record being read takes so far is still to be handed on.
  bool in_record() const { return in_record_; }

 private:
  // ---- records ----
  void begin_record(Kind kind, const OpenElement& element,
                    std::span<const XmlAttribute> attributes);
  void check_id(std::optional<std::string_view> id);
  void begin_property(const OpenElement& element, std::span<const XmlAttribute> attributes);
  void refuse_attributes(const OpenElement& element, std::span<const XmlAttribute> attributes,
                         std::initializer_list<std::string_view> known);
  void end_record(const OpenElement& element);
  void end_header();
  void end_members();

  // ---- values, from the text of the element that ends ----
  void end_text(const OpenElement& element);
  void end_lifetime(const OpenElement& element);
  void end_owner(TextPosition at);
  std::optional<Instant> timestamp(std::string_view text, TextPosition at);
  std::optional<double> number(TextPosition at);
  std::optional<engine::Micro> degrees(std::string_view what, double limit, TextPosition at);
  std::optional<engine::Micro> altitude(TextPosition at);

  void report(std::string_view code, std::string_view message, TextPosition at) {
    errors_.report(code, message, at, subject());
  }

  const ReadLimits limits_;
  ErrorList& errors_;
  DocumentEvents& document_;
  RecordBuilder record_;
  TextPosition end_position_;  // of the last nml:end
  bool in_record_ = false;  // record_ is being filled; for a topology: until its next part begins
};

}  // namespace netml::codecs
