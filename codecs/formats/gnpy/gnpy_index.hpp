// What a file of GNPy has: its elements and what is connected with what, before anything is made of
// them.
//
// Ownership: places in a JsonTree that outlives it. Thread: its owner.
// Errors: reported: what lacks its name or has that of another, connections to nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codecs/document/json_tree.hpp"
#include "codecs/formats/draft/json_objects.hpp"

namespace netml::codecs {

inline constexpr std::uint32_t kNoElement = 0xffffffff;

struct GnpyElement {
  JsonValue value;
  std::string_view uid;
  bool is_fiber = false;
  // Of a fibre: the nodes it joins, if it is a link. What is before it, and behind it.
  std::uint32_t from = kNoElement;
  std::uint32_t to = kNoElement;
  std::uint32_t before = 0;  // how many connections lead to it
  std::uint32_t behind = 0;  // and from it

  // Whether light comes from one node and goes to another.
  bool is_link() const { return is_fiber && from != kNoElement && to != kNoElement; }
};

struct GnpyConnection {
  JsonValue value;
  std::uint32_t from = kNoElement;
  std::uint32_t to = kNoElement;
};

class GnpyIndex {
 public:
  GnpyIndex(JsonValue root, JsonObjects& objects);

  const std::vector<GnpyElement>& elements() const { return elements_; }
  const std::vector<GnpyConnection>& connections() const { return connections_; }

  // Whether positions are degrees, by what fibres say: a fibre is as long as the great circle
  // between its ends, or longer, up to kDetourMax times. All must be so, and at least kWitnessesMin
  // of them, whose ends are in different places.
  bool has_degrees() const;
  static constexpr double kDetourMin = 0.99;  // the Earth is no ball
  static constexpr double kDetourMax = 3;
  static constexpr std::size_t kWitnessesMin = 3;

 private:
  void list_elements(JsonValue root);
  void list_connections(JsonValue root);
  void join_fibers();

  JsonObjects& objects_;
  std::vector<GnpyElement> elements_;
  std::vector<GnpyConnection> connections_;
};

// "metadata": {"location": ...}
JsonValue location_of(JsonValue element);

}  // namespace netml::codecs
