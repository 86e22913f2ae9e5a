#include "admin/cluster/cluster_json.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <chrono>

namespace netml::admin {

namespace json = boost::json;

namespace {

std::int64_t milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

json::array members_json(const std::vector<wal::Member>& members, bool operators) {
  json::array items;
  for (const wal::Member& each : members) {
    json::object item{{"name", each.name},
                      {"lsn", each.applied.lsn.value},
                      {"version", each.version},
                      {"seen_ms", milliseconds(each.seen_ago)}};
    if (operators) item["address"] = each.address;
    items.push_back(std::move(item));
  }
  return items;
}

void take_changes(json::object& cluster) {
  for (const char* const name : {"epoch", "lsn", "shared_lsn", "behind"}) cluster.erase(name);
  for (json::value& member : cluster.at("members").as_array()) member.as_object().erase("lsn");
}

// For a leader by its lease, for others since they last knew of the newest.
bool is_long_ago(const wal::MembershipStatus& status) {
  return status.role == wal::Role::leader ? status.lease_left.count() <= 0
                                          : status.lag >= wal::MembershipOptions().lease;
}

}  // namespace

json::object cluster_json(const ClusterMember& member, ClusterDetail detail) {
  const bool operators = detail == ClusterDetail::for_operators;
  const wal::MembershipStatus status = member.status();
  json::object object{{"name", member.identity().name},
                      {"role", wal::to_string(status.role)},
                      {"reason", operators ? status.reason : ""},
                      {"epoch", status.epoch.value},
                      {"lsn", status.own.lsn.value},
                      {"shared_lsn", status.shared.lsn.value},
                      {"behind", status.behind},
                      {"lag_ms", milliseconds(status.lag)},
                      {"leader", status.leader},
                      {"reached", status.reached},
                      {"synchronous", status.synchronous},
                      {"require_standby", member.identity().require_standby},
                      {"members", members_json(member.members(), operators)}};
  if (detail == ClusterDetail::without_changes) take_changes(object);
  if (!operators) return object;
  object["address"] = member.identity().address;
  object["leader_address"] = status.leader_address;
  object["last_error"] = status.last_error;
  return object;
}

std::optional<ClusterProblem> cluster_problem(const ClusterMember& member) {
  const wal::MembershipStatus status = member.status();
  if (status.role == wal::Role::stopped)
    return ClusterProblem{
        "member_stopped",
        fmt::format("this member follows the cluster no more: {}", status.reason)};
  if (!status.reached && is_long_ago(status))
    return ClusterProblem{
        "no_database",
        fmt::format("the database does not answer this member{}; reads go on. See that a primary "
                    "runs, and that this machine reaches it",
                    status.last_error.empty() ? "" : ": " + status.last_error)};
  if (status.role != wal::Role::leader && status.leader_address.empty())
    return ClusterProblem{
        "no_leader", fmt::format("no member leads the cluster{}; one that has all changes takes "
                                 "over within seconds",
                                 status.last_error.empty() ? "" : ": " + status.last_error)};
  if (member.identity().require_standby && !status.synchronous)
    return ClusterProblem{"no_standby",
                          "no second database confirms changes, and this member requires one "
                          "(--cluster-require-standby): start the standby, or make a new one"};
  return std::nullopt;
}

}  // namespace netml::admin
