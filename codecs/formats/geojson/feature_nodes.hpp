// The nodes of a file, and what links may call them by: their keys, identifiers, names and places.
//
// Ownership: the texts live as long as the file's tree or its draft. Thread: its owner.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/geojson/line_course.hpp"

namespace netml::codecs {

struct FeatureNode {
  JsonValue properties = {};
  JsonValue geometry = {};
  JsonValue id = {};          // of which the key was made, if of any
  std::string_view key = {};  // unique in the file, but for nodes with the same id
  std::string_view identifier = {};
  std::string_view name = {};
  std::optional<Place> place = {};
};

class FeatureNodes {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t add(const FeatureNode& node);
  FeatureNode& operator[](std::uint32_t node) { return nodes_[node]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  // False: another has it.
  bool call(std::uint32_t node, std::string_view text) {
    return called_.try_emplace(IdKey(text), node).second;
  }

  // None where several are there.
  std::uint32_t called(std::string_view text) const;
  std::uint32_t named(std::string_view name);
  std::uint32_t placed(const Place& place);

 private:
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };
  using NodeOf = boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash>;

  std::vector<FeatureNode> nodes_;
  NodeOf called_;
  // Made when somebody asks for the first time.
  NodeOf named_;
  boost::unordered_flat_map<Place, std::uint32_t, PlaceHash> placed_;
  std::uint32_t names_known_ = 0;
  std::uint32_t places_known_ = 0;
};

}  // namespace netml::codecs
