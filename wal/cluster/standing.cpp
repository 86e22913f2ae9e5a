#include "wal/cluster/standing.hpp"

#include <algorithm>
#include <utility>

namespace netml::wal {

const char* to_string(Role role) {
  switch (role) {
    case Role::starting:
      return "starting";
    case Role::follower:
      return "follower";
    case Role::leader:
      return "leader";
    case Role::stopped:
      return "stopped";
  }
  NETML_ASSERT(false);
}

std::string name_of_holder(const std::string& holder) {
  return holder.substr(0, holder.find('#'));
}

Role Standing::role() const {
  const std::lock_guard lock(mutex_);
  return role_;
}

void Standing::follow() {
  const std::lock_guard lock(mutex_);
  if (role_ == Role::starting) role_ = Role::follower;
}

void Standing::lead(Epoch epoch) {
  const std::lock_guard lock(mutex_);
  if (role_ == Role::stopped || role_ == Role::leader) return;
  role_ = Role::leader;
  reason_.clear();
  events_.push_back({true, epoch, {}});
}

void Standing::cease(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (role_ != Role::leader) return;
  role_ = Role::follower;
  reason_ = reason;
  events_.push_back({false, epoch_, reason});
}

void Standing::stop(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (role_ == Role::stopped) return;
  if (role_ == Role::leader) events_.push_back({false, epoch_, reason});
  role_ = Role::stopped;
  reason_ = reason;
}

// Answers may overtake each other; the older one has an older epoch or head.
void Standing::note(const SharedHead& found, std::chrono::nanoseconds asked) {
  const std::lock_guard lock(mutex_);
  reached_ = true;
  last_error_.clear();
  if (asked < seen_at_) return;
  seen_ = found;
  seen_at_ = asked;
  epoch_ = std::max(epoch_, found.lease.epoch);
}

void Standing::note_newest(std::chrono::nanoseconds asked) {
  const std::lock_guard lock(mutex_);
  newest_at_ = std::max(newest_at_, asked);
}

void Standing::note_own(const Head& own) {
  const std::lock_guard lock(mutex_);
  if (reached_ && own.lsn >= seen_.head.lsn) newest_at_ = std::max(newest_at_, seen_at_);
}

void Standing::note_group(const Head& after) {
  constexpr std::size_t kGroupsKept = 4096;
  const std::lock_guard lock(mutex_);
  groups_[after.lsn] = after.chain;
  // All else that was seen holds on: a log says of an append that is done no more than that.
  reached_ = true;
  last_error_.clear();
  if (after.lsn > seen_.head.lsn) seen_.head = after;
  if (groups_.size() > kGroupsKept) groups_.erase(groups_.begin());
}

std::optional<Sha256> Standing::hash_at(Lsn lsn) const {
  const std::lock_guard lock(mutex_);
  const auto found = groups_.find(lsn);
  return found == groups_.end() ? std::nullopt : std::optional(found->second);
}

void Standing::note_address(const std::string& leader, const std::string& address) {
  const std::lock_guard lock(mutex_);
  address_of_ = leader;
  address_ = address;
}

void Standing::note_error(const Error& error) {
  const std::lock_guard lock(mutex_);
  reached_ = reached_ && error.code != Errc::unavailable;
  last_error_ = error.message;
}

void Standing::note_success() {
  const std::lock_guard lock(mutex_);
  last_error_.clear();
}

SharedHead Standing::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

Status Standing::may_write(bool require_standby) const {
  const std::lock_guard lock(mutex_);
  if (role_ != Role::leader)
    return fail(Errc::unavailable,
                reason_.empty() ? "another member leads" : "this member does not lead: " + reason_);
  if (require_standby && !seen_.synchronous)
    return fail(Errc::unavailable, "no second machine confirms what the shared log writes");
  return {};
}

MembershipStatus Standing::status() const {
  const std::lock_guard lock(mutex_);
  MembershipStatus status;
  status.role = role_;
  status.reason = reason_;
  status.epoch = epoch_;
  status.shared = seen_.head;
  status.lag = clock_.steady() - newest_at_;
  status.reached = reached_;
  status.synchronous = seen_.synchronous;
  status.leader = name_of_holder(seen_.lease.holder);
  if (status.leader == address_of_) status.leader_address = address_;
  status.last_error = last_error_;
  return status;
}

std::vector<RoleEvent> Standing::take_events() {
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

}  // namespace netml::wal
