// Looks at every record of a map, and reports what is wrong with it (docs/quality.md).
//
// Failure: none. Time: next to the size of the map, and a sort of its names. Memory: 24 bytes for
// each node, link and owner while it lasts. Thread: any (pure functions); `report` is called by the
// caller's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"
#include "engine/graph/graph.hpp"
#include "engine/quality/checks.hpp"

namespace netml::engine {

class Countries;

struct Finding {
  Check check = Check::place_missing;
  RecordId record;
  RecordId other = {};            // another record that it is about, such as the one it repeats
  std::string_view subject = {};  // the name of a property; of the graph
  double kilometres = -1;         // how far away, or how long; less than 0: not about that
  std::optional<Coordinates> place = {};  // where it would stand: a proposal
};

struct Inspection {
  const Graph& graph;
  const Countries& countries;  // without outlines nothing is compared with countries
  Instant now;
};

using Report = std::function<void(const Finding&)>;
void inspect(const Inspection& map, const Report& report);

// A finding in words: "it stands outside of the country that it names: 512 km off".
std::string text_of(const Graph& graph, const Finding& finding);

}  // namespace netml::engine
