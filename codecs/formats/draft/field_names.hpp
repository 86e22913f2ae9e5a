// What files that we write call things: a mapping table the other way round.
//
// Thread: any (constants).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

#include "codecs/formats/draft/field_rules.hpp"

namespace netml::codecs {

// The names of an element's fields, by target: of each the first row of the table that one of the
// owners has, without the owner, and of a list the part before its mark. Of several owners the
// first counts.
class FieldNames {
 public:
  constexpr FieldNames(std::span<const FieldRule> table,
                       std::initializer_list<std::string_view> owners) {
    for (const std::string_view owner : owners)
      for (const FieldRule& rule : table)
        if (rule.field.starts_with(owner)) add(rule.target, rule.field.substr(owner.size()));
  }

  // Empty where the table has no such row.
  constexpr std::string_view operator[](Target target) const { return names_[index(target)].text; }
  constexpr bool is_list(Target target) const { return names_[index(target)].is_list; }

 private:
  struct Name {
    std::string_view text;
    bool is_list = false;
  };

  static constexpr std::size_t index(Target target) { return static_cast<std::size_t>(target); }

  constexpr void add(Target target, std::string_view text) {
    constexpr std::string_view kListMark = "[]";
    Name& name = names_[index(target)];
    if (!name.text.empty()) return;
    const std::size_t mark = text.find(kListMark);
    name = {text.substr(0, mark), mark != std::string_view::npos};
  }

  std::array<Name, static_cast<std::size_t>(Target::nothing) + 1> names_{};
};

// Whether a table has a row of that name that says something else than a property, whatever owns
// it: a property of that name must be called otherwise.
constexpr bool is_field(std::span<const FieldRule> table, std::string_view name) {
  return std::ranges::any_of(table, [&](const FieldRule& rule) {
    const std::size_t dot = rule.field.find('.');
    const bool is_property =
        rule.target == Target::property || rule.target == Target::long_property;
    return dot != std::string_view::npos && !is_property && rule.field.substr(dot + 1) == name;
  });
}

}  // namespace netml::codecs
