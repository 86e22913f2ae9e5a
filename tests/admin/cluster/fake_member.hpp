// A member of a cluster that says what a test wants it to. Thread: any; to be changed while no
// request runs.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "admin/cluster/member.hpp"

namespace netml::admin::testing {

// The chain of the one history of these tests: the LSN in every byte.
inline Sha256 chain_at(std::uint64_t lsn) {
  Sha256 chain;
  chain.fill(static_cast<std::byte>(lsn));
  return chain;
}
inline wal::Head head_at(std::uint64_t lsn) {
  return {Lsn{lsn}, chain_at(lsn)};
}
inline std::string token_of(std::uint64_t lsn) {
  return wal::to_string(head_at(lsn));
}

class FakeMember : public ClusterMember {
 public:
  FakeMember(wal::Role role, std::uint64_t lsn, std::string leader_address = {}) {
    status_.role = role;
    status_.own = head_at(lsn);
    status_.leader_address = std::move(leader_address);
  }

  wal::MembershipStatus status() const override {
    const std::lock_guard lock(mutex_);
    return status_;
  }
  // What is to arrive does so while somebody waits for it.
  Status wait_for(Lsn lsn, std::chrono::nanoseconds) const override {
    const std::lock_guard lock(mutex_);
    if (arriving_ > status_.own.lsn) status_.own = head_at(arriving_.value);
    if (status_.own.lsn >= lsn) return {};
    return fail(Errc::unavailable, "it did not come");
  }
  Result<Sha256> hash_at(Lsn lsn) const override {
    if (lsn > status().own.lsn || lsn < begins_) return fail(Errc::not_found, "none");
    return chain_at(lsn.value);
  }
  Status confirm_fresh() override {
    ++confirmed;
    if (confirms) return {};
    return fail(Errc::unavailable, "the database does not answer");
  }
  const MemberIdentity& identity() const override { return identity_; }
  std::vector<wal::Member> members() const override { return listed; }

  void set(const wal::MembershipStatus& status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
  }
  void will_arrive(std::uint64_t lsn) { arriving_ = Lsn{lsn}; }
  void begin_at(std::uint64_t lsn) { begins_ = Lsn{lsn}; }

  bool confirms = true;
  int confirmed = 0;
  std::vector<wal::Member> listed;

 private:
  mutable std::mutex mutex_;
  mutable wal::MembershipStatus status_;  // guarded by mutex_
  const MemberIdentity identity_{.name = "beta", .address = "https://beta.example:8443"};
  Lsn arriving_{0};
  Lsn begins_{1};
};

}  // namespace netml::admin::testing
