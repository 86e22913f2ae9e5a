#include "bench/scenario/shapes.hpp"

#include <algorithm>
#include <array>

namespace netml::bench {

namespace {

using generator::GeneratorOptions;

// Half of the elements are nodes and half links, spread evenly over the topologies.
GeneratorOptions spread_over(std::uint32_t topologies, std::uint32_t elements) {
  GeneratorOptions options;
  options.topologies = std::max(topologies, 1U);
  options.nodes = options.links = std::max(elements / options.topologies / 2, 2U);
  return options;
}

GeneratorOptions tree(std::uint32_t elements) {
  return spread_over(elements / 1000, elements);
}

GeneratorOptions many_small(std::uint32_t elements) {
  return spread_over(elements / 20, elements);
}

GeneratorOptions one_topology(std::uint32_t elements) {
  return spread_over(1, elements);
}

// The reader takes 1,000 levels of XML, of which the elements inside the last topology need some.
GeneratorOptions chain(std::uint32_t elements) {
  constexpr std::uint32_t kDepth = 990;
  GeneratorOptions options = spread_over(kDepth, elements);
  options.fan_out = 1;
  return options;
}

GeneratorOptions shared_by_20(std::uint32_t elements) {
  constexpr std::uint32_t kMemberships = 20;
  const std::uint32_t groups = std::max(elements / 20'000, 1U);
  GeneratorOptions options = spread_over(groups * kMemberships, elements);
  options.memberships = kMemberships;
  return options;
}

GeneratorOptions many_properties(std::uint32_t elements) {
  GeneratorOptions options = tree(elements);
  options.properties = 20;
  return options;
}

GeneratorOptions star(std::uint32_t elements) {
  GeneratorOptions options = one_topology(elements);
  options.link_ends = generator::LinkEnds::one_node;
  return options;
}

GeneratorOptions one_owner(std::uint32_t elements) {
  GeneratorOptions options = tree(elements);
  options.ownership = generator::Ownership::one_institution;
  return options;
}

// 10,000 at a million elements: 1 percent of the elements carry the id of another one.
GeneratorOptions collisions(std::uint32_t elements) {
  GeneratorOptions options = tree(elements);
  options.collision_percent = 2;  // of every second topology, with those of the one before
  return options;
}

// 100,000 at a million elements: each topology has copies of a fifth of its parent's nodes.
GeneratorOptions copies(std::uint32_t elements) {
  GeneratorOptions options = tree(elements);
  options.copied_percent = 20;
  return options;
}

constexpr generator::Revision kHalfRemoved{
    .number = 1, .changed_per_mille = 0, .removed_per_mille = 500};

constexpr std::array kShapes{
    Shape{"tree", "tree of topologies with 1,000 elements each", tree},
    Shape{"many-small", "many small topologies (20 elements each)", many_small},
    Shape{"one-topology", "one topology with everything", one_topology},
    Shape{"chain", "chain of topologies 990 deep", chain},
    Shape{"shared", "every element in 20 topologies", shared_by_20},
    Shape{"properties", "20 properties for each element", many_properties},
    Shape{"star", "star: half of all elements end at one node", star},
    Shape{"one-owner", "one institution owns everything", one_owner},
    Shape{"deletion", "half of everything deleted by a re-import", tree, kHalfRemoved},
    Shape{"collisions", "1 % of the elements have another one's id", collisions},
    Shape{"copies", "10 % copies to resolve", copies},
};

}  // namespace

std::span<const Shape> shapes() {
  return kShapes;
}

const Shape* find_shape(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kShapes, [&](const Shape& shape) { return shape.name == name; });
  return found == kShapes.end() ? nullptr : found;
}

}  // namespace netml::bench
