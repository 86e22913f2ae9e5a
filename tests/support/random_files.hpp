// Files drawn by rapidcheck from a small stock of identifiers, so that topologies and elements
// meet again in one file and from file to file: shared, moved, renamed, copied, changed.
#pragma once

#include <string>

namespace netml::test {

// What copies say they are copies of.
enum class Marks {
  any,    // some topologies, whether or not they have the element, even their own
  homes,  // as an export marks them: the topologies of the originals, or one not in the file
};

// All expect to run inside a rapidcheck property.

// The whole range from the first case on; inRange() alone grows it with the size of the case.
int below(int limit);

// `topology_count_max` at most 5.
std::string random_file(int topology_count_max, Marks marks = Marks::any);

// An identifier that random_file() gives to topologies.
std::string random_topology_id();

}  // namespace netml::test
