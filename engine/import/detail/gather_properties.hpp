// Decision 3: the instances of one element in several topologies of a file share their properties,
// so that nothing is lost.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/graph/record.hpp"

namespace netml::engine {

struct GatheredProperties {
  // Of all instances together, those beginning `!-` excepted; views into the instances.
  std::vector<Property> shared;
  // Names whose values in a farther instance lost against those of a nearer one.
  std::vector<std::string> conflicts;
};

// `instances` from the nearest to the root to the farthest, copies left out.
GatheredProperties gather_properties(std::span<const Attributes* const> instances);

// `instance` with the shared properties in place of its own; reserved ones stay. The same object
// when that changes nothing.
AttributesPtr with_properties(const AttributesPtr& instance, std::span<const Property> shared);

}  // namespace netml::engine
