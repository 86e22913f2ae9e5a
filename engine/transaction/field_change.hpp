// What changed, in words that a person can compare: the fields of a record or of a catalog entry
// with their values before and after. Audits show these; nothing is computed from them.
//
// Thread: any (values and pure functions).
#pragma once

#include <algorithm>
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

FieldValue reported_value(bool flag);
FieldValue reported_value(Instant instant);
FieldValue reported_value(std::string_view text);
FieldValue reported_value(const Sha256& hash);
FieldValue reported_value(const std::array<ImportCounts, kKindCount>& counts);
FieldValue reported_value(const std::vector<std::string>& texts);
FieldValue reported_value(const std::vector<RulePart>& parts);
FieldValue reported_value(const std::vector<RecordId>& ids);
template <class Number>
  requires std::is_integral_v<Number> && (!std::is_same_v<Number, bool>)
FieldValue reported_value(Number number) {
  return std::to_string(number);
}
template <class Enum>
  requires std::is_enum_v<Enum>
FieldValue reported_value(Enum value) {
  return reported_value(std::string_view(enumerant_name(value)));
}

template <class Id>
  requires std::is_same_v<Id, RecordId> || std::is_same_v<Id, Lsn>
FieldValue reported_value(Id id) {
  return reported_value(id.value);
}
template <class T>
FieldValue reported_value(const std::optional<T>& value) {
  return value ? reported_value(*value) : FieldValue();
}

// Of one field; a null pointer is an entry that is not there.
template <class Field, class T>
std::optional<EntryFieldChange> compare_field(const Field& field, const T* before, const T* after) {
  using Value = typename Field::Value;
  static const Value none{};
  const FieldTraits& traits = field.traits;
  const Value& from = before != nullptr ? before->*field.member : none;
  const Value& to = after != nullptr ? after->*field.member : none;
  if (traits.shown == Shown::change && from != to)
    return EntryFieldChange{field.reported_name(), {}, {}, true};
  if (traits.shown != Shown::values) return std::nullopt;
  if constexpr (requires { reported_value(from); }) {
    const auto value = [&](const T* entry, const Value& held) {
      return entry == nullptr || (traits.zero_is_none && held == none) ? FieldValue()
                                                                       : reported_value(held);
    };
    EntryFieldChange change{field.reported_name(), value(before, from), value(after, to), false};
    if (change.before != change.after) return change;
  }
  return std::nullopt;
}

// The fields in which two entries differ, as audits tell them; of one that is created or deleted (a
// null pointer on one side), all that it has.
template <class T>
std::vector<EntryFieldChange> compare_entries(const T* before, const T* after) {
  using Placed = std::pair<int, EntryFieldChange>;
  std::vector<Placed> found;
  int position = 0;
  for_each_field<T>([&](const auto& field) {
    const int reported_before = field.traits.reported_before;
    if (auto change = compare_field(field, before, after))
      found.emplace_back(reported_before < 0 ? position : reported_before, *std::move(change));
    ++position;
  });
  std::ranges::stable_sort(found, {}, &Placed::first);
  std::vector<EntryFieldChange> changes;
  changes.reserve(found.size());
  for (Placed& placed : found) changes.push_back(std::move(placed.second));
  return changes;
}

}  // namespace netml::engine
