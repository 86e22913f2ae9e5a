// What an import does to a plain map, as docs/import.md and the decisions on it tell.
#pragma once

#include "tests/histories/plain_map.hpp"

namespace netml::test {

// Owners and ends are identifiers of the same topology of the file.
struct PlainFile {
  struct Element {
    Kind kind = Kind::node;
    std::string id;
    std::string name;
    std::string property;
    std::set<std::string> owners;
    std::array<std::string, 2> ends;
  };
  struct Topology {
    std::string id;
    std::string name;
    std::string owner;
    std::size_t parent = 0;         // a later one; of the root itself
    std::vector<Element> elements;  // institutions, nodes, links
  };
  // Children before their parents, which is the order in which an import visits them; the root is
  // the last.
  std::vector<Topology> topologies;

  const Topology& root() const { return topologies.back(); }
  std::string xml() const;
  std::string reported() const;  // for people
};

struct PlainImport {
  PlainMap map;
  std::set<Key> visited;  // the topologies of the file
};

// Below `parent`; 0: to the top level. `step` counts what was done; `next` is the key that the next
// new element gets.
PlainImport imported(PlainMap map, const PlainFile& file, Key parent, bool own_rules, int step,
                     Key& next);

}  // namespace netml::test
