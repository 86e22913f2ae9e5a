// The fields of a record one by one, as texts, for writers that go by a mapping table.
//
// Thread: any (a pure function).
#pragma once

#include <array>
#include <string_view>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/formats/draft/field_rules.hpp"
#include "engine/graph/record.hpp"

namespace netml::codecs {

// What is written as a number; all else is a text.
constexpr bool is_number(Target target) {
  return target == Target::latitude || target == Target::longitude || target == Target::altitude;
}

// visit(target, name of a property, value), in a fixed order; the value lives during the call.
// What a record does not have is not visited.
template <class Visit>
void for_each_field(const engine::Attributes& attributes, InstantText& instants, Visit&& visit) {
  const engine::AttributeFields fields = attributes.fields();
  const auto text = [&](Target target, std::string_view value) {
    if (!value.empty()) visit(target, std::string_view(), value);
  };
  const auto time = [&](Target target, const std::optional<Instant>& value) {
    if (!value) return;
    std::array<char, InstantText::kBytes> buffer;
    const char* const end = instants.put(buffer.data(), *value);
    visit(target, std::string_view(), std::string_view(buffer.data(), end));
  };
  const auto number = [&](Target target, engine::Micro value) {
    std::array<char, kDecimalBytesMax> buffer;
    const char* const end = put_shortest(buffer.data(), value);
    visit(target, std::string_view(), std::string_view(buffer.data(), end));
  };
  text(Target::identifier, fields.id);
  text(Target::name, fields.name);
  text(Target::short_name, fields.short_name);
  time(Target::version, fields.version);
  time(Target::start, fields.start);
  time(Target::end, fields.end);
  if (fields.coordinates) {
    number(Target::latitude, fields.coordinates->latitude);
    number(Target::longitude, fields.coordinates->longitude);
  }
  if (fields.altitude) number(Target::altitude, *fields.altitude);
  text(Target::unlocode, fields.unlocode);
  text(Target::address, fields.address);
  attributes.for_each_property([&](const engine::Property& property) {
    visit(Target::property, property.name, property.value);
  });
}

}  // namespace netml::codecs
