// Deterministic maps of any size, written as NetML: for benchmarks, tests and `netml generate`.
//
// A generated file is a tree of topologies, each self-contained and valid by
// docs/requirements/exchange-format.md, sections 1 to 6. Every element is a function of the seed
// and its place in the tree, so that equal options give equal bytes on every machine, and memory
// does not grow with the size of the file.
//
// Thread: any; the functions keep nothing between calls.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace netml::generator {

enum class LinkEnds : std::uint8_t {
  near_nodes,  // a connected net of short hops
  one_node,    // a star: every link of a topology ends at its first node
};

enum class Ownership : std::uint8_t {
  by_topology,      // each topology has institutions of its own
  one_institution,  // the first institution of the root owns all there is
};

// A later state of the same map. Number 0 is the first state; the shares do not count then.
struct Revision {
  std::uint32_t number = 0;
  std::uint32_t changed_per_mille = 0;  // nodes and links with other names and versions
  std::uint32_t removed_per_mille = 0;  // nodes and links; a link also goes with a node it ends at
};

struct GeneratorOptions {
  std::uint64_t seed = 1;
  std::uint32_t topologies = 1;
  std::uint32_t fan_out = 10;      // sub-topologies of a topology; 1 gives a chain
  std::uint32_t institutions = 2;  // these three: of each topology
  std::uint32_t nodes = 50;
  std::uint32_t links = 50;
  std::uint32_t properties = 2;   // of each node, and of each link beside its throughput
  std::uint32_t memberships = 1;  // groups of so many topologies list exactly the same elements

  // These shares are percentages of a topology's nodes and links.
  std::uint32_t shared_percent = 0;     // listed in full by the parent as well; 50 at most
  std::uint32_t copied_percent = 0;     // nodes of the parent, added as marked copies, with links
  std::uint32_t collision_percent = 0;  // have an id that another topology gives to something else

  LinkEnds link_ends = LinkEnds::near_nodes;
  Ownership ownership = Ownership::by_topology;
  Revision revision;
};

// How many elements were written, counting an element once for each topology that lists it, and
// without the global institution.
struct GeneratedCounts {
  std::uint64_t topologies = 0;
  std::uint64_t institutions = 0;
  std::uint64_t nodes = 0;
  std::uint64_t links = 0;
  std::uint64_t bytes = 0;

  std::uint64_t elements() const { return institutions + nodes + links; }
  bool operator==(const GeneratedCounts&) const = default;
};

// Takes the next piece of the file. Answers false to stop the generator.
using Sink = std::function<bool(std::string_view)>;

// Why the options contradict each other, in words for the user; nothing if they do not.
std::optional<std::string> problem_with(const GeneratorOptions& options);

// Writes the file in pieces of about 256 KiB. Nothing when the sink stopped it.
// Precondition: problem_with(options) has none.
std::optional<GeneratedCounts> generate(const GeneratorOptions& options, const Sink& sink);

// The same as one text, for tests and benchmarks.
std::string generate_text(const GeneratorOptions& options);

}  // namespace netml::generator
