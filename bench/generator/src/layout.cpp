#include "bench/generator/src/layout.hpp"

#include <algorithm>

namespace netml::generator {
namespace {

std::uint32_t share_of(std::uint32_t count, std::uint32_t percent) {
  return static_cast<std::uint32_t>(std::uint64_t{count} * percent / 100);
}

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

}  // namespace

Layout::Layout(const GeneratorOptions& options) : options_(options) {
  shared_nodes_ = share_of(options.nodes, options.shared_percent);
  // Shared links end at shared nodes, so that a sub-topology that lists them is complete.
  if (shared_nodes_ >= 2) shared_links_ = share_of(options.links, options.shared_percent);
  copied_nodes_ = share_of(options.nodes, options.copied_percent);
  colliding_nodes_ = share_of(options.nodes, options.collision_percent);
  colliding_links_ = share_of(options.links, options.collision_percent);
}

std::uint32_t Layout::parent(std::uint32_t topology) const {
  return topology == 0 ? kNone : (topology - 1) / options_.fan_out;
}

std::uint32_t Layout::first_child(std::uint32_t topology) const {
  const std::uint64_t child = std::uint64_t{topology} * options_.fan_out + 1;
  return child < options_.topologies ? static_cast<std::uint32_t>(child) : kNone;
}

std::uint32_t Layout::next_sibling(std::uint32_t topology) const {
  const bool last = topology == 0 || topology % options_.fan_out == 0;
  return last || topology + 1 >= options_.topologies ? kNone : topology + 1;
}

std::uint32_t Layout::home(std::uint32_t topology) const {
  return topology - topology % options_.memberships;
}

Range Layout::own_nodes(std::uint32_t home) const {
  return {0, options_.nodes - shared_nodes(home).size()};
}

Range Layout::own_links(std::uint32_t home) const {
  return {0, options_.links - shared_links(home).size()};
}

Range Layout::shared_nodes(std::uint32_t topology) const {
  return {0, topology == 0 ? 0 : shared_nodes_};
}

Range Layout::shared_links(std::uint32_t topology) const {
  return {0, topology == 0 ? 0 : shared_links_};
}

Range Layout::copied_nodes(std::uint32_t topology) const {
  return {shared_nodes_, shared_nodes_ + (topology == 0 ? 0 : copied_nodes_)};
}

Element Layout::owner(Element node_or_link) const {
  if (options_.ownership == Ownership::one_institution) return {0, 0};
  return {node_or_link.home, node_or_link.index % options_.institutions};
}

// How many links of a topology lead to copies: its last ones that nobody shares.
std::uint32_t Layout::linked_copies(std::uint32_t home) const {
  return std::min(copied_nodes(home).size(), own_links(home).end - shared_links_);
}

Ends Layout::ends(Element link) const {
  const bool shared = link.index < shared_links_;
  const std::uint32_t nodes = shared ? shared_nodes_ : own_nodes(link.home).end;
  const std::uint32_t far = 1 + link.index % (nodes - 1);
  constexpr std::uint32_t kHop = 8;  // nodes that lie near have near indices
  const auto hop = static_cast<std::uint32_t>(1 + draw(Draw::link_end, link) % std::min(far, kHop));
  const bool star = options_.link_ends == LinkEnds::one_node;
  const Element near{link.home, star ? 0 : far - hop};

  const std::uint32_t first_to_copy = own_links(link.home).end - linked_copies(link.home);
  if (link.index < first_to_copy) return {near, {link.home, far}};
  const std::uint32_t copy = copied_nodes(link.home).begin + (link.index - first_to_copy);
  return {near, {parent(link.home), copy}};
}

std::uint32_t Layout::node_id_home(Element node) const {
  const std::uint32_t end = options_.nodes - shared_nodes_;
  const bool collides = node.index < end && node.index >= end - colliding_nodes_;
  return collides ? node.home - node.home % 2 : node.home;
}

std::uint32_t Layout::link_id_home(Element link) const {
  const std::uint32_t end = options_.links - shared_links_;
  const bool collides = link.index < end && link.index >= end - colliding_links_;
  return collides ? link.home - link.home % 2 : link.home;
}

bool Layout::node_changed(Element node) const {
  return drawn(Draw::change_node, node, options_.revision.changed_per_mille);
}

bool Layout::link_changed(Element link) const {
  return drawn(Draw::change_link, link, options_.revision.changed_per_mille);
}

// The first node stays: all links of a star end there.
bool Layout::node_removed(Element node) const {
  return node.index != 0 && drawn(Draw::remove_node, node, options_.revision.removed_per_mille);
}

bool Layout::link_removed(Element link) const {
  if (options_.revision.number == 0) return false;
  const Ends ends = this->ends(link);
  return node_removed(ends.first) || node_removed(ends.second) ||
         drawn(Draw::remove_link, link, options_.revision.removed_per_mille);
}

bool Layout::drawn(Draw purpose, Element element, std::uint32_t per_mille) const {
  if (options_.revision.number == 0) return false;
  return mix(draw(purpose, element) + options_.revision.number) % 1000 < per_mille;
}

std::uint64_t Layout::draw(Draw purpose, Element element) const {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
  const std::uint64_t place = std::uint64_t{element.home} << 32 | element.index;
  return mix(mix(options_.seed * kStep + static_cast<std::uint64_t>(purpose)) + place * kStep);
}

}  // namespace netml::generator
