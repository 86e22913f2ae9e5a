// The grammar of the exchange format as a table (docs/requirements/exchange-format.md, section 2):
// which elements there are, what each contains, in which order and how often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codecs/document/record_builder.hpp"
#include "codecs/document/xml_stream.hpp"
#include "engine/graph/attributes.hpp"

namespace netml::codecs {

inline constexpr std::string_view kNetmlNamespace = "http://schemas.ogf.org/nml/2020/01/grenml";
inline constexpr std::string_view kNmlNamespace = "http://schemas.ogf.org/nml/2013/05/base#";
inline constexpr std::string_view kSchemaLocation =
    "http://schemas.ogf.org/nml/2020/01/grenml validation/grenml.xsd "
    "http://schemas.ogf.org/nml/2013/05/base# validation/nmlbase.xsd";

enum class Element : std::uint8_t {
  topology,
  institution,
  link,
  node,
  name,
  short_name,
  owner,
  lifetime,
  start,
  end,
  location,
  longitude,
  latitude,
  altitude,
  unlocode,
  address,
  property,
  node_reference,
  nml_topology,
};
// After these, in their order, the texts of records that came later (Attribute::is_further).
inline constexpr std::size_t kFirstElements = static_cast<std::size_t>(Element::nml_topology) + 1;
inline constexpr std::size_t kElementCount = kFirstElements + engine::kFurtherTextCount;
constexpr Element element_of(engine::Field further) {
  return static_cast<Element>(kFirstElements + static_cast<std::size_t>(further) -
                              static_cast<std::size_t>(engine::Field::origin) - 1);
}

inline constexpr std::uint8_t kMany = 255;  // as a maximum: no maximum
inline constexpr std::size_t kChildRulesMax = 8 + engine::kFurtherTextCount;

struct ChildRule {
  Element element;
  std::uint8_t max;
  std::uint8_t min;
};

struct ElementRule {
  Element element;
  std::string_view name;  // local
  std::string_view space;
  std::span<const ChildRule> children = {};  // in the order they must have; none: it holds text
  const TextAttribute* attribute = nullptr;  // that its text is, of the record around it

  constexpr bool is_text() const { return children.empty(); }
};

const ElementRule& rule_of(Element element);

// The place of `name` among the children of `parent`. Looks from `from` on first: children come
// in order, so that the next one is nearly always found at once.
std::optional<std::size_t> find_child(const ElementRule& parent, std::size_t from,
                                      const XmlName& name);

// An element that has begun and not ended, and how far its children have come.
struct OpenElement {
  const ElementRule* rule = nullptr;
  TextPosition position;
  std::uint8_t place = 0;                    // of the furthest child so far
  std::uint8_t counts[kChildRulesMax] = {};  // of children by place; many stay at kMany - 1
  bool noted = false;                        // forbidden text or skipped content was reported

  std::uint8_t count(Element child) const;
};

// How messages name an element: "Node", "nml:start", "x in namespace urn:y".
std::string display_name(const XmlName& name);
std::string display_name(const ElementRule& rule);

// "expected one of name, owner": what may come next in `parent`.
std::string expectation(const OpenElement& parent);

}  // namespace netml::codecs
