// Which elements each generated topology lists: pure arithmetic over the options.
//
// An element is known by its home, the topology that brings it in, and its index there. The nodes
// of a home are, by index: those that its sub-topologies list too, those that they list as copies,
// plain ones, and at the end those whose ids collide. Links the same, without copies.
#pragma once

#include <cstdint>

#include "bench/generator/generator.hpp"

namespace netml::generator {

struct Element {
  std::uint32_t home;
  std::uint32_t index;
  bool operator==(const Element&) const = default;
};

struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t size() const { return end - begin; }
};

struct Ends {
  Element first;
  Element second;
};

// Tells the draws of different kinds and purposes apart.
enum class Draw : std::uint8_t {
  institution,
  node,
  link,
  link_end,
  change_node,
  change_link,
  remove_node,
  remove_link
};

// Thread: any (immutable).
class Layout {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  explicit Layout(const GeneratorOptions& options);

  // The tree. Topologies are numbered breadth first; kNone where there is no such topology.
  std::uint32_t parent(std::uint32_t topology) const;
  std::uint32_t first_child(std::uint32_t topology) const;
  std::uint32_t next_sibling(std::uint32_t topology) const;

  // Where the elements of a topology are at home: itself, unless memberships are above one.
  std::uint32_t home(std::uint32_t topology) const;

  Range own_nodes(std::uint32_t home) const;
  Range own_links(std::uint32_t home) const;
  // What a topology takes from its parent's home; empty for the root.
  Range shared_nodes(std::uint32_t topology) const;
  Range shared_links(std::uint32_t topology) const;
  Range copied_nodes(std::uint32_t topology) const;

  Element owner(Element node_or_link) const;
  Ends ends(Element link) const;

  // The topology number that the id of a node or link shows.
  std::uint32_t node_id_home(Element node) const;
  std::uint32_t link_id_home(Element link) const;

  bool node_changed(Element node) const;
  bool link_changed(Element link) const;
  bool node_removed(Element node) const;
  bool link_removed(Element link) const;

  // A well-mixed number for one element and purpose.
  std::uint64_t draw(Draw purpose, Element element) const;

 private:
  bool drawn(Draw purpose, Element element, std::uint32_t per_mille) const;
  std::uint32_t linked_copies(std::uint32_t home) const;

  GeneratorOptions options_;
  std::uint32_t shared_nodes_ = 0;
  std::uint32_t shared_links_ = 0;
  std::uint32_t copied_nodes_ = 0;
  std::uint32_t colliding_nodes_ = 0;
  std::uint32_t colliding_links_ = 0;
};

}  // namespace netml::generator
