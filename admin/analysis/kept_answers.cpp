#include "admin/analysis/kept_answers.hpp"

#include <algorithm>

namespace netml::admin::web {

KeptAnswers::KeptAnswers(MemoryBudget& memory)
    : memory_(memory),
      bytes_(memory.account(MemoryUse::caches, 0)),
      registration_(memory.add_cache([this] { forget_all(); })) {}

void KeptAnswers::forget_all() {
  std::deque<Entry> forgotten;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  forgotten.swap(kept_);
  bytes_.set(0);
}

KeptAnswers::Answer KeptAnswers::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, key, &Entry::key);
  if (found == kept_.end()) return nullptr;
  std::rotate(kept_.begin(), found, found + 1);
  return kept_.front().answer;
}

// The one used last stays, however large, where nobody needs the memory.
void KeptAnswers::keep(Entry entry) {
  if (!memory_.has_spare(entry.answer->size())) return;
  const std::lock_guard lock(mutex_);
  kept_.push_front(std::move(entry));
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const Entry& each : kept_) {
    const std::size_t more = each.answer->size();
    if (count > 0 && (count == kKept || bytes + more > kKeptBytes)) break;
    bytes += more;
    ++count;
  }
  kept_.resize(count);
  bytes_.set(bytes);
}

Result<KeptAnswers::Answer> KeptAnswers::get(const std::string& key, const Make& make) {
  if (Answer answer = find(key)) return answer;
  const auto slot = making_.take();
  if (slot == nullptr) return fail(Errc::unavailable, "too many ask for this; try again later");
  NETML_TRY(std::string made, make());
  auto answer = std::make_shared<const std::string>(std::move(made));
  keep({key, answer});
  return answer;
}

}  // namespace netml::admin::web
