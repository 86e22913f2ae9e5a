// Puts another value into a field of an entry, whatever its type: for tests that go through all
// that an entity describes (engine/catalog/entry_fields.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/catalog/entries.hpp"
#include "engine/catalog/rules.hpp"

namespace netml::testing {

inline void other_value(bool& value) {
  value = !value;
}
inline void other_value(std::string& value) {
  value += "x";
}
inline void other_value(Instant& value) {
  ++value.seconds;
}
inline void other_value(RecordId& value) {
  ++value.value;
}
inline void other_value(Lsn& value) {
  ++value.value;
}
inline void other_value(engine::Digest& value) {
  ++value.high;
}
inline void other_value(Sha256& value) {
  value[31] ^= std::byte{1};
}
inline void other_value(std::array<engine::ImportCounts, kKindCount>& value) {
  ++value[3].imported;
}
inline void other_value(std::vector<engine::RulePart>& value) {
  value.push_back({1, "type", {{2, "key", "value"}}});
}
inline void other_value(std::vector<std::string>& value) {
  value.emplace_back();
}
template <class Value>
void other_value(std::optional<Value>& value) {
  if (value) return value.reset();
  value.emplace();
}
template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
void other_value(Number& value) {
  value = static_cast<Number>(static_cast<int>(value) + 1);
}

}  // namespace netml::testing
