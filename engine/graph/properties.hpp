// Properties that are asked for, and set, by name.
//
// Thread: any (pure functions).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/graph/record.hpp"

namespace netml::engine {

inline constexpr std::string_view kTag = "tag";

// Where a record says in which country it is; a UN/LOCODE begins with its country's code, too.
inline constexpr std::array<std::string_view, 3> kCountryProperties{"country", "countrycode",
                                                                    "country_code"};

// The value of the first property of that name; empty when there is none.
inline std::string_view first_property(const Attributes& attributes, std::string_view name) {
  std::optional<std::string_view> found;
  attributes.for_each_property([&](const Property& property) {
    if (!found && property.name == name) found = property.value;
  });
  return found.value_or(std::string_view());
}

// Of the first of these names that says anything.
template <std::size_t N>
std::string_view first_property(const Attributes& attributes,
                                const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names)
    if (const std::string_view value = first_property(attributes, name); !value.empty())
      return value;
  return {};
}

// What all properties of a name are to be; none: there is to be none of that name.
struct NamedValues {
  std::string_view name;
  std::vector<std::string_view> values;
};
// All values of a name stand where its first one stood; a new name comes last. Views into both.
std::vector<Property> with_values(std::span<const Property> before,
                                  std::span<const NamedValues> changes);

}  // namespace netml::engine
