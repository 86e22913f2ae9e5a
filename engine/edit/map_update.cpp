#include "engine/edit/map_update.hpp"

#include <limits>

#include "engine/base/result.hpp"

namespace netml::engine {

MapUpdate::Text MapUpdate::put(std::string_view text) {
  constexpr std::size_t kTextsMax = std::numeric_limits<std::uint32_t>::max();
  NETML_ASSERT(text.size() <= kTextsMax - texts_.size());  // readers hold files of less
  const Text put{static_cast<std::uint32_t>(texts_.size()),
                 static_cast<std::uint32_t>(text.size())};
  texts_ += text;
  return put;
}

void MapUpdate::add_element(Kind kind, std::string_view id, Place at) {
  const auto fields = static_cast<std::uint32_t>(fields_.size());
  elements_.push_back({kind, put(id), at, fields, fields});
}

void MapUpdate::add_field(UpdatedField field, Place at, std::uint32_t name) {
  const auto values = static_cast<std::uint32_t>(values_.size());
  fields_.push_back({field, at, name, values, values});
  ++elements_.back().fields_end;
}

void MapUpdate::add(Value value) {
  values_.push_back(value);
  ++fields_.back().values_end;
}

std::uint32_t MapUpdate::add_name(std::string_view name) {
  names_.emplace_back(name);
  return static_cast<std::uint32_t>(names_.size() - 1);
}

}  // namespace netml::engine
