// Questions about a redundancy policy, whether it came with the request or is stored.
//
// Thread: any.
#pragma once

#include "admin/api/site/calls/calls.hpp"
#include "engine/analysis/redundancy.hpp"

namespace netml::admin::web {

// Who does not meet it; with `?all=true` who does, too; with `?at=WHEN` on a map of the past.
Result<net::Response> redundancy_of(const Call& call, const engine::RedundancyPolicy& policy);

// Since when who has how many routes: from `?from=WHEN`, or the beginning, until `?until=WHEN`, or
// now; of `?element=ID`, or all.
Result<net::Response> redundancy_history_of(const Call& call, engine::RedundancyPolicy policy);

}  // namespace netml::admin::web
