// Short texts in the exchange format, so that a test shows its file in a few lines:
//
//   topology("P", "p", institution("p"), node("a"), node("b"), link("l", "a", "b"),
//            topology("C", "c", institution("c")))
//
// A name is the identifier unless it is given, a node stands at 44.65/-63.57 without altitude, and
// the parts of a topology may come in any order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"

namespace netml::test {

std::string escaped(std::string_view text);

class ElementText {
 public:
  ElementText(Kind kind, std::string_view id) : kind_(kind), id_(id), name_(id) {}

  ElementText& named(std::string_view name);
  ElementText& short_named(std::string_view short_name);
  ElementText& version(std::string_view version);
  ElementText& owned_by(std::string_view institution);
  ElementText& with(std::string_view property, std::string_view value);
  // Marks a copy of an element of those topologies, joined by commas.
  ElementText& copy_of(std::string_view topologies);
  // What stands inside Location and Lifetime.
  ElementText& location(std::string_view xml);
  ElementText& lifetime(std::string_view xml);
  ElementText& ends(std::string_view a, std::string_view b);

  Kind kind() const { return kind_; }
  std::string xml() const;

 private:
  Kind kind_;
  std::string id_;
  std::string name_;
  std::string short_name_;
  std::string version_;
  std::string owners_;
  std::string lifetime_;
  std::string location_;
  std::string properties_;
  std::string ends_;
};

ElementText institution(std::string_view id);
ElementText node(std::string_view id);
ElementText link(std::string_view id, std::string_view a, std::string_view b);

class TopologyText {
 public:
  TopologyText(std::string_view id, std::string_view owner) : id_(id), name_(id), owner_(owner) {}

  TopologyText& named(std::string_view name);
  TopologyText& version(std::string_view version);
  TopologyText& with(std::string_view property, std::string_view value);
  TopologyText& add(const ElementText& element);
  TopologyText& add(const TopologyText& child);

  // The whole file with this topology as its root.
  operator std::string() const;  // NOLINT: a test hands topologies where files are wanted

 private:
  std::string element(std::string_view namespaces) const;

  std::string id_;
  std::string name_;
  std::string owner_;
  std::string version_;
  std::string properties_;
  std::string institutions_;
  std::string links_;
  std::string nodes_;
  std::string children_;
};

template <class... Parts>
TopologyText topology(std::string_view id, std::string_view owner, const Parts&... parts) {
  TopologyText text(id, owner);
  (text.add(parts), ...);
  return text;
}

// A topology with an institution "o" that owns it.
TopologyText owned(std::string_view id);

// The same with a node "n".
std::string small_map(std::string_view id);

// A topology "P" with an institution "p" that owns it, and so many nodes, "n0", "n1", ...
std::string map_with(int nodes);

// `depth` topologies inside one another, "t0" the root, all owned by an institution "o" of their
// own and holding one node each ("n0", "n1", ...).
std::string chain_of_topologies(std::size_t depth);

}  // namespace netml::test
