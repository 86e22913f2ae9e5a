// Takes the text of an export apart without reading what it says: as it is written by
// netml_writer.hpp, and in no other form. There `<` begins nothing but a tag, and each tag is
// written in one way.
//
// Failure: Errc::invalid_input for a text of another form. Thread: one at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/result.hpp"

namespace netml::codecs {

inline constexpr std::string_view kXmlDeclaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
inline constexpr std::string_view kTopologyEnd = "</grenml:Topology>";

// What an element is called among those of its topology, in the order in which they are written:
// institutions, the global one first, then links, then nodes, each by identifier.
inline constexpr std::size_t kElementRanks = 3;
struct ElementKey {
  std::uint8_t rank = 0;
  bool after_global = false;
  std::string id;
  auto operator<=>(const ElementKey&) const = default;
};
ElementKey element_key(Kind kind, std::string id);
Kind kind_of(const ElementKey& key);

struct ElementText {
  ElementKey key;
  std::string_view text;
};

// The identifiers that a head, or an element, refers to. Nothing for a text of another form.
struct References {
  std::vector<std::string> owners;
  std::vector<std::string> ends;  // of a link
};
std::optional<References> references_in(std::string_view text);

// A place in a text, and what can be taken there.
class ExportedText {
 public:
  explicit ExportedText(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  std::size_t place() const { return at_; }
  std::string_view since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }
  bool is_at(std::string_view literal) const { return text_.substr(at_).starts_with(literal); }
  // Whether it was there.
  bool take(std::string_view literal);
  // `name` and the value in quotes, as ` id="a"`, without its escapes.
  std::optional<std::string> take_attribute(std::string_view name);
  // The start tag of a topology with what it says of itself.
  struct Head {
    std::string id;
    std::string_view text;
  };
  Result<Head> take_head();
  // Nothing: what comes next is no element.
  Result<std::optional<ElementText>> take_element();
  // The elements that come next, without asking for their identifiers.
  Status pass_elements();

 private:
  Status pass_element(std::size_t kind);

  std::string_view text_;
  std::size_t at_ = 0;
};

// A topology with what it lists, apart from its sub-topologies.
struct ExportedTopology {
  std::string id;
  std::optional<std::size_t> parent;  // its place among them; none: the root
  std::string_view own;               // its head and its elements
};
// Of a whole export, in its order.
Result<std::vector<ExportedTopology>> split_export(std::string_view document);

}  // namespace netml::codecs
