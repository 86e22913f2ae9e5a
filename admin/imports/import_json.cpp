#include "admin/imports/import_json.hpp"

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/history/audit_json.hpp"
#include "codecs/formats/file_format.hpp"
#include "codecs/formats/loss_json.hpp"
#include "codecs/formats/read_as.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin {

namespace json = boost::json;

json::object counts_json(const std::array<engine::ImportCounts, kKindCount>& counts) {
  return each_kind_json([&](Kind kind) -> json::object {
    const engine::ImportCounts& count = counts[static_cast<std::size_t>(kind)];
    return {{"parsed", count.parsed}, {"imported", count.imported}};
  });
}

json::array moves_json(const std::vector<engine::TopologyMove>& moves) {
  const auto name = [](const std::optional<engine::TopologyName>& topology) -> json::value {
    if (!topology) return nullptr;
    return json::object{{"id", topology->id}, {"name", topology->name}};
  };
  json::array items;
  for (const engine::TopologyMove& move : moves)
    items.push_back(json::object{{"topology", name(move.topology)},
                                 {"from", name(move.from)},
                                 {"to", name(move.to)},
                                 {"leaves_export", move.leaves_export},
                                 {"text", move_text(move)}});
  return items;
}

json::value losses_json(const engine::LossList& losses) {
  return json::parse(codecs::loss_json(losses));
}

json::object import_result_json(const ImportResult& result, bool dry_run) {
  json::object object{{"record", result.record},
                      {"lsn", result.lsn.value},
                      {"status", static_cast<int>(result.status)},
                      {"log", result.log},
                      {"created", result.changes.created},
                      {"updated", result.changes.updated},
                      {"deleted", result.changes.deleted},
                      {"counts", counts_json(result.counts)},
                      {"moves", moves_json(result.moves)},
                      {"plan", result.plan},
                      {"dry_run", dry_run}};
  if (!result.held_because.empty()) object["held_because"] = result.held_because;
  if (result.losses.present() > 0) object["losses"] = losses_json(result.losses);
  return object;
}

int import_failure_status(const ImportFailure& failure) {
  return failure.no_room ? 507 : net::http_status(failure.error.code);
}

json::object import_failure_json(const ImportFailure& failure) {
  json::object object = error_json(failure.error, failure.errors);
  object["record"] = failure.record;
  object["plan"] = failure.plan;
  return object;
}

namespace {

bool is_update(const std::string& format) {
  const auto read_as = codecs::parse_read_as(format);
  return read_as && read_as->is_update;
}

}  // namespace

std::string_view format_name(std::string_view read_as, std::string_view file_name) {
  return codecs::chosen_format(read_as, file_name).name;
}

std::string_view format_parameters(std::string_view read_as) {
  const std::string_view parameters = codecs::parameters_in(read_as);
  return parameters.empty() ? parameters : parameters.substr(1);
}

json::object kept_plan_json(std::uint64_t number, const engine::KeptPlan& plan,
                            const engine::State& state) {
  json::object object{{"id", number},
                      {"name", plan.name},
                      {"format", format_name(plan.format, plan.name)},
                      {"format_parameters", format_parameters(plan.format)},
                      {"topology_name", plan.topology_name},
                      {"parent", nullptr},
                      {"update", is_update(plan.format)},
                      {"token", plan.token_client_name},
                      {"file_hash", to_hex(plan.file_hash)},
                      {"file_bytes", plan.file_bytes},
                      {"planned_at", format_instant(plan.planned_at)},
                      {"lsn", plan.lsn.value},
                      {"created", plan.created},
                      {"updated", plan.updated},
                      {"deleted", plan.deleted},
                      {"import_record", plan.import_record},
                      {"held_because", plan.held_because}};
  if (state.graph.contains(plan.parent_topology)) {
    object["parent"] = state.graph.attributes(plan.parent_topology).id();
    object["parent_name"] = state.graph.attributes(plan.parent_topology).name();
  }
  return object;
}

json::object planned_again_json(const PlannedAgain& planned) {
  const auto effect = [](const std::optional<engine::ElementDifference>& element) -> json::value {
    if (!element) return nullptr;
    return difference_json(*element);
  };
  json::array differences;
  for (const PlanDifference& difference : planned.differences)
    differences.push_back(json::object{{"kind", kind_name(difference.element.kind)},
                                       {"id", difference.element.identifier},
                                       {"planned", effect(difference.planned)},
                                       {"now", effect(difference.now)}});
  json::object answer = import_result_json(planned.result, planned.result.lsn == Lsn{});
  answer["differences"] = std::move(differences);
  answer["difference_count"] = planned.difference_count;
  return answer;
}

}  // namespace netml::admin
