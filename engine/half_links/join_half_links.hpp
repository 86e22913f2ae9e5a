// Which half links belong together: those whose ports name each other, and no others
// (docs/formats/half-links.md). Nothing is guessed: what is not joined has a reason.
//
// Cost: n log n of the half links. Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/half_links/half_link.hpp"

namespace netml::engine {

struct HalfLinkAt {
  RecordId node;
  HalfLink half;
};

// Places in what was given; the first is the one with the smaller port.
struct JoinedHalves {
  std::size_t first = 0;
  std::size_t second = 0;
  LabelsAre labels = LabelsAre::unknown;
};

enum class Unjoined : std::uint8_t {
  one_sided,  // the other port is here and does not name this one back
  dangling,   // no node here has the port that it names
  unclear,    // it names several, or several have one name, or it joins a node with itself
};
std::string_view text_of(Unjoined why);  // "one-sided"

struct UnjoinedHalf {
  std::size_t half = 0;
  Unjoined why = Unjoined::dangling;
  std::string reason;
};

struct HalfLinkJoins {
  std::vector<JoinedHalves> joined;    // by their first half
  std::vector<UnjoinedHalf> unjoined;  // in the order of the half links
  std::size_t without_peer = 0;        // ports that name no other
};

HalfLinkJoins join_half_links(const std::vector<HalfLinkAt>& halves);

// Appends those of a node, ascending by port; a copy of a node elsewhere has none.
void add_half_links(RecordId node, const Attributes& attributes, std::vector<HalfLinkAt>& halves);

// The identifier of the link that two halves are: what both call it, else made of their ports.
std::string joined_link_id(const HalfLink& one, const HalfLink& other);

}  // namespace netml::engine
