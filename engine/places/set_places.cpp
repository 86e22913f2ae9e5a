#include "engine/places/set_places.hpp"

#include <string>
#include <vector>

#include "engine/transaction/workspace.hpp"

namespace netml::engine {

Transaction set_places(const State& state, std::span<const FoundPlace> places,
                       std::string_view gazetteer) {
  Workspace workspace(state);
  for (const FoundPlace& found : places) {
    Record node = workspace.record(found.node);
    const std::string from = std::string(gazetteer) + ": " + city_text(found.city);
    std::vector<Property> properties = node.attributes->properties();
    std::erase_if(properties, [](const Property& property) { return property.name == kPlaceFrom; });
    properties.push_back({kPlaceFrom, from});
    node.attributes = changed_copy(*node.attributes, [&](AttributeFields& fields) {
      fields.coordinates = found.city.place;
      fields.properties = properties;
    });
    workspace.put(found.node, std::move(node));
  }
  return workspace.finish();
}

}  // namespace netml::engine
