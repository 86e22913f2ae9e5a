// The nodes that the lines of a KML file join: found by name, or by the place where a line ends.
// What several nodes have tells nothing.
//
// Ownership: views into the draft, which outlives this. Thread: its owner.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/kml/kml_places.hpp"

namespace netml::codecs {

class KmlEnds {
 public:
  // A node, or why there is none.
  struct End {
    std::uint32_t node = 0;
    std::string problem = {};
  };

  explicit KmlEnds(std::span<const DraftElement> nodes);

  // By what the file calls it: its key before its identifier before its name.
  End named(std::string_view name) const;
  End at(const KmlPlace& place) const;
  // What a link calls it by.
  std::string_view key(std::uint32_t node) const;
  bool is_at(std::uint32_t node, const KmlPlace& place) const;

 private:
  struct Called {
    std::uint32_t node = 0;
    Target by = Target::key;
    bool several = false;
  };
  using Degrees = std::pair<double, double>;
  static Degrees degrees(const KmlPlace& place);

  void call(Target by);
  void place_nodes();

  std::span<const DraftElement> nodes_;
  boost::unordered_flat_map<IdKey, Called, IdKeyHash> called_;
  boost::unordered_flat_map<Degrees, Called> placed_;
};

}  // namespace netml::codecs
