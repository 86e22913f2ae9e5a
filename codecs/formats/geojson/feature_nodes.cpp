#include "codecs/formats/geojson/feature_nodes.hpp"

#include <xxhash.h>

namespace netml::codecs {

std::uint32_t FeatureNodes::add(const FeatureNode& node) {
  nodes_.push_back(node);
  return size() - 1;
}

std::uint32_t FeatureNodes::called(std::string_view text) const {
  const auto found = called_.find(IdKey(text));
  return found == called_.end() ? kNone : found->second;
}

std::uint32_t FeatureNodes::named(std::string_view name) {
  for (; names_known_ < size(); ++names_known_) {
    const std::string_view known = nodes_[names_known_].name;
    if (known.empty()) continue;
    const auto [found, added] = named_.try_emplace(IdKey(known), names_known_);
    if (!added) found->second = kNone;
  }
  const auto found = named_.find(IdKey(name));
  return found == named_.end() ? kNone : found->second;
}

std::uint32_t FeatureNodes::placed(const Place& place) {
  for (; places_known_ < size(); ++places_known_) {
    const auto& known = nodes_[places_known_].place;
    if (!known) continue;
    const auto [found, added] = placed_.try_emplace(*known, places_known_);
    if (!added) found->second = kNone;
  }
  const auto found = placed_.find(place);
  return found == placed_.end() ? kNone : found->second;
}

std::size_t FeatureNodes::PlaceHash::operator()(const Place& place) const {
  return XXH3_64bits(&place, sizeof place);
}

}  // namespace netml::codecs
