#include "engine/rules/detail/rule_attributes.hpp"

#include <algorithm>
#include <string>

#include "engine/base/lower_case.hpp"

namespace netml::engine {

namespace {

constexpr std::string_view kTag = "tag";

// A location is one thing: a target that has any part of it keeps its own.
bool has_location(const AttributeFields& fields) {
  return fields.coordinates || fields.altitude || !fields.unlocode.empty() ||
         !fields.address.empty();
}

void fill(AttributeFields& target, const AttributeFields& source) {
  if (target.name.empty()) target.name = source.name;
  if (target.short_name.empty()) target.short_name = source.short_name;
  if (!target.version) target.version = source.version;
  if (!target.start) target.start = source.start;
  if (!target.end) target.end = source.end;
  if (has_location(target)) return;
  target.coordinates = source.coordinates;
  target.altitude = source.altitude;
  target.unlocode = source.unlocode;
  target.address = source.address;
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
