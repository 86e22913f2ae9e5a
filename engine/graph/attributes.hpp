// What a record says of itself, field by field. Each field is described here once: what stores,
// compares, merges, checks, reads, writes or shows them all walks this list, in this order
// (docs/adding-things.md).
//
// Thread: any (constants).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace netml::engine {

// Lengths in characters (docs/requirements/exchange-format.md, section 8). Reading cuts or refuses;
// nothing longer is stored.
inline constexpr std::size_t kIdCharactersMax = 128;
inline constexpr std::size_t kNameCharactersMax = 128;
inline constexpr std::size_t kShortNameCharactersMax = 32;
inline constexpr std::size_t kUnlocodeCharactersMax = 5;
inline constexpr std::size_t kAddressCharactersMax = 500;
inline constexpr std::size_t kPropertyNameCharactersMax = 32;
inline constexpr std::size_t kPropertyValueCharactersMax = 512;

// Marks a copy of an element that belongs to other topologies; its value lists them
// (docs/requirements/importing.md, section 7). Its values are never cut.
inline constexpr std::string_view kFromTopology = "!-from_topology";
inline constexpr std::string_view kReservedPrefix = "!-";

// A number with six decimals, as all coordinates are stored: 44.65 is 44650000.
struct Micro {
  std::int64_t value = 0;
  auto operator<=>(const Micro&) const = default;
};

struct Coordinates {
  Micro latitude;   // -90..90 degrees
  Micro longitude;  // -180..180 degrees
  bool operator==(const Coordinates&) const = default;
};

struct Property {
  std::string_view name;  // lower case
  std::string_view value;
  bool operator==(const Property&) const = default;
};

// What Attributes are made from. The views need to live only during Attributes::make.
struct AttributeFields {
  Kind kind = Kind::topology;
  bool main = false;  // topologies only: the one that exports start from
  std::string_view id;
  std::string_view name;
  std::string_view short_name;  // institutions, nodes, links
  std::optional<Instant> version;
  std::optional<Instant> start;  // nodes, links
  std::optional<Instant> end;
  std::optional<Coordinates> coordinates;  // institutions, nodes; none = unknown
  std::optional<Micro> altitude;           // metres; none = unknown
  std::string_view unlocode;
  std::string_view address;
  std::span<const Property> properties;  // names may repeat
};

// Of a record; ascending as the bits that the journal names them by. A new one comes last.
enum class Field : std::uint8_t {
  main,
  id,
  name,
  short_name,
  version,
  start,
  end,
  coordinates,
  altitude,
  unlocode,
  address,
  properties,
  topologies,
  owners,
  ends,
  origin,
};

// Which kinds of records have a field; a bit for each.
using KindSet = std::uint8_t;
template <class... Kinds>
constexpr KindSet set_of(Kinds... kinds) {
  return static_cast<KindSet>(((1U << static_cast<unsigned>(kinds)) | ...));
}
inline constexpr KindSet kAllKinds =
    set_of(Kind::topology, Kind::institution, Kind::node, Kind::link);
inline constexpr KindSet kElements = set_of(Kind::institution, Kind::node, Kind::link);
inline constexpr KindSet kLasting = set_of(Kind::node, Kind::link);
inline constexpr KindSet kPlaces = set_of(Kind::institution, Kind::node);

template <class T>
struct Attribute {
  using Value = T;
  static constexpr bool kIsText = std::is_same_v<T, std::string_view>;

  Field field;
  const char* name;
  T AttributeFields::* member;
  KindSet kinds;
  std::size_t characters_max;  // of a text

  constexpr bool applies_to(Kind kind) const { return (kinds & set_of(kind)) != 0; }
  // Later than those of format version 1: such a field has no place of its own in the layout of
  // Attributes, in the journal, in files of the exchange format and in answers, but the same as all
  // of its like, under a name made from this one. It is a text, and optional.
  constexpr bool is_further() const { return field > Field::origin; }
};

template <class T>
constexpr Attribute<T> describe(Field field, const char* name, T AttributeFields::* member,
                                KindSet kinds, std::size_t characters_max = 0) {
  return {field, name, member, kinds, characters_max};
}

// All but the properties, which are a list, and the associations, which are Relations.
inline constexpr auto kAttributes = std::tuple(
    describe(Field::main, "main", &AttributeFields::main, set_of(Kind::topology)),
    describe(Field::id, "id", &AttributeFields::id, kAllKinds, kIdCharactersMax),
    describe(Field::name, "name", &AttributeFields::name, kAllKinds, kNameCharactersMax),
    describe(Field::short_name, "short_name", &AttributeFields::short_name, kElements,
             kShortNameCharactersMax),
    describe(Field::version, "version", &AttributeFields::version, kAllKinds),
    describe(Field::start, "start", &AttributeFields::start, kLasting),
    describe(Field::end, "end", &AttributeFields::end, kLasting),
    describe(Field::coordinates, "coordinates", &AttributeFields::coordinates, kPlaces),
    describe(Field::altitude, "altitude", &AttributeFields::altitude, kPlaces),
    describe(Field::unlocode, "unlocode", &AttributeFields::unlocode, kPlaces,
             kUnlocodeCharactersMax),
    describe(Field::address, "address", &AttributeFields::address, kPlaces, kAddressCharactersMax));

inline constexpr std::size_t kFurtherTextCount =
    std::tuple_size_v<decltype(kAttributes)> - static_cast<std::size_t>(Field::properties);
inline constexpr std::size_t kFieldCount =
    static_cast<std::size_t>(Field::origin) + 1 + kFurtherTextCount;
static_assert(kFieldCount <= 32, "the journal has a bit for each");

// The properties among them; the others are associations.
constexpr bool is_attribute(Field field) {
  return field <= Field::properties || field > Field::origin;
}

template <class Visit>
constexpr void for_each_attribute(Visit&& visit) {
  std::apply([&](const auto&... attribute) { (visit(attribute), ...); }, kAttributes);
}

// In the order of their fields, as everything that walks them relies on.
static_assert([] {
  std::size_t place = 0;
  bool ordered = true;
  for_each_attribute([&](const auto& attribute) {
    if (place == static_cast<std::size_t>(Field::properties))
      place = static_cast<std::size_t>(Field::origin) + 1;
    ordered = ordered && attribute.field == static_cast<Field>(place++);
  });
  return ordered;
}());

// `visit(attribute)` for those that are texts.
template <class Visit>
constexpr void for_each_text(Visit&& visit) {
  for_each_attribute([&]<class T>(const Attribute<T>& attribute) {
    if constexpr (Attribute<T>::kIsText) visit(attribute);
  });
}

template <class Visit>
constexpr void for_each_further_text(Visit&& visit) {
  for_each_text([&](const Attribute<std::string_view>& text) {
    if (text.is_further()) visit(text);
  });
}

inline void set_further_text(AttributeFields& fields, Field field, std::string_view value) {
  for_each_further_text([&](const auto& text) {
    if (text.field == field) fields.*text.member = value;
  });
}

// Whether records of `kind` have the field of this member.
template <class T>
constexpr bool applies_to(T AttributeFields::* member, Kind kind) {
  bool applies = false;
  for_each_attribute([&]<class Other>(const Attribute<Other>& attribute) {
    if constexpr (std::is_same_v<T, Other>)
      if (attribute.member == member) applies = attribute.applies_to(kind);
  });
  return applies;
}

// The name of a field as others spell it: "serial number", "Serial number", and for formats
// "serial-number" and "serialNumber".
std::string spelled(std::string_view name);
std::string heading_of(std::string_view name);
struct SpelledName {
  std::array<char, 32> text{};
  std::size_t size = 0;
  constexpr std::string_view view() const { return {text.data(), size}; }
};
constexpr SpelledName with_hyphens(std::string_view name) {
  SpelledName spelled;
  for (const char c : name) spelled.text[spelled.size++] = c == '_' ? '-' : c;
  return spelled;
}
constexpr SpelledName in_camel_case(std::string_view name) {
  SpelledName spelled;
  bool capital = false;
  for (const char c : name) {
    if (c != '_') spelled.text[spelled.size++] = capital ? static_cast<char>(c - 'a' + 'A') : c;
    capital = c == '_';
  }
  return spelled;
}

}  // namespace netml::engine
