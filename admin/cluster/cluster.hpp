// The cluster that a running node is a member of: the engine of the shared log, which is loaded
// when there is a cluster at all, and the membership over it.
//
// Owner: the server; it is made before the node, which begins and stops the membership, and
// outlives it. Thread: any.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "admin/cluster/member.hpp"
#include "engine/base/random.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "wal/cluster/membership.hpp"
#include "wal/shared/shared_engine.hpp"

namespace netml::admin {

// The engine of PostgreSQL: a module that lies beside the program, or below it in ../lib/netml/, as
// packages have it. Errc::not_found where there is none, Errc::conflict where it is of another
// version; the message says which file and what to do.
Result<wal::SharedEngine> load_shared_engine(const wal::SharedEngineSettings& settings);

// What is wrong with an address at which the others reach a member; empty: nothing. Over http to
// another machine whoever is on the way reads and changes what members say to each other.
std::string risk_of_address(const std::string& url);

struct ClusterSettings {
  std::string connection;  // of the database; it stands in no message and no log
  MemberIdentity member;
};

class Cluster final : public ClusterMember {
 public:
  // Connects to nothing yet. `clock` and `random` must outlive it.
  static Result<std::unique_ptr<Cluster>> load(const ClusterSettings& settings, const Clock& clock,
                                               Random& random);

  wal::Membership& membership() { return membership_; }
  bool leads() const { return membership_.role() == wal::Role::leader; }

  wal::MembershipStatus status() const override { return membership_.status(); }
  Status wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const override;
  Result<Sha256> hash_at(Lsn lsn) const override { return membership_.hash_at(lsn); }
  Status confirm_fresh() override;
  const MemberIdentity& identity() const override { return identity_; }
  // With the time since they were asked for in their ages.
  std::vector<wal::Member> members() const override;
  // Asks the shared log for them. Blocks for a round trip; what is known stays when it fails.
  Status refresh_members();

 private:
  Cluster(wal::SharedEngine engine, const ClusterSettings& settings, const Clock& clock,
          Random& random);

  const MemberIdentity identity_;
  const Clock& clock_;
  wal::Membership membership_;
  mutable std::mutex mutex_;
  std::vector<wal::Member> members_;          // guarded by mutex_
  std::chrono::nanoseconds members_asked_{};  // when; guarded by mutex_
};

}  // namespace netml::admin
