#include "admin/web_api/moments.hpp"

#include <algorithm>

namespace netml::admin::web {

namespace {

void count(const wal::RecordEffect& effect, Moment& moment) {
  const bool node = effect.kind == Kind::node;
  if (!node && effect.kind != Kind::link) return;
  switch (effect.action) {
    case wal::EffectAction::created:
      ++(node ? moment.nodes_added : moment.links_added);
      break;
    case wal::EffectAction::deleted:
      ++(node ? moment.nodes_removed : moment.links_removed);
      break;
    case wal::EffectAction::updated:
      ++moment.changed;
      break;
  }
}

bool concerns_the_map(const Moment& moment) {
  return moment.nodes_added + moment.nodes_removed + moment.links_added + moment.links_removed +
             moment.changed >
         0;
}

}  // namespace

Status Moments::read_on() {
  NETML_TRY(wal::JournalReader reader, node_.journal());
  if (reader.head() <= read_) return {};
  std::vector<Moment> fresh;
  NETML_TRY_VOID(reader.history({.first = read_.next()}, [&](const wal::HistoryEntry& entry) {
    const engine::ChangeCounts& counts = entry.counts;
    if (entry.committed && counts.created + counts.updated + counts.deleted > 0)
      fresh.push_back(Moment{.lsn = entry.lsn,
                             .time = entry.provenance.effective_time.instant(),
                             .cause = entry.provenance.cause});
    return true;
  }));
  for (Moment& moment : fresh)
    NETML_TRY_VOID(reader.effects(moment.lsn, [&](const wal::JournalEffects& effects) {
      for (const wal::RecordEffect& effect : effects.records) count(effect, moment);
      return true;
    }));
  std::ranges::copy_if(fresh, std::back_inserter(moments_), concerns_the_map);
  read_ = reader.head();
  return {};
}

Result<std::vector<Moment>> Moments::list(Lsn first, Lsn last, std::size_t count_max) {
  const std::lock_guard lock(mutex_);
  NETML_TRY_VOID(read_on());
  const auto begin = std::ranges::lower_bound(moments_, first, {}, &Moment::lsn);
  const auto end = std::ranges::upper_bound(begin, moments_.end(), last, {}, &Moment::lsn);
  const auto total = static_cast<std::size_t>(end - begin);
  if (total <= count_max) return std::vector<Moment>(begin, end);
  std::vector<Moment> chosen;
  for (std::size_t i = 0; i < count_max; ++i)
    chosen.push_back(begin[static_cast<std::ptrdiff_t>(i * (total - 1) /
                                                       std::max<std::size_t>(count_max - 1, 1))]);
  return chosen;
}

}  // namespace netml::admin::web
