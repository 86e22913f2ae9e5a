// What requests want to know of the member of a cluster that they came to: the small port between
// what clients meet here and the membership below (wal/cluster/membership.hpp).
//
// Thread: any.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/result.hpp"
#include "wal/cluster/membership.hpp"
#include "wal/format/journal.hpp"

namespace netml::admin {

// What this member is, as its operator said.
struct MemberIdentity {
  std::string name;
  std::string address;          // where the others reach it: "https://alpha.example:8443"
  bool require_standby = true;  // changes are refused while no second database confirms them
  std::chrono::nanoseconds keep = std::chrono::days(7);  // as wal::MembershipOptions::keep
};

class ClusterMember {
 public:
  virtual ~ClusterMember() = default;

  virtual const MemberIdentity& identity() const = 0;

  // Never waits. `own` is what readers find here from now on, or before it.
  virtual wal::MembershipStatus status() const = 0;
  // Returns when readers find at least `lsn`; Errc::unavailable after `at_most`.
  virtual Status wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const = 0;
  // Errc::not_found beyond the own head, or before the own journal begins.
  virtual Result<Sha256> hash_at(Lsn lsn) const = 0;
  // That nobody has written what readers do not find here; Errc::unavailable where another member
  // leads, or nobody answers. Blocks for a round trip.
  virtual Status confirm_fresh() = 0;
  // As the shared log had them when it was asked last, sorted by name. Never waits.
  virtual std::vector<wal::Member> members() const = 0;
};

}  // namespace netml::admin
