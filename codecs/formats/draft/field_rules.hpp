// The mapping table of a format: what each field of a file becomes. The reader goes by the table,
// and a test holds the page of the format in docs/formats/ against it.
//
// Thread: any (constants).
#pragma once

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codecs/document/id_key.hpp"

namespace netml::codecs {

// What a field of a file says of the map.
enum class Target : std::uint8_t {
  identifier,
  name,
  short_name,
  version,
  start,
  end,
  latitude,
  longitude,
  altitude,
  unlocode,
  address,
  owner,      // of a topology its primary one; by identifier or name
  topology,   // that lists the element; by identifier or key
  parent,     // of a topology; by identifier
  key,        // what the file calls the element by
  link_end,   // the key of a node, or its reference
  reference,  // what a reader calls an element by that has no key: it says nothing of it
  property,
  long_property,  // one that may be longer than a property: in pieces
  half_link,      // of a port: docs/formats/half-links.md
  structure,      // what is so in every map
  nothing,
};

// "latitude"; "link end"; "property of its name".
std::string_view target_text(Target target);

// What files that we write call a property whose name the table has for something else.
inline constexpr std::string_view kPropertyPrefix = "property.";

// Begins references of readers: XML may have it, but no key that anybody gives begins so.
inline constexpr char kReferenceMark = '\x7f';

struct FieldRule {
  // Where it stands, and what it is called, in lower case: "node.label" for a named value,
  // "edge@source" for an attribute; "node.*" for all others of a node.
  std::string_view field = {};
  Target target = Target::property;
  std::string_view lost_because = {};  // of nothing

  // As the page has it: "latitude", or "lost: a link has no direction".
  std::string text() const;
};

// One table of several.
template <std::size_t... Sizes>
constexpr auto joined(const std::array<FieldRule, Sizes>&... parts) {
  std::array<FieldRule, (Sizes + ...)> all{};
  auto* end = all.data();
  ((end = std::copy(parts.begin(), parts.end(), end)), ...);
  return all;
}

// What the table says of a field. Of several that lead to the same target, the first one in the
// table wins, and what the others say becomes a property.
struct FoundRule {
  Target target = Target::property;
  std::string_view lost_because = {};
  bool own_row = false;          // else the one of all others, or none
  bool parts_have_rows = false;  // "node.location.lat" of "node.location"
  std::uint32_t rank = 0;        // in the table
  std::string_view field = {};   // "node.label", as spelled; lives as long as the rules
  std::string_view name = {};    // without its owner: "label"
  std::string_view called = {};  // of the property that it may become: "x" of "Geometry@x"
};

// The rules of one format, as a reader asks for them, again and again the same ones.
class FieldRules {
 public:
  // The table outlives this. A property is called what stands behind the last `mark` of its field.
  explicit FieldRules(std::span<const FieldRule> table, char mark = '@')
      : table_(table), mark_(mark) {}

  // Of the field `name` of `owner`, such as ".label" of "node", in any case; else what the table
  // says of all others of that sort; else it is a property.
  const FoundRule& find(std::string_view owner, std::string_view name);
  // The same; a property is called exactly so. What a field was called first is what it is called.
  const FoundRule& find(std::string_view owner, std::string_view name, std::string_view called);
  // A property of exactly that name, whatever the table has for it.
  const FoundRule& property(std::string_view owner, std::string_view name);
  // What a field of that name is called as a property: what follows kPropertyPrefix, or the mark.
  std::string_view called(std::string_view name) const;

 private:
  struct Found {
    FoundRule rule;
    std::string field;
    std::string called;
    Found* next = nullptr;  // that was asked for after it the last time: elements are much alike
  };
  struct FoundOf {
    boost::unordered_flat_map<IdKey, Found*, IdKeyHash> by_field;
    Found* last = nullptr;  // that was asked for
  };

  // Of those found, and whether it was asked for the first time: only its field is known then.
  std::pair<Found*, bool> find_or_add(FoundOf& found, std::string_view owner,
                                      std::string_view name);
  void describe(Found& found, std::string_view owner, std::string_view name,
                std::string_view called) const;
  void look_up(std::string_view owner, std::string_view name, FoundRule& rule) const;

  std::span<const FieldRule> table_;
  const char mark_;
  FoundOf found_;
  FoundOf properties_;
  std::deque<Found> all_;  // of both
  std::string asked_;      // its memory is used again
};

}  // namespace netml::codecs
