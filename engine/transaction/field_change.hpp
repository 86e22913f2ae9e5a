// What changed, in words that a person can compare: the fields of a record or of a catalog entry
// with their values before and after. Audits show these; nothing is computed from them.
//
// Thread: any (values and pure functions).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/attributes.hpp"

namespace netml::engine {

// "short_name"; the associations of a topology are called parent and owner.
const char* field_name(Kind kind, Field field);

// Nothing; a text; a list of texts; records by identity, where their identifiers are not known.
using FieldValue =
    std::variant<std::monostate, std::string, std::vector<std::string>, std::vector<RecordId>>;

struct FieldChange {
  Field field = Field::main;
  FieldValue before;
  FieldValue after;
  bool operator==(const FieldChange&) const = default;
};

// The value of a field up to Field::properties; `fields.properties` must be filled. Nothing when
// the record says nothing there.
FieldValue attribute_value(const AttributeFields& fields, Field field);

struct EntryFieldChange {
  std::string field;
  FieldValue before;
  FieldValue after;
  bool secret = false;  // it changed; its values are not reported (rule C5)
};

// ---- what audits tell of a value ----

FieldValue told_value(bool flag);
FieldValue told_value(Instant instant);
FieldValue told_value(RecordId id);
FieldValue told_value(Lsn lsn);
FieldValue told_value(const std::optional<Instant>& instant);
FieldValue told_value(const std::optional<std::uint32_t>& limit);
FieldValue told_value(std::string_view text);
FieldValue told_value(const Sha256& hash);
FieldValue told_value(const std::array<ImportCounts, kKindCount>& counts);
FieldValue told_value(const std::vector<std::string>& texts);
FieldValue told_value(const std::vector<RulePart>& parts);
FieldValue told_value(const std::optional<std::vector<RecordId>>& ids);
template <class Number>
  requires std::is_integral_v<Number> && (!std::is_same_v<Number, bool>)
FieldValue told_value(Number number) {
  return std::to_string(number);
}
template <class Enum>
  requires std::is_enum_v<Enum>
FieldValue told_value(Enum value) {
  return told_value(std::string_view(enumerant_name(value)));
}

// Of one field; a null pointer is an entry that is not there.
template <class Field, class T>
std::optional<EntryFieldChange> compare_field(const Field& field, const T* before, const T* after) {
  using Value = typename Field::Value;
  static const Value kNone{};
  const FieldTraits& traits = field.traits;
  const Value& from = before != nullptr ? before->*field.member : kNone;
  const Value& to = after != nullptr ? after->*field.member : kNone;
  if (traits.shown == Shown::change && from != to)
    return EntryFieldChange{field.told_name(), {}, {}, true};
  if (traits.shown != Shown::values) return std::nullopt;
  if constexpr (requires { told_value(from); }) {
    const auto value = [&](const T* entry, const Value& held) {
      return entry == nullptr || (traits.zero_is_none && held == kNone) ? FieldValue()
                                                                        : told_value(held);
    };
    EntryFieldChange change{field.told_name(), value(before, from), value(after, to), false};
    if (change.before != change.after) return change;
  }
  return std::nullopt;
}

// The positions of the fields as audits tell them.
template <class T>
consteval auto told_order() {
  std::array<std::size_t, kFieldsOf<T>> order{};
  std::size_t count = 0;
  std::size_t position = 0;
  std::array<std::size_t, kFieldsOf<T>> before{};
  for_each_field<T>([&](const auto& field) {
    before[position] = field.traits.told_before < 0
                           ? position
                           : static_cast<std::size_t>(field.traits.told_before);
    ++position;
  });
  for (std::size_t place = 0; place <= kFieldsOf<T>; ++place)
    for (std::size_t i = 0; i < kFieldsOf<T>; ++i)
      if (before[i] == place) order[count++] = i;
  return order;
}

// The fields in which two entries differ; of one that is created or deleted (a null pointer on one
// side), all that it has.
template <class T>
std::vector<EntryFieldChange> compare_entries(const T* before, const T* after) {
  std::vector<EntryFieldChange> changes;
  [&]<std::size_t... kPlace>(std::index_sequence<kPlace...>) {
    constexpr auto kOrder = told_order<T>();
    const auto add = [&](const auto& field) {
      if (auto change = compare_field(field, before, after)) changes.push_back(*std::move(change));
    };
    (add(std::get<kOrder[kPlace]>(kFields<T>)), ...);
  }(std::make_index_sequence<kFieldsOf<T>>());
  return changes;
}

}  // namespace netml::engine
