#include "engine/graph/properties.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <utility>

namespace netml::engine {

std::vector<Property> with_values(std::span<const Property> before,
                                  std::span<const NamedValues> changes) {
  boost::unordered_flat_map<std::string_view, const NamedValues*> pending;
  for (const NamedValues& change : changes) pending.emplace(change.name, &change);
  std::vector<Property> properties;
  const auto place = [&](std::string_view name) {
    if (const NamedValues* const change = std::exchange(pending[name], nullptr))
      for (const std::string_view value : change->values) properties.push_back({name, value});
  };
  for (const Property& property : before) {
    if (pending.contains(property.name))
      place(property.name);
    else
      properties.push_back(property);
  }
  for (const NamedValues& change : changes) place(change.name);
  return properties;
}

}  // namespace netml::engine
