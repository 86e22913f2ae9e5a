// How an entity of the catalog describes itself: what it is called, and each of its fields with a
// name, a type, a limit and whether it is a secret. The digest, audits, the journal, checkpoints
// and the indexes of a table all walk the description, so an entity is spelled out once
// (docs/decisions/004-one-description.md).
//
// An entity has a member `kKind` and a function `fields()`, which names all its members in the
// order in which they are declared. One that is left out does not compile.
//
// Thread: any (constants).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/base/digest.hpp"

namespace netml::engine {

struct EntryKind {
  const char* name;   // for messages, and for the pages, which translate it (kinds.ts)
  const char* table;  // its list in the journal (wal/schema/wal.capnp), in snake case
  std::uint8_t role;  // of its digest (DigestRole, docs/format/digest.md)
  // Below /api/v1/, where adding, changing and deleting entries is all there is to them; null: the
  // table has handlers of its own, or none (admin/api/site/sections/entries.cpp).
  const char* collection = nullptr;
  bool undone = false;  // by the undo of a transaction; what the others tell stays (docs/undo.md)

  constexpr DigestRole digest_role() const { return DigestRole{role}; }
};

// What audits tell of a field that changed.
enum class Shown : std::uint8_t { values, change, nothing };

// Which look-ups a table has for a field: by equal values, or by texts that are equal in any case.
enum class Index : std::uint8_t { none, exact, caseless };

struct FieldTraits {
  const char* reported_as = nullptr;  // its name in audits; null: as it is called here
  std::size_t characters_max = 0;     // of a text that somebody gives; 0: nothing limits it here
  Shown shown = Shown::values;        // a secret: change (rule C5)
  Index index = Index::none;
  bool unique = false;        // no two entries have the same; needs an exact index
  bool title = false;         // what people call an entry by
  bool zero_is_none = false;  // audits tell no value then
  // Audits report it before the field of this position; -1: in order.
  int reported_before = -1;
  // Fields that entities got together after the first of them were stored. While all of one number
  // are as in a new entry, they add nothing to its digest, so that it is as it was then.
  std::uint8_t added = 0;
};

template <class T, class V>
struct EntryField {
  using Entry = T;
  using Value = V;

  const char* name;  // as the journal calls it (wal/schema/wal.capnp), in snake case
  V T::* member;
  FieldTraits traits;

  constexpr const char* reported_name() const {
    return traits.reported_as != nullptr ? traits.reported_as : name;
  }
};

template <class T, class V>
constexpr EntryField<T, V> field(const char* name, V T::* member, FieldTraits traits = {}) {
  return {name, member, traits};
}

// Whether T is made of exactly these, in this order.
template <class T, class... V>
consteval bool describes_all(const std::tuple<EntryField<T, V>...>&) {
  return requires { T{std::declval<V>()...}; } && !requires { T{std::declval<V>()..., {}}; };
}

template <class T>
inline constexpr auto kFields = [] {
  static_assert(describes_all(T::fields()), "fields() must name each member once, in order");
  return T::fields();
}();
template <class T>
inline constexpr std::size_t kFieldsOf = std::tuple_size_v<decltype(T::fields())>;

template <class T, class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, kFields<T>);
}

// Status or Result visit(field) for each, up to the first that fails.
template <class Status, class T, class Visit>
Status try_each_field(Visit&& visit) {
  Status status;
  std::apply(
      [&](const auto&... each) { static_cast<void>(((status = visit(each)).has_value() && ...)); },
      kFields<T>);
  return status;
}

// The traits of the fields, by position.
template <class T>
inline constexpr auto kTraits =
    std::apply([](const auto&... each) { return std::array{each.traits...}; }, kFields<T>);

// The position of the field of this member.
template <class T, class V>
consteval std::size_t position_of(V T::* member) {
  std::size_t found = kFieldsOf<T>;
  std::size_t position = 0;
  for_each_field<T>([&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field.member), V T::*>)
      if (field.member == member) found = position;
    ++position;
  });
  return found;
}

// How long the text may be; 0: nothing limits it here.
template <class T, class V>
consteval std::size_t characters_max(V T::* member) {
  return kTraits<T>[position_of(member)].characters_max;
}

// What people call an entry; empty where it has no name of its own.
template <class T>
std::string_view entry_title(const T& entry) {
  std::string_view title;
  for_each_field<T>([&](const auto& field) {
    if constexpr (requires { title = entry.*field.member; })
      if (field.traits.title) title = entry.*field.member;
  });
  return title;
}

// ---- what enumerants are called ----

template <std::size_t N>
struct EnumNames {
  const char* what;  // for messages
  std::array<const char*, N> names;
  int lowest;
};
template <std::size_t N>
consteval EnumNames<N> enum_names(const char* what, const char* const (&names)[N], int lowest = 0) {
  EnumNames<N> all{what, {}, lowest};
  for (std::size_t i = 0; i < N; ++i) all.names[i] = names[i];
  return all;
}

// For each enumeration that an entity holds: all that this program knows, from the lowest on. An
// enumerant beyond them was written by a newer one.
template <class Enum>
inline constexpr auto kNamesOf = nullptr;

// Null when this program does not know it.
template <class Enum>
constexpr const char* known_name(int enumerant) {
  const auto index = static_cast<std::size_t>(enumerant - kNamesOf<Enum>.lowest);
  return index < kNamesOf<Enum>.names.size() ? kNamesOf<Enum>.names[index] : nullptr;
}
template <class Enum>
constexpr const char* enumerant_name(Enum value) {
  const char* name = known_name<Enum>(static_cast<int>(value));
  return name != nullptr ? name : "?";
}
template <class Enum>
constexpr std::optional<Enum> parse_enumerant(std::string_view text) {
  for (std::size_t i = 0; i < kNamesOf<Enum>.names.size(); ++i)
    if (text == kNamesOf<Enum>.names[i])
      return static_cast<Enum>(static_cast<int>(i) + kNamesOf<Enum>.lowest);
  return std::nullopt;
}

}  // namespace netml::engine
