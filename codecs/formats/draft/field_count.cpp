#include "codecs/formats/draft/field_count.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codecs/formats/draft/map_fields.hpp"

namespace netml::codecs {

namespace {

constexpr std::uint64_t kEnds = 2;

// A location stands in the file: always of a node, else where anything of it is known.
bool is_placed_at_zero(const engine::Attributes& attributes) {
  const engine::AttributeFields fields = attributes.fields();
  if (fields.coordinates) return false;
  const bool is_high = fields.altitude && fields.altitude->value != 0;
  return attributes.kind() == Kind::node || is_high || !fields.unlocode.empty() ||
         !fields.address.empty();
}

}  // namespace

FieldCount count_fields(const engine::Graph& graph, const MapOutline& outline) {
  FieldCount count;
  InstantText instants;
  for (const RecordId topology : outline.topologies) {
    std::uint64_t& fields = topology == outline.topologies.front() ? count.own : count.below;
    for_each_field(graph, outline, topology, instants, [&](auto&&...) { ++fields; });
  }
  const auto add = [&](const OutlinedElement& element, std::uint64_t ends) {
    std::uint64_t lists = 0;
    std::uint64_t fields = ends;
    for_each_field(graph, outline, element, instants, [&](Target target, auto&&...) {
      ++(target == Target::topology ? lists : fields);
    });
    const auto listed = outline.topologies_of(element);
    const bool is_own = element.copy || std::ranges::find(listed, 0U) != listed.end();
    (is_own ? count.own : count.below) += fields;
    count.below += lists;
  };
  for (const OutlinedElement& institution : outline.institutions) add(institution, 0);
  for (const OutlinedElement& node : outline.nodes) add(node, 0);
  for (const OutlinedLink& link : outline.links) add(link, kEnds);
  return count;
}

Result<engine::LossList> exchange_losses(const engine::Graph& graph, RecordId topology) {
  engine::LossList losses;
  NETML_TRY(const MapOutline outline, outline_of(graph, topology, losses));
  const FieldCount count = count_fields(graph, outline);
  losses.carry(count.own + count.below);
  const auto look_at = [&](const OutlinedElement& element, std::string_view kind) {
    const engine::Attributes& attributes = graph.attributes(element.record);
    if (is_placed_at_zero(attributes))
      losses.lose({.field = fmt::format("{}.place", kind),
                   .reason = "it is not known, and the format demands one: 0, 0 is written",
                   .pointer = fmt::format("{} {}", kind, attributes.id())});
  };
  for (const OutlinedElement& institution : outline.institutions)
    look_at(institution, "institution");
  for (const OutlinedElement& node : outline.nodes) look_at(node, "node");
  return losses;
}

}  // namespace netml::codecs
