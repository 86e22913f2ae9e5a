// Fixes of what is wrong with the map, as JSON (docs/api.md, section "Quality").
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "engine/fixes/plan_fixes.hpp"

namespace netml::admin::web {

// Null where nothing is proposed. A place is there as a change of the record takes it.
boost::json::value fix_json(const engine::Graph& graph, const engine::Proposal& proposal);

// How many findings are mended and left, and the first of each, with what is done, or why nothing.
inline constexpr std::size_t kListedFixes = 1'000;
boost::json::object fixes_json(const engine::Graph& graph, const engine::FixPlan& plan);

}  // namespace netml::admin::web
