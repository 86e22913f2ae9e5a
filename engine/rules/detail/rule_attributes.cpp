#include "engine/rules/detail/rule_attributes.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "engine/base/lower_case.hpp"
#include "engine/graph/attributes.hpp"
#include "engine/graph/properties.hpp"

namespace netml::engine {

namespace {

bool is_empty(std::string_view text) {
  return text.empty();
}
template <class T>
bool is_empty(const std::optional<T>& value) {
  return !value;
}

constexpr bool is_in_location(Field field) {
  return field == Field::coordinates || field == Field::altitude || field == Field::unlocode ||
         field == Field::address;
}

// All that a target does not say of itself, but not what it is: its identifier, and whether it is
// the main one. A location is one thing: a target that has any part of it keeps its own.
void fill(AttributeFields& target, const AttributeFields& source) {
  bool has_location = false;
  const auto each = [](auto&& visit) {
    for_each_attribute([&]<class T>(const Attribute<T>& attribute) {
      if constexpr (!std::is_same_v<T, bool>)
        if (attribute.field != Field::id) visit(attribute);
    });
  };
  each([&](const auto& attribute) {
    has_location |= is_in_location(attribute.field) && !is_empty(target.*attribute.member);
  });
  each([&](const auto& attribute) {
    const bool wanted =
        is_in_location(attribute.field) ? !has_location : is_empty(target.*attribute.member);
    if (wanted) target.*attribute.member = source.*attribute.member;
  });
}

// Against the names that the target had before: other names move whole, tags by value. The mark of
// a copy speaks of the source alone: what the target is, it knows itself.
std::vector<Property> merged_properties(const std::vector<Property>& target,
                                        const std::vector<Property>& source) {
  std::vector<Property> all = target;
  for (const Property& property : source) {
    if (property.name == kFromTopology) continue;
    const bool held = property.name == kTag ? std::ranges::find(target, property) != target.end()
                                            : std::ranges::find(target, property.name,
                                                                &Property::name) != target.end();
    if (!held) all.push_back(property);
  }
  return all;
}

AttributesPtr changed(const Attributes& before, const AttributeFields& fields) {
  AttributesPtr after = Attributes::make(fields);
  if (*after == before) return nullptr;
  return after;
}

}  // namespace

AttributesPtr without_property(const Attributes& record, std::string_view name,
                               std::optional<std::string_view> value) {
  const std::string wanted = lower_case(name);
  std::vector<Property> properties = record.properties();
  const std::size_t removed = std::erase_if(properties, [&](const Property& property) {
    return property.name == wanted && (!value || property.value == *value);
  });
  if (removed == 0) return nullptr;
  AttributeFields fields = record.fields();
  fields.properties = properties;
  return Attributes::make(fields);
}

AttributesPtr merged(const Attributes& target, const Attributes& source) {
  AttributeFields fields = target.fields();
  fill(fields, source.fields());
  const std::vector<Property> properties =
      merged_properties(target.properties(), source.properties());
  fields.properties = properties;
  return changed(target, fields);
}

}  // namespace netml::engine
