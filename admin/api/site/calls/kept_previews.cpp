#include "admin/api/site/calls/kept_previews.hpp"

#include <algorithm>

namespace netml::admin::web {

void KeptPreviews::forget_all() {
  std::deque<Entry> forgotten;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  forgotten.swap(kept_);
}

PreviewPtr KeptPreviews::find(const std::string& key, Lsn version) {
  std::deque<Entry> forgotten;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  if (!kept_.empty() && kept_.front().preview->change.base->lsn != version) forgotten.swap(kept_);
  const auto found = std::ranges::find(kept_, key, &Entry::key);
  if (found == kept_.end()) return nullptr;
  std::rotate(kept_.begin(), found, found + 1);
  return kept_.front().preview;
}

void KeptPreviews::keep(Entry entry) {
  std::deque<Entry> forgotten;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  if (!kept_.empty() && kept_.front().preview->change.base->lsn != entry.preview->change.base->lsn)
    forgotten.swap(kept_);
  kept_.push_front(std::move(entry));
  if (kept_.size() <= kKept) return;
  forgotten.push_back(std::move(kept_.back()));
  kept_.pop_back();
}

Result<PreviewPtr> KeptPreviews::get(const std::string& key, const Make& make) {
  if (PreviewPtr kept = find(key, node_.version().state->lsn)) return kept;
  NETML_TRY(PreviewPtr made, make());
  keep({key, made});
  return made;
}

}  // namespace netml::admin::web
