// The parts of a member put together, without threads: keep() and follow() are what two threads do
// over and over (membership.hpp), and what tests call one after another.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "engine/base/random.hpp"
#include "wal/cluster/follower.hpp"
#include "wal/cluster/leader.hpp"
#include "wal/cluster/lease_keeper.hpp"
#include "wal/cluster/standing.hpp"

namespace netml::wal {

class ClusterMember {
 public:
  // `clock` must outlive it. A name of a holder is made for this run.
  ClusterMember(const Clock& clock, Random& random, const MembershipOptions& options);
  ClusterMember(const ClusterMember&) = delete;
  ClusterMember& operator=(const ClusterMember&) = delete;

  // For StoreOptions.
  Leader& leader() { return leader_; }
  const Standing& standing() const { return standing_; }
  Standing& standing() { return standing_; }
  LeaseKeeper& lease() { return lease_; }
  const LeaseKeeper& lease() const { return lease_; }

  // `data` is the directory of the store; `pause` is called by the store's thread.
  // Errc::invalid_input for the options, Errc::io_error.
  Status begin(Storage& data, MemberStore store, OpenSharedLog open_log, Pause pause);
  NodeUuid cluster() const { return cluster_; }
  // Once it has begun. Thread: any.
  MembershipStatus status() const;

  // Looks after the lease: renews it, or takes it when it is free and this member has all there is;
  // reports. To be called often against a third of the lease. Thread: one.
  void keep(SharedLog& log);
  // Renews the lease, and takes note of what the shared log says then. Thread: any.
  Leased renew(SharedLog& log);
  // Follows, and leads once it holds the lease and has all there was then; a leader removes what is
  // old from the shared log. True when there may be more at once. Thread: one.
  bool follow(SharedLog& log);
  // Stops writing and frees the lease; not taken again within its length.
  Status release();

 private:
  void keep_lease(SharedLog& log);
  void watch(SharedLog& log);
  bool may_take(const SharedHead& found) const;
  void take_lease(SharedLog& log, const SharedHead& found);
  void report(SharedLog& log);
  void note(const SharedHead& found, std::chrono::nanoseconds asked);
  void lead_if_complete();
  void forget_old(SharedLog& log);
  void note_error(const Error& error);
  void put_off();

  const Clock& clock_;
  const MembershipOptions options_;
  Standing standing_;
  LeaseKeeper lease_;
  Leader leader_;
  MemberStore store_;
  DataDirectory data_;
  NodeUuid cluster_;
  std::optional<Follower> follower_;

  mutable std::mutex mutex_;
  std::chrono::nanoseconds not_before_{};  // the lease is left to others until then; mutex_
  std::chrono::nanoseconds reported_{};    // keep()
  bool ever_reported_ = false;             // keep()
  std::chrono::nanoseconds forgets_at_{};  // the next time; follow()
};

}  // namespace netml::wal
