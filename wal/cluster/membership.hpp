// One member of a cluster, as a node runs it: the threads that keep the lease, follow the shared
// log and change the role, around the parts that do the work (leader.hpp, follower.hpp, member.hpp;
// docs/cluster.md).
//
// A member is a data directory whose UUID is the cluster's, a name that no other member has, and an
// address where the others reach it. It is begun in this order:
//
//   Membership membership(clock, random, open_log, options);   // nothing runs yet
//   store_options.group_log = &membership.group_log();         // before Store::open
//   Writer writer(Store::open(...), writer_options);
//   membership.begin(data, writer);                            // threads run from here on
//   ...
//   membership.stop();                                         // before Writer::stop
//   writer.stop(...);                                          // before the membership goes away
//
// While it follows, Writer::submit() is answered with Errc::unavailable: whoever has a leader's
// address forwards. The writer publishes what is followed as it does what it commits, and calls
// after_commit.
//
// Times are the given clock's steady ones; those that a call may wait are of the system's.
// Thread: any, unless a call says otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/random.hpp"
#include "engine/base/time.hpp"
#include "wal/cluster/standing.hpp"
#include "wal/commit/group_log.hpp"
#include "wal/commit/writer.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::wal {

class Membership {
 public:
  // Checks the options and opens nothing. `clock` and `random` must outlive it.
  Membership(const Clock& clock, Random& random, OpenSharedLog open_log, MembershipOptions options);
  // Stops.
  ~Membership();
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  // For StoreOptions::group_log; valid as long as this.
  GroupLog& group_log();

  // Connects and starts. `data` is the directory of the writer's store. Errc::conflict when the
  // shared log is another cluster's, or the histories differ; Errc::invalid_input for options that
  // no member can have; Errc::newer_version. A log that cannot be reached is no error: it is tried
  // again, and until then the role is `starting`.
  Status begin(Storage& data, Writer& writer);

  Role role() const;
  MembershipStatus status() const;

  // Of `?fresh=1`: that no other member has written, asked of the shared log now. Gives the head
  // that the writer has published then, or a later one. Blocks for a round trip.
  // Errc::unavailable when this member does not lead, or nobody answers.
  Result<Head> confirm_fresh();

  // Of tokens: the published version once it is at least `lsn`. Blocks for at most `at_most`;
  // Errc::unavailable after it.
  Result<Version> wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const;
  // The chain hash there, from memory for the newest, else from the journal. Errc::not_found beyond
  // the own head, or before the own journal begins.
  Result<Sha256> hash_at(Lsn lsn) const;

  // As the shared log has them, sorted by name. Blocks for a round trip.
  Result<std::vector<Member>> members();

  // Lets another member lead: no write is taken from here on, and the lease is free when it
  // returns with success. This one takes it again only when nobody else has within a lease's
  // length. Nothing where it does not lead.
  Status release();

  // Releases the lease, ends the threads. Nothing of the writer is used afterwards. May be called
  // again.
  void stop();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace netml::wal
