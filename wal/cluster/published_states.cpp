#include "wal/cluster/published_states.hpp"

#include <set>

#include "wal/history/past_state.hpp"

namespace netml::wal {

namespace {

std::set<Lsn> missing_states(const Store& store) {
  std::set<Lsn> missing;
  store.head()->catalog.published.for_each([&](std::uint64_t, const engine::PublishedItem& item) {
    if (item.status == engine::PublishedStatus::success &&
        find_published(store.manifest().checkpoints, item.lsn) == nullptr)
      missing.insert(item.lsn);
  });
  return missing;
}

}  // namespace

// One that cannot be had any more, as the own journal begins later, keeps nothing back.
Status keep_published_states(Store& store, Storage& data) {
  for (const Lsn lsn : missing_states(store)) {
    InlineParallel parallel;
    const Manifest& manifest = store.manifest();
    const JournalView view{manifest.node, store.head_hash(), manifest.checkpoints};
    const Result<PastState> past = state_at(data, view, lsn, parallel);
    if (!past) continue;
    const CheckpointSource source{manifest.node, past->head, past->state};
    NETML_TRY(const CheckpointFiles files, store.checkpoints().write(source));
    NETML_TRY_VOID(store.checkpoints().publish(files));
  }
  return {};
}

}  // namespace netml::wal
