// What a check of a redundancy policy found, as JSON (docs/api.md, section "Redundancy").
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>

#include "engine/analysis/redundancy.hpp"

namespace netml::admin::web {

inline constexpr std::size_t kRedundancyItemsMax = 10'000;
// Of all routes together; those of further elements are counted and not listed.
inline constexpr std::size_t kRedundancyRouteLinksMax = 200'000;
// What making the answer takes: for each record of the map, and for each that may be listed.
inline constexpr std::uint64_t kRedundancyMemoryOfRecord = 128;
inline constexpr std::uint64_t kRedundancyMemoryOfItem = 4'096;
// Where several versions are looked at.
inline constexpr std::uint64_t kHistoryMemoryOfRecord = 240;

const char* redundancy_state_name(engine::RedundancyState state);

// The elements that do not meet the policy, or are not known to; with `all` the others, too.
boost::json::object redundancy_answer(const engine::Graph& graph,
                                      const engine::RedundancyPolicy& policy, bool all);

// How many elements meet it, are below it, are undecided.
boost::json::object redundancy_counts(const engine::RedundancySummary& summary);

}  // namespace netml::admin::web
