#include "codecs/formats/draft/long_property.hpp"

#include <algorithm>
#include <vector>

namespace netml::codecs {

std::optional<LongProperty> long_property(const engine::Attributes& attributes,
                                          std::string_view name) {
  const std::vector<engine::Property> properties = attributes.properties();
  const auto is_piece = [&](const engine::Property& property) { return property.name == name; };
  const auto first = std::ranges::find_if(properties, is_piece);
  const auto end = std::find_if_not(first, properties.end(), is_piece);
  if (first == end || std::any_of(end, properties.end(), is_piece)) return {};
  LongProperty whole{.pieces = static_cast<std::size_t>(end - first),
                     .is_first = first == properties.begin(),
                     .is_last = end == properties.end()};
  for (auto piece = first; piece != end; ++piece) {
    const bool is_full =
        engine::character_count(piece->value) == engine::kPropertyValueCharactersMax;
    if (piece->value.empty() || (!is_full && std::next(piece) != end)) return {};
    whole.text += piece->value;
  }
  return whole;
}

}  // namespace netml::codecs
