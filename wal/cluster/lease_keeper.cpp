#include "wal/cluster/lease_keeper.hpp"

#include <algorithm>

namespace netml::wal {

Leased LeaseKeeper::take(SharedLog& log, Epoch seen) {
  const std::chrono::nanoseconds asked = clock_.steady();
  Leased taken = log.take_lease(holder_, seen, length_);
  if (taken.outcome != Outcome::done) return taken;
  const std::lock_guard lock(mutex_);
  if (epoch_ > taken.found.lease.epoch) return taken;  // another thread took it again meanwhile
  epoch_ = taken.found.lease.epoch;
  taken_at_ = taken.found.head;
  until_ = asked + length_;
  return taken;
}

Leased LeaseKeeper::renew(SharedLog& log) {
  const std::optional<Epoch> asked_for = epoch();
  if (!asked_for) return {Outcome::refused, {}, "there is no lease"};
  const std::chrono::nanoseconds asked = clock_.steady();
  Leased renewed = log.renew_lease(holder_, *asked_for, length_);
  const std::lock_guard lock(mutex_);
  if (epoch_ != asked_for) return {Outcome::unknown, {}, "the lease was taken again meanwhile"};
  if (renewed.outcome == Outcome::done) until_ = std::max(until_, asked + length_);
  if (renewed.outcome == Outcome::refused) epoch_.reset();
  return renewed;
}

Leased LeaseKeeper::release(SharedLog& log) {
  const std::optional<Epoch> asked_for = epoch();
  if (!asked_for) return {Outcome::refused, {}, "there is no lease"};
  give_up();
  return log.release_lease(holder_, *asked_for);
}

void LeaseKeeper::give_up() {
  const std::lock_guard lock(mutex_);
  epoch_.reset();
}

std::optional<Epoch> LeaseKeeper::epoch() const {
  const std::lock_guard lock(mutex_);
  return epoch_;
}

Head LeaseKeeper::taken_at() const {
  const std::lock_guard lock(mutex_);
  return taken_at_;
}

std::optional<Epoch> LeaseKeeper::held() const {
  const std::lock_guard lock(mutex_);
  return until_ > clock_.steady() ? epoch_ : std::nullopt;
}

std::chrono::nanoseconds LeaseKeeper::left() const {
  const std::lock_guard lock(mutex_);
  if (!epoch_) return {};
  return std::max(until_ - clock_.steady(), std::chrono::nanoseconds(0));
}

bool LeaseKeeper::renewal_due() const {
  return left() <= length_ - length_ / 3;
}

}  // namespace netml::wal
