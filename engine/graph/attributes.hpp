// What a record says of itself, field by field. Each field is described here once; what compares,
// merges, checks or shows them all walks this list, in this order.
//
// Thread: any (constants).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "engine/graph/record.hpp"

namespace netml::engine {

// Of a record; ascending as the bits that the journal names them by.
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
inline constexpr std::size_t kFieldCount = 16;

template <class T>
struct Attribute {
  using Value = T;
  static constexpr bool kIsText = std::is_same_v<T, std::string_view>;

  Field field;
  const char* name;
  T AttributeFields::* member;
  std::size_t characters_max;  // of a text
};

template <class T>
constexpr Attribute<T> describe(Field field, const char* name, T AttributeFields::* member,
                                std::size_t characters_max = 0) {
  return {field, name, member, characters_max};
}

// All but the properties, which are a list, and the associations, which are Relations.
inline constexpr auto kAttributes = std::tuple(
    describe(Field::main, "main", &AttributeFields::main),
    describe(Field::id, "id", &AttributeFields::id, kIdCharactersMax),
    describe(Field::name, "name", &AttributeFields::name, kNameCharactersMax),
    describe(Field::short_name, "short_name", &AttributeFields::short_name,
             kShortNameCharactersMax),
    describe(Field::version, "version", &AttributeFields::version),
    describe(Field::start, "start", &AttributeFields::start),
    describe(Field::end, "end", &AttributeFields::end),
    describe(Field::coordinates, "coordinates", &AttributeFields::coordinates),
    describe(Field::altitude, "altitude", &AttributeFields::altitude),
    describe(Field::unlocode, "unlocode", &AttributeFields::unlocode, kUnlocodeCharactersMax),
    describe(Field::address, "address", &AttributeFields::address, kAddressCharactersMax));

static_assert(std::tuple_size_v<decltype(kAttributes)> ==
              static_cast<std::size_t>(Field::properties));

template <class Visit>
constexpr void for_each_attribute(Visit&& visit) {
  std::apply([&](const auto&... attribute) { (visit(attribute), ...); }, kAttributes);
}

// `visit(attribute)` for those that are texts.
template <class Visit>
constexpr void for_each_text(Visit&& visit) {
  for_each_attribute([&]<class T>(const Attribute<T>& attribute) {
    if constexpr (Attribute<T>::kIsText) visit(attribute);
  });
}

}  // namespace netml::engine
