#include "bench/rows/rows.hpp"

#include <unordered_map>
#include <vector>

namespace netml::bench {

namespace {

using engine::Document;
using engine::DocumentIndex;

std::optional<std::int64_t> seconds(const std::optional<Instant>& instant) {
  if (!instant) return std::nullopt;
  return instant->seconds;
}

class Walk {
 public:
  Walk(const Document& document, RowSink& sink)
      : document_(document), sink_(sink), numbers_(document.elements.size()) {}

  void run() {
    for (std::size_t i = 0; i < document_.topologies.size(); ++i) topology(i);
  }

 private:
  void topology(std::size_t index) {
    const engine::DocumentTopology& topology = document_.topologies[index];
    const auto number = static_cast<std::int64_t>(index);
    for (DocumentIndex i = topology.institutions_begin; i < topology.links_end; ++i) {
      element(i);
      sink_.member(number, numbers_[i]);
    }
    const engine::AttributeFields fields = topology.attributes->fields();
    const auto reference = [](DocumentIndex to) -> std::optional<std::int64_t> {
      if (to == engine::kNoIndex) return std::nullopt;
      return to;
    };
    sink_.topology({.number = number,
                    .id = fields.id,
                    .name = fields.name,
                    .version = seconds(fields.version),
                    .parent = reference(topology.parent),
                    .owner = reference(topology.owner)});
  }

  void element(DocumentIndex index) {
    const engine::DocumentElement& element = document_.elements[index];
    const engine::AttributeFields fields = element.attributes->fields();
    auto& known = known_[static_cast<std::size_t>(fields.kind)];
    const auto [place, added] = known.emplace(fields.id, next_number_);
    numbers_[index] = place->second;
    if (!added) return;
    const std::int64_t number = next_number_++;
    sink_.element(row(number, fields, element));
    element.attributes->for_each_property([&](const engine::Property& property) {
      sink_.property(number, property.name, property.value);
    });
    for (const DocumentIndex owner : document_.owners_of(element))
      sink_.owner(number, numbers_[owner]);
  }

  ElementRow row(std::int64_t number, const engine::AttributeFields& fields,
                 const engine::DocumentElement& element) const {
    ElementRow row{.number = number,
                   .kind = static_cast<std::int64_t>(fields.kind),
                   .id = fields.id,
                   .name = fields.name,
                   .short_name = fields.short_name,
                   .version = seconds(fields.version),
                   .start = seconds(fields.start),
                   .end = seconds(fields.end),
                   .latitude = {},
                   .longitude = {},
                   .altitude = {},
                   .unlocode = fields.unlocode,
                   .address = fields.address,
                   .node_a = end(element.ends[0]),
                   .node_b = end(element.ends[1])};
    if (fields.coordinates) {
      row.latitude = fields.coordinates->latitude.value;
      row.longitude = fields.coordinates->longitude.value;
    }
    if (fields.altitude) row.altitude = fields.altitude->value;
    return row;
  }

  std::optional<std::int64_t> end(DocumentIndex node) const {
    if (node == engine::kNoIndex) return std::nullopt;
    return numbers_[node];
  }

  const Document& document_;
  RowSink& sink_;
  std::vector<std::int64_t> numbers_;  // of each place in the document
  std::unordered_map<std::string_view, std::int64_t> known_[kKindCount];
  std::int64_t next_number_ = 1;
};

}  // namespace

void give_rows(const Document& document, RowSink& sink) {
  Walk(document, sink).run();
}

}  // namespace netml::bench
