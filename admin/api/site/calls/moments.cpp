#include "admin/api/site/calls/moments.hpp"

#include <algorithm>

namespace netml::admin::web {

namespace {

void take(const wal::CountsByKind& counts, Moment& moment) {
  const engine::ChangeCounts& nodes = counts[static_cast<std::size_t>(Kind::node)];
  const engine::ChangeCounts& links = counts[static_cast<std::size_t>(Kind::link)];
  moment.nodes_added = nodes.created;
  moment.nodes_removed = nodes.deleted;
  moment.links_added = links.created;
  moment.links_removed = links.deleted;
  moment.changed = nodes.updated + links.updated;
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
  for (Moment& moment : fresh) {
    NETML_TRY(const wal::CountsByKind counts, reader.counts_by_kind(moment.lsn));
    take(counts, moment);
  }
  std::ranges::copy_if(fresh, std::back_inserter(moments_), concerns_the_map);
  read_ = reader.head();
  return {};
}

Result<std::vector<Moment>> Moments::list(Lsn first, Lsn last, std::size_t count_max) {
  const auto slot = asking_.take();
  if (slot == nullptr) return fail(Errc::unavailable, "too many ask for this; try again later");
  const std::lock_guard lock(mutex_);
  NETML_TRY_VOID(read_on());
  const auto begin = std::ranges::lower_bound(moments_, first, {}, &Moment::lsn);
  const auto end = std::ranges::upper_bound(begin, moments_.end(), last, {}, &Moment::lsn);
  const auto total = static_cast<std::size_t>(end - begin);
  if (total <= count_max) return std::vector<Moment>(begin, end);
  std::vector<Moment> chosen;
  chosen.reserve(count_max);
  for (std::size_t i = 0; i < count_max; ++i)
    chosen.push_back(begin[static_cast<std::ptrdiff_t>(i * (total - 1) /
                                                       std::max<std::size_t>(count_max - 1, 1))]);
  return chosen;
}

}  // namespace netml::admin::web
