// A property that is longer than one may be (Target::long_property), put together from its pieces,
// for writers.
//
// Thread: any (a pure function).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/graph/record.hpp"

namespace netml::codecs {

struct LongProperty {
  std::string text = {};
  std::size_t pieces = 0;
  bool is_first = false;  // no other property stands in front of it
  bool is_last = false;   // nor behind it
};

// Nothing where there is none, or where the text would be cut into other pieces when it is read
// again: they stand apart, or one of them is not full and not the last.
std::optional<LongProperty> long_property(const engine::Attributes& attributes,
                                          std::string_view name);

}  // namespace netml::codecs
