// The strict path of reading (netml_reader.hpp): expat's events checked against the whole grammar,
// every error with its place. What it accepts, refuses and reports is what the format means.
//
// Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/document_builder.hpp"
#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/document/xml_stream.hpp"
#include "codecs/netml/strict/netml_content.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"

namespace netml::codecs {

// Follows the elements with a stack and checks each against the grammar. The subtree of an
// element that may not be where it is gets skipped; one that only comes too late is read, so that
// its contents are checked as well.
class StrictReader final : public XmlEvents {
 public:
  explicit StrictReader(const ReadLimits& limits);

  void feed(std::span<const std::byte> bytes);
  bool stopped() const { return stream_.stopped(); }
  // Gives up for a reason that lies outside the file.
  void abandon(std::string_view code, std::string_view message);
  ReadResult finish();

  void start_element(const XmlName& name, std::span<const XmlAttribute> attributes) override;
  void end_element() override;
  void text(std::string_view piece) override;
  void fault(std::string_view code, std::string_view message) override;

 private:
  std::optional<Element> admit_root(const XmlName& name);
  std::optional<Element> admit_child(const XmlName& name);
  void refuse_child(const XmlName& name);
  void check_children(const OpenElement& element);
  void report(std::string_view code, std::string_view message, TextPosition at) {
    errors_.report(code, message, at, content_.subject());
  }
  void stop_if_closed() {
    if (errors_.closed()) stream_.stop();
  }

  std::string signature_;  // the first bytes of the file
  ErrorList errors_;
  DocumentBuilder document_;
  NetmlContent content_;
  XmlStream stream_;
  std::vector<OpenElement> open_;
  std::uint32_t skipping_ = 0;  // open elements of a subtree that is not looked at
};

}  // namespace netml::codecs
