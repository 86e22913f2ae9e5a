// What a member tells about its cluster: in `/status/`, the API, health (docs/cluster.md).
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "admin/cluster/member.hpp"

namespace netml::admin {

enum class ClusterDetail : std::uint8_t {
  without_changes,  // nor what tells of them: they may be of what a view hides (docs/views.md)
  for_everybody,    // without addresses and errors
  for_operators,
};

// `name`, `role`, `reason`, `epoch`, `lsn`, `shared_lsn`, `behind`, `lag_ms`, `leader`,
// `reached`, `synchronous`, `require_standby`, `members` (each `name`, `lsn`, `version`,
// `seen_ms`). For operators also `address`, `leader_address`, `last_error` and the members'
// `address`. Without changes neither `epoch`, `behind` nor any LSN.
boost::json::object cluster_json(const ClusterMember& member, ClusterDetail detail);

// Why the cluster takes no changes, as far as this member knows. Once the database has not answered
// for the length of a lease, nobody who is as far from it leads any more.
struct ClusterProblem {
  const char* code;  // "member_stopped", "no_database", "no_leader" or "no_standby"
  std::string message;
};
std::optional<ClusterProblem> cluster_problem(const ClusterMember& member);

}  // namespace netml::admin
