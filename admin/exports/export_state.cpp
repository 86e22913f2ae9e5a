#include "admin/exports/export_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/exports/publisher.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/guarded.hpp"
#include "engine/export/export_order.hpp"

namespace netml::admin {

namespace json = boost::json;

namespace {

constexpr const char* kNothingPublished = "NothingPublished";
constexpr const char* kUnreadable = "UnreadableData";

ExportFault fault_of(const engine::Graph& graph, const engine::ExportObstacle& obstacle) {
  ExportFault problem;
  problem.error_type = export_failure_name(obstacle.failure);
  if (!obstacle.topology) return problem;
  problem.topology = graph.number(obstacle.topology).value;
  problem.id = graph.attributes(obstacle.topology).id();
  problem.name = graph.attributes(obstacle.topology).name();
  return problem;
}

// "GARR", "GARR and GEANT", "GARR, GEANT, DFN and 4 more"
std::string topology_names(const ExportState& state) {
  constexpr std::size_t kNames = 3;
  const std::size_t named = std::min(kNames, state.problems.size());
  const std::uint64_t more = state.problem_count - named;
  std::string text = state.problems.front().name;
  for (std::size_t i = 1; i < named; ++i)
    text += (i + 1 == named && more == 0 ? " and " : ", ") + state.problems[i].name;
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

ExportState unreadable_state() {
  ExportState state;
  state.problems.push_back({.error_type = kUnreadable, .id = {}, .name = {}});
  state.problem_count = 1;
  return state;
}

std::string page_of(const ExportFault& problem) {
  return fmt::format("/admin/topologies/{}/", problem.topology);
}

}  // namespace

std::string ExportState::reason() const {
  if (ok()) return {};
  const ExportFault& first = problems.front();
  if (first.topology != 0)
    return fmt::format("{} {} no owner", topology_names(*this),
                       problem_count == 1 ? "has" : "have");
  if (first.error_type == kNothingPublished) return "nothing has been published";
  if (first.error_type == kUnreadable) return "stored data cannot be read";
  if (empty) return "there is no map yet";
  return "there is not exactly one main topology";
}

std::string ExportState::remedy() const {
  if (ok()) return {};
  const ExportFault& first = problems.front();
  if (first.topology != 0)
    return fmt::format("give {} an owner, at {}, or undo the change that took it", first.name,
                       page_of(first));
  if (first.error_type == kNothingPublished)
    return "publish the map, at /admin/publications/ or with `netml publish NAME`";
  if (first.error_type == kUnreadable)
    return "see what `netml status` says, and start the node again";
  if (empty) return "import one, at /admin/file-imports/ or with `netml import FILE`";
  return "mark one topology as main, at /admin/topologies/";
}

ExportState export_state(const engine::State& state) {
  if (setting_value(state.catalog, kSupplyType) != "Published")
    return live_export_state(state.graph);
  ExportState result;
  if (latest_published(state.catalog) != 0) return result;
  result.problems.push_back({.error_type = kNothingPublished, .id = {}, .name = {}});
  result.problem_count = 1;
  return result;
}

ExportState live_export_state(const engine::Graph& graph) {
  ExportState result;
  const std::vector<engine::ExportObstacle> obstacles = export_obstacles(graph);
  result.empty = graph.count(Kind::topology) == 0;
  result.problem_count = obstacles.size();
  for (const engine::ExportObstacle& obstacle : obstacles) {
    if (result.problems.size() == ExportState::kProblemsMax) break;
    result.problems.push_back(fault_of(graph, obstacle));
  }
  return result;
}

ExportState new_problems(const ExportState& before, const ExportState& after) {
  ExportState result;
  for (const ExportFault& problem : after.problems)
    if (std::ranges::find(before.problems, problem) == before.problems.end())
      result.problems.push_back(problem);
  result.problem_count = result.problems.size();
  return result;
}

json::object export_state_json(const ExportState& state) {
  if (state.ok()) return {{"ok", true}};
  json::array problems;
  for (const ExportFault& problem : state.problems) {
    json::value topology;
    if (problem.topology != 0)
      topology = {{"number", problem.topology}, {"id", problem.id}, {"name", problem.name}};
    problems.push_back(json::object{{"error_type", problem.error_type}, {"topology", topology}});
  }
  return {{"ok", false},
          {"detail", "Export fails: " + state.reason()},
          {"remedy", state.remedy()},
          {"problems", std::move(problems)},
          {"problem_count", state.problem_count},
          {"empty", state.empty}};
}

ExportWatch::ExportWatch(Node& node) : node_(node), first_(node.version().state) {
  seen_ = first_->lsn;
  node.watch(this);
}

void ExportWatch::look(const engine::State& state) {
  const std::lock_guard looking(looking_);
  if (state.lsn <= seen_) return;
  const auto former = known_or_first();
  auto found = std::make_shared<const ExportState>(export_state(state));
  seen_ = state.lsn;
  {
    const std::lock_guard lock(mutex_);
    state_ = found;
  }
  log(*former, *found);
}

std::shared_ptr<const ExportState> ExportWatch::now() const {
  if (auto state = known()) return state;
  const std::lock_guard looking(looking_);
  return known_or_first();
}

std::shared_ptr<const ExportState> ExportWatch::known() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

// With looking_ held.
std::shared_ptr<const ExportState> ExportWatch::known_or_first() const {
  if (auto state = known()) return state;
  auto looked = guarded([&]() -> Result<ExportState> { return export_state(*first_); });
  check_allocated(looked.has_value() || !is_out_of_memory(looked.error()));
  auto found =
      std::make_shared<const ExportState>(looked ? *std::move(looked) : unreadable_state());
  first_.reset();
  const std::lock_guard lock(mutex_);
  state_ = found;
  return found;
}

void ExportWatch::log(const ExportState& former, const ExportState& state) {
  if (former.problems == state.problems && former.problem_count == state.problem_count) return;
  if (state.ok())
    node_.events().information("export", "peers can collect the map");
  else
    node_.events().warning("export",
                           fmt::format("export fails: {}; {}", state.reason(), state.remedy()));
}

bool concerns_export(const engine::Transaction& transaction) {
  const auto is_topology = [](const engine::RecordChange& change) {
    return (change.after ? change.after : change.before).kind() == Kind::topology;
  };
  return !transaction.settings.empty() || !transaction.published.empty() ||
         std::ranges::any_of(transaction.records, is_topology);
}

}  // namespace netml::admin
