#include "codecs/formats/draft/flat_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "codecs/formats/draft/map_fields.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

std::string FlatFields::name_of(Target target, std::string_view property) const {
  if (target != Target::property) {
    const auto row = std::ranges::find(table_, target, &FieldRule::target);
    return std::string(row == table_.end() ? target_text(target) : row->field);
  }
  const bool taken = property.empty() || property.starts_with(kPropertyPrefix) ||
                     std::ranges::any_of(table_, [&](const FieldRule& rule) {
                       return rule.field == property || rule.field == "property.*";
                     });
  return taken ? fmt::format("{}{}", kPropertyPrefix, property) : std::string(property);
}

auto FlatFields::collect() {
  fields_.clear();
  return [this](Target target, std::string_view property, std::string_view value) {
    fields_.push_back({target, name_of(target, property), std::string(value)});
  };
}

void FlatFields::lose(RecordId record, std::string_view name, std::string_view reason) {
  const std::string kind = lower_ascii(kind_name(graph_.kind(record)));
  losses_.lose({.field = fmt::format("{}.{}", kind, name),
                .reason = std::string(reason),
                .pointer = fmt::format("{} {}", kind, graph_.attributes(record).id())});
}

std::span<const FlatField> FlatFields::carry(RecordId record) {
  std::unordered_set<std::string> names;
  std::erase_if(fields_, [&](const FlatField& field) {
    if (names.insert(field.name).second) {
      losses_.carry();
      return false;
    }
    lose(record, field.name, "an attribute has one value");
    return true;
  });
  return fields_;
}

std::span<const FlatField> FlatFields::of(const OutlinedElement& element) {
  for_each_field(graph_, outline_, element, instants_, collect());
  return carry(element.record);
}

std::span<const FlatField> FlatFields::of_root() {
  const RecordId root = outline_.topologies.front();
  for_each_field(graph_, outline_, root, instants_, collect());
  return carry(root);
}

void FlatFields::lose_others(std::string_view reason) {
  const auto lose_all = [&](RecordId record) {
    for (const FlatField& field : fields_) lose(record, field.name, reason);
  };
  for (const OutlinedElement& institution : outline_.institutions) {
    for_each_field(graph_, outline_, institution, instants_, collect());
    lose_all(institution.record);
  }
  for (std::size_t i = 1; i < outline_.topologies.size(); ++i) {
    for_each_field(graph_, outline_, outline_.topologies[i], instants_, collect());
    lose_all(outline_.topologies[i]);
  }
}

void FlatFields::lose_root(std::string_view reason) {
  const RecordId root = outline_.topologies.front();
  for_each_field(graph_, outline_, root, instants_, collect());
  for (const FlatField& field : fields_)
    if (field.target != Target::name) lose(root, field.name, reason);
}

std::string_view value_of(std::span<const FlatField> fields, Target target) {
  const auto found = std::ranges::find(fields, target, &FlatField::target);
  return found == fields.end() ? std::string_view() : std::string_view(found->value);
}

}  // namespace netml::codecs
