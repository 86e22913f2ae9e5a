// What an import has to do with the redundancy policies that are stored (docs/redundancy.md): those
// that more elements would be below are named in its log, and some of them hold it.
//
// Thread: any (it reads the node's memory budget only).
#pragma once

#include <optional>
#include <string>

#include "admin/node/node.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::admin {

// Warns in the log of the plan, which is of `state`; given is why it is to be held. Costs nothing
// where no policy is enabled, or the plan changes nothing that routes are made of; else two checks
// of each policy. Errc::unavailable where there is too little memory to know; Errc::conflict where
// a policy cannot be read.
Result<std::optional<std::string>> check_policies(Node& node, const engine::State& state,
                                                  engine::ImportPlan& plan);

}  // namespace netml::admin
