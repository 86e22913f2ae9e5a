// The ports of an NML document as halves of links, and which of them its links join.
//
// Thread: its owner; the network outlives it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/formats/nml/nml_network.hpp"
#include "engine/half_links/half_link.hpp"

namespace netml::codecs {

// A port of both directions with its parts, or one of one direction alone.
struct NmlHalf {
  std::uint32_t port = NmlElement::kNone;  // its object
  // A node, or a topology whose switching service it is a port of; none: it is not known.
  std::uint32_t place = NmlElement::kNone;
  std::string_view lost_because = {};  // where there is no place
  bool on_link = false;                // one end of a link of the document
};

// A link of both directions, a pair of one-way links, or a one-way link alone.
struct NmlLink {
  std::uint32_t whole = NmlElement::kNone;                // BidirectionalLink, if there is one
  std::vector<std::uint32_t> parts = {};                  // one-way links
  std::array<std::vector<std::uint32_t>, 2> halves = {};  // at each end
  std::array<std::uint32_t, 2> places = {NmlElement::kNone, NmlElement::kNone};
  bool one_way = false;                // from the first end to the second
  std::string_view lost_because = {};  // where it has no two ends
};

class NmlHalves {
 public:
  explicit NmlHalves(const NmlNetwork& network);

  const std::vector<NmlHalf>& halves() const { return halves_; }
  const std::vector<NmlLink>& links() const { return links_; }

 private:
  static constexpr std::uint32_t kNone = NmlElement::kNone;

  void list_halves();
  void find_place(NmlHalf& half);
  bool has_long_identifier(const NmlObject& port) const;
  void list_links();
  void pair_one_way_links(const std::vector<std::uint32_t>& alone);
  void find_ends(NmlLink& link);
  // Of the only port of a link; none where there are several.
  std::uint32_t half_of(const std::vector<std::uint32_t>& ports) const;

  const NmlNetwork& network_;
  std::vector<NmlHalf> halves_;
  std::vector<std::uint32_t> half_of_port_;  // by object
  std::vector<NmlLink> links_;
};

}  // namespace netml::codecs
