// How good the map is, and what is wrong with it, as JSON (docs/api.md, section "Quality").
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/catalog.hpp"
#include "engine/quality/countries.hpp"
#include "engine/quality/deliveries.hpp"
#include "engine/quality/score.hpp"
#include "engine/transaction/state.hpp"

namespace netml::admin::web {

// Listed findings of one check; all are counted.
inline constexpr std::size_t kFindingsMax = 1'000;
// What making the answers takes for each record of the map, at most.
inline constexpr std::uint64_t kQualityMemoryOfRecord = 96;
// And besides for each in the lists of quality_answer().
inline constexpr std::uint64_t kQualityMemoryOfTopology = 4'096;
inline constexpr std::uint64_t kQualityMemoryOfSource = 16'384;

// What is over or to come is judged by the day, so that answers of a day can be cached.
Instant begin_of_day(WallTime now);

// How each source delivers, by its number.
using DeliveriesBySource = std::map<std::uint64_t, engine::Deliveries>;

// As text of JSON: of the map, of each topology, and of each source: its maps, less what its
// failures take and how it delivers.
std::string quality_answer(const engine::State& state, const engine::Tallies& tallies,
                           const engine::Countries& countries, Instant now,
                           const DeliveriesBySource& deliveries);

// `score` and `records` alone; of a topology by its identifier and all below it, or of the whole
// map without one. Null where there is no such topology.
boost::json::object score_json(const engine::Graph& graph, const engine::Tallies& tallies,
                               std::string_view topology);

struct WantedFindings {
  RecordId topology = {};  // and all below it; none = the whole map
  std::optional<engine::Check> check = {};
};
boost::json::object findings_answer(const engine::State& state, const engine::Countries& countries,
                                    Instant now, const WantedFindings& wanted);

}  // namespace netml::admin::web
