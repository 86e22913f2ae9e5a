#include "admin/history/past_versions.hpp"

#include <algorithm>

namespace netml::admin::web {

void PastVersions::forget_all() {
  std::deque<engine::StatePtr> forgotten;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  forgotten.swap(kept_);
}

engine::StatePtr PastVersions::find(Lsn lsn) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, lsn, [](const auto& state) { return state->lsn; });
  if (found == kept_.end()) return nullptr;
  std::rotate(kept_.begin(), found, found + 1);
  return kept_.front();
}

Result<engine::StatePtr> PastVersions::at(Audit& audit, const std::optional<std::string>& when) {
  if (!when) return node_.version().state;
  NETML_TRY(const Lsn lsn, audit.resolve(*when));
  if (engine::StatePtr state = find(lsn)) return state;
  const auto slot = making_.take();
  if (slot == nullptr) return fail(Errc::unavailable, "too many look at the past; try again later");
  NETML_TRY(wal::PastState past, node_.state_at(lsn));
  const std::lock_guard lock(mutex_);
  kept_.push_front(past.state);
  if (kept_.size() > kKept) kept_.pop_back();
  return std::move(past.state);
}

}  // namespace netml::admin::web
