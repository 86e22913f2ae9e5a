// How good the map is, and what is wrong with it, as JSON (docs/api.md, section "Quality").
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/catalog/catalog.hpp"
#include "engine/quality/score.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::web {

// Listed findings of one check; all are counted.
inline constexpr std::size_t kFindingsMax = 1'000;
// What making the answers takes for each record of the map.
inline constexpr std::uint64_t kQualityMemoryOfRecord = 96;

// Of the map, of each topology, and of each source: its maps, less what its failures take.
boost::json::object quality_answer(const engine::State& state, const engine::Countries& countries,
                                   Instant now);

// `score` and `records` alone; of a topology by its identifier and all below it, or of the whole
// map without one. Null where there is no such topology.
boost::json::object score_json(const engine::Graph& graph, const engine::Countries& countries,
                               Instant now, std::string_view topology);

struct WantedFindings {
  RecordId topology = {};  // and all below it; none = the whole map
  std::optional<engine::Check> check = {};
};
boost::json::object findings_answer(const engine::State& state, const engine::Countries& countries,
                                    Instant now, const WantedFindings& wanted);

}  // namespace netml::admin::web
