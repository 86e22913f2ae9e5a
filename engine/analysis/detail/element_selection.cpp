#include "engine/analysis/detail/element_selection.hpp"

#include <algorithm>

#include "engine/graph/document.hpp"
#include "engine/graph/properties.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine::detail {

namespace {

bool has_property(const Attributes& attributes, std::string_view name, std::string_view value) {
  return any_property(attributes, [&](const Property& property) {
    return property.name == name && property.value == value;
  });
}

bool fits(const Attributes& attributes, const ElementSelection& selection) {
  if (!selection.tag.empty() && !has_property(attributes, kTag, selection.tag)) return false;
  const auto& property = selection.property;
  return !property || has_property(attributes, property->name, property->value);
}

}  // namespace

std::vector<RecordId> selected(const Graph& graph, const ElementSelection& selection,
                               std::vector<std::string>& not_found) {
  std::vector<RecordId> found;
  const auto take = [&](RecordId id) {
    if (fits(graph.attributes(id), selection)) found.push_back(id);
  };
  if (selection.ids.empty())
    graph.for_each_of(selection.kind, [&](RecordId id) {
      if (graph.attributes(id).id() != kGlobalInstitutionId) take(id);  // it stands for nobody
    });
  for (const std::string& id : selection.ids) {
    const std::vector<RecordId> named = graph.find(selection.kind, id);
    if (named.empty()) not_found.push_back(id);
    std::ranges::for_each(named, take);
  }
  sort_each_once(found);
  return found;
}

bool is_selected(const Record& record, const ElementSelection& selection) {
  if (!record || record.kind() != selection.kind || !fits(*record.attributes, selection))
    return false;
  const std::string_view id = record.attributes->id();
  return selection.ids.empty() ? id != kGlobalInstitutionId
                               : std::ranges::find(selection.ids, id) != selection.ids.end();
}

std::vector<RecordId> nodes_of(const Graph& graph, RecordId element) {
  if (graph.kind(element) == Kind::node) return {element};
  std::vector<RecordId> found;
  graph.for_each_referrer(element, [&](RecordId id) {
    if (graph.kind(id) == Kind::node) found.push_back(id);
  });
  return found;
}

}  // namespace netml::engine::detail
