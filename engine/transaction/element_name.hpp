// What an element is known by from version to version, whatever record it is.
//
// Thread: any (a value).
#pragma once

#include <string>

#include "engine/base/ids.hpp"

namespace netml::engine {

struct ElementName {
  Kind kind = Kind::topology;
  std::string identifier;
  auto operator<=>(const ElementName&) const = default;
};

}  // namespace netml::engine
