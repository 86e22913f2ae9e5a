// The leader's side of the write path: appends groups under the lease, and ends the doubt when
// nobody knows whether one holds (docs/cluster.md).
//
// Of each group it says one of three things, and the first two are final: it holds; it does not and
// never will; nobody could find out before the lease had run out. In the last case, and whenever
// another member turns out to lead, this one follows from then on.
//
// Thread: the store's, which owns the log that it is given.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>

#include "wal/cluster/lease_keeper.hpp"
#include "wal/cluster/standing.hpp"
#include "wal/commit/group_log.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

// Lets that much time pass, and returns then.
using Pause = std::function<void(std::chrono::nanoseconds)>;

class Leader final : public GroupLog {
 public:
  // All must outlive it.
  Leader(const Clock& clock, LeaseKeeper& lease, Standing& standing,
         const MembershipOptions& options)
      : clock_(clock), lease_(lease), standing_(standing), options_(options) {}

  // `uploads`: of the store; it must outlive this.
  void begin(OpenSharedLog open_log, Storage& uploads, Pause pause);
  // Before leading: there is a connection.
  Status connect();

  Status may_write() override;
  Status append(const Append& group, std::span<const Sha256> files) override;
  Status confirm() override;
  void fell_behind(const Error& error) override;
  // Stops writing, then frees the lease.
  Status resign(const std::string& reason);

 private:
  Status resolve(const Append& group);
  Status decide(const Append& group, const Head& head);
  Status look_up(const Append& group);
  Result<bool> holds(const Append& group);

  const Clock& clock_;
  LeaseKeeper& lease_;
  Standing& standing_;
  const MembershipOptions& options_;
  OpenSharedLog open_log_;
  Pause pause_;
  std::unique_ptr<SharedLog> log_;
  Storage* uploads_ = nullptr;
};

}  // namespace netml::wal
