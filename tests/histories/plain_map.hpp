// A map of networks as plain values, and what imports, deletions and undos do to it, told as docs/
// tell it: slow, and short enough to be read. The program must agree with it, whatever is done in
// whatever order.
//
// What it leaves out: copies, sub-topologies in files, and the fields that all elements here share.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/graph.hpp"

namespace netml::test {

using Key = int;  // what an element is, through all its changes; 0 = none

struct PlainElement {
  Kind kind = Kind::topology;
  std::string id;
  std::string name;
  std::string property;  // the value of "k"; empty = none
  bool main = false;
  std::set<Key> topologies;   // of a topology: its parent
  std::set<Key> owners;       // of a topology: none or one
  std::array<Key, 2> ends{};  // of a link
  Key origin = 0;             // of a topology: the root of the file that brought it last
  bool operator==(const PlainElement&) const = default;
};

using PlainMap = std::map<Key, PlainElement>;

// A file with one topology. Owners and ends are identifiers of the same file.
struct PlainFile {
  struct Element {
    Kind kind = Kind::node;
    std::string id;
    std::string name;
    std::string property;
    std::set<std::string> owners;
    std::array<std::string, 2> ends;
  };
  std::string id;
  std::string name;
  std::string owner;
  std::vector<Element> elements;  // institutions, nodes, links

  std::string xml() const;
};

// The one of that kind and identifier; 0 when there is none.
Key find(const PlainMap& map, Kind kind, std::string_view id);
bool refers(const PlainElement& element, Key target);

// To the top level. `next` is the key that the next new element gets.
PlainMap imported(PlainMap map, const PlainFile& file, Key& next);

// With all that depends on it.
void erase(PlainMap& map, Key key);
void erase_topologies(PlainMap& map, std::set<Key> topologies);

// A line for each element, and of a graph the same.
std::vector<std::string> lines(const PlainMap& map);
std::vector<std::string> lines(const engine::Graph& graph);

// What leads from one map to another, in terms that do not depend on what else is there: what a
// kept plan is bound to.
std::multiset<std::string> effects(const PlainMap& before, const PlainMap& after);

}  // namespace netml::test
