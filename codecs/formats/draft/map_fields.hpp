// What the map says of an element, value by value, as texts, for writers that go by a mapping
// table.
//
// Thread: any (a pure function).
#pragma once

#include <array>
#include <string_view>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/formats/draft/field_rules.hpp"
#include "codecs/formats/draft/map_outline.hpp"
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

// The same of an institution, node or link, with its owners, and the topologies that list it unless
// that is the root alone. A copy has a property that says where it comes from. Ends are not
// visited.
template <class Visit>
void for_each_field(const engine::Graph& graph, const MapOutline& outline,
                    const OutlinedElement& element, InstantText& instants, Visit&& visit) {
  for_each_field(graph.attributes(element.record), instants, visit);
  if (graph.kind(element.record) != Kind::institution)
    for (const RecordId owner : graph.relations(element.record).owners())
      visit(Target::owner, std::string_view(), graph.attributes(owner).id());
  const auto listed = outline.topologies_of(element);
  if (element.copy) {
    visit(Target::property, engine::kFromTopology,
          engine::from_topology_value(graph, element.record));
  } else if (listed.size() > 1 || listed.front() != 0) {
    for (const std::uint32_t topology : listed)
      visit(Target::topology, std::string_view(),
            graph.attributes(outline.topologies[topology]).id());
  }
}

// The same of a topology, with its owner; with its parent, unless it is the root.
template <class Visit>
void for_each_field(const engine::Graph& graph, const MapOutline& outline, RecordId topology,
                    InstantText& instants, Visit&& visit) {
  for_each_field(graph.attributes(topology), instants, visit);
  const auto& relations = graph.relations(topology);
  visit(Target::owner, std::string_view(), graph.attributes(relations.owner()).id());
  if (topology != outline.topologies.front())
    visit(Target::parent, std::string_view(), graph.attributes(relations.parent()).id());
}

}  // namespace netml::codecs
