// JSON shapes of imports and of stored plans (docs/api.md).
#pragma once

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string_view>
#include <vector>

#include "admin/imports/import_job.hpp"
#include "admin/imports/import_plans.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/export/topology_moves.hpp"

namespace netml::admin {

boost::json::object counts_json(const std::array<engine::ImportCounts, kKindCount>& counts);

// Topologies that get another parent: `topology`, `from`, `to` (null: the top level), each `id` and
// `name`; `leaves_export`; `text`, the same in words.
boost::json::array moves_json(const std::vector<engine::TopologyMove>& moves);
// As codecs::loss_json has it.
boost::json::value losses_json(const engine::LossList& losses);
// With `losses` where the fields of the file were counted.
boost::json::object import_result_json(const ImportResult& result, bool dry_run);
boost::json::object import_failure_json(const ImportFailure& failure);
int import_failure_status(const ImportFailure& failure);  // of HTTP
// How a file was read: the name of its format, which is that of its name where the text is empty or
// has parameters alone (codecs/formats/read_as.hpp), and these.
std::string_view format_name(std::string_view read_as, std::string_view file_name);
std::string_view format_parameters(std::string_view read_as);
// `state` names the parent, or what is updated.
boost::json::object kept_plan_json(std::uint64_t number, const engine::KeptPlan& plan,
                                   const engine::State& state);
// An import result with `differences`.
boost::json::object planned_again_json(const PlannedAgain& planned);

}  // namespace netml::admin
