#include "codecs/formats/kml/kml_ends.hpp"

#include <fmt/format.h>

#include <optional>

#include "codecs/document/error_list.hpp"
#include "codecs/document/numbers.hpp"

namespace netml::codecs {

namespace {

std::optional<KmlPlace> place_of(const DraftElement& node) {
  const auto longitude = parse_number(node.value(Target::longitude));
  const auto latitude = parse_number(node.value(Target::latitude));
  if (!longitude || !latitude) return std::nullopt;
  return KmlPlace{*longitude, *latitude};
}

}  // namespace

KmlEnds::KmlEnds(std::span<const DraftElement> nodes) : nodes_(nodes) {
  for (const Target by : {Target::key, Target::identifier, Target::name}) call(by);
  place_nodes();
}

void KmlEnds::call(Target by) {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const std::string_view name = nodes_[i].value(by);
    if (name.empty()) continue;
    const auto [found, added] = called_.try_emplace(IdKey(name), Called{i, by});
    if (!added && found->second.by == by) found->second.several = true;
  }
}

void KmlEnds::place_nodes() {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (const auto place = place_of(nodes_[i]))
      if (const auto [found, added] = placed_.try_emplace(degrees(*place), Called{i}); !added)
        found->second.several = true;
}

// Either zero is one, and so is either side of 180 degrees.
KmlEnds::Degrees KmlEnds::degrees(const KmlPlace& place) {
  constexpr double kHalf = 180;
  const double longitude = place.longitude == -kHalf ? kHalf : place.longitude;
  return {longitude + 0.0, place.latitude + 0.0};
}

KmlEnds::End KmlEnds::named(std::string_view name) const {
  const auto found = called_.find(IdKey(name));
  if (found == called_.end())
    return {0, fmt::format("its end {} is no node of the file", excerpt(name))};
  if (found->second.several) return {0, fmt::format("several nodes are called {}", excerpt(name))};
  return {found->second.node};
}

KmlEnds::End KmlEnds::at(const KmlPlace& place) const {
  const auto found = placed_.find(degrees(place));
  if (found == placed_.end()) return {0, "no node stands exactly at its end"};
  if (found->second.several) return {0, "several nodes stand at its end"};
  return {found->second.node};
}

std::string_view KmlEnds::key(std::uint32_t node) const {
  const std::string_view key = nodes_[node].value(Target::key);
  return key.empty() ? nodes_[node].value(Target::reference) : key;
}

bool KmlEnds::is_at(std::uint32_t node, const KmlPlace& place) const {
  const auto there = place_of(nodes_[node]);
  return there && there->is_at(place);
}

}  // namespace netml::codecs
