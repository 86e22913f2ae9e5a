// A look at all records of a graph on two cores.
//
// Thread: any.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/base/parallel.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine::detail {

// Calls `look(part, id)` of each record, where `part` is of the half that the record is in. Each
// half has every second stripe of identities: files bring nodes before links, and most steps are
// about one of them. Ascending in each half.
template <class Part, class Look>
std::array<Part, 2> in_halves(const Graph& graph, Parallel& parallel, const Look& look) {
  constexpr std::uint32_t kStripe = 64;
  const std::uint32_t end = graph.next_id().value;
  const auto look_at = [&](std::uint32_t begin, Part& part) {
    for (; begin < end; begin += 2 * kStripe)
      for (RecordId id{begin}; id.value < std::min(begin + kStripe, end); ++id.value)
        if (graph.contains(id)) look(part, id);
  };
  std::array<Part, 2> parts;
  parallel.run_both([&] { look_at(0, parts[0]); }, [&] { look_at(kStripe, parts[1]); });
  return parts;
}

}  // namespace netml::engine::detail
