// A map of networks as plain values, and what deletions do to it, reported as docs/ tell it: slow,
// and short enough to be read. The program must agree with it, whatever is done in whatever order.
//
// What it leaves out: copies, and the fields that all elements here share.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/graph/graph.hpp"

namespace netml::test {

// What an element is, through all its changes: the identity of its record. 0 = none.
using Key = std::uint64_t;

// When an element was last delivered, made or brought back: in which step, and in which topology of
// that step's file. Of duplicates the newest is kept.
using Age = std::pair<int, int>;

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
  Age age;                    // no part of the value, as record numbers are none

  bool operator==(const PlainElement& other) const {
    return kind == other.kind && id == other.id && name == other.name &&
           property == other.property && main == other.main && topologies == other.topologies &&
           owners == other.owners && ends == other.ends && origin == other.origin;
  }
};

using PlainMap = std::map<Key, PlainElement>;

// The first one of that kind and identifier; 0 when there is none.
Key find(const PlainMap& map, Kind kind, std::string_view id);
std::vector<Key> all_of(const PlainMap& map, Kind kind);
bool has_duplicates(const PlainMap& map);
bool refers(const PlainElement& element, Key target);
// The parent of a topology; 0 at the top level.
Key parent_of(const PlainMap& map, Key topology);
// Whether a topology is another one, or above it.
bool is_above(const PlainMap& map, Key candidate, Key topology);

// With all that depends on it.
void erase(PlainMap& map, Key key);
void erase_topologies(PlainMap& map, std::set<Key> topologies);
// Whatever referred to one element refers to the other; a link that would begin where it ends goes.
void replace(PlainMap& map, Key from, Key to);
// The same element under another key.
void rename(PlainMap& map, Key from, Key to);

// A line for each element, and of a graph the same.
std::vector<std::string> lines(const PlainMap& map);
std::vector<std::string> lines(const engine::Graph& graph);

// What leads from one map to another, in terms that do not depend on what else is there: what a
// stored plan is bound to.
std::multiset<std::string> effects(const PlainMap& before, const PlainMap& after);

}  // namespace netml::test
