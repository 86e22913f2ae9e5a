#include "admin/api/site/calls/points_in_time.hpp"

#include <algorithm>

namespace netml::admin::web {

namespace {

void take(const wal::CountsByKind& counts, PointInTime& point) {
  const engine::ChangeCounts& nodes = counts[static_cast<std::size_t>(Kind::node)];
  const engine::ChangeCounts& links = counts[static_cast<std::size_t>(Kind::link)];
  point.nodes_added = nodes.created;
  point.nodes_removed = nodes.deleted;
  point.links_added = links.created;
  point.links_removed = links.deleted;
  point.changed = nodes.updated + links.updated;
}

bool concerns_the_map(const PointInTime& point) {
  return point.nodes_added + point.nodes_removed + point.links_added + point.links_removed +
             point.changed >
         0;
}

}  // namespace

Status PointsInTime::read_on() {
  NETML_TRY(wal::JournalReader reader, node_.journal());
  if (reader.head() <= read_) return {};
  std::vector<PointInTime> fresh;
  NETML_TRY_VOID(reader.history({.first = read_.next()}, [&](const wal::HistoryEntry& entry) {
    const engine::ChangeCounts& counts = entry.counts;
    if (entry.committed && counts.created + counts.updated + counts.deleted > 0)
      fresh.push_back(PointInTime{.lsn = entry.lsn,
                                  .time = entry.provenance.effective_time.instant(),
                                  .cause = entry.provenance.cause});
    return true;
  }));
  for (PointInTime& point : fresh) {
    NETML_TRY(const wal::CountsByKind counts, reader.counts_by_kind(point.lsn));
    take(counts, point);
  }
  std::ranges::copy_if(fresh, std::back_inserter(points_), concerns_the_map);
  read_ = reader.head();
  return {};
}

Result<std::vector<PointInTime>> PointsInTime::list(Lsn first, Lsn last, std::size_t count_max) {
  const auto slot = asking_.take();
  if (slot == nullptr) return fail(Errc::unavailable, "too many ask for this; try again later");
  const std::lock_guard lock(mutex_);
  NETML_TRY_VOID(read_on());
  const auto begin = std::ranges::lower_bound(points_, first, {}, &PointInTime::lsn);
  const auto end = std::ranges::upper_bound(begin, points_.end(), last, {}, &PointInTime::lsn);
  const auto total = static_cast<std::size_t>(end - begin);
  if (total <= count_max) return std::vector<PointInTime>(begin, end);
  std::vector<PointInTime> chosen;
  chosen.reserve(count_max);
  for (std::size_t i = 0; i < count_max; ++i)
    chosen.push_back(begin[static_cast<std::ptrdiff_t>(i * (total - 1) /
                                                       std::max<std::size_t>(count_max - 1, 1))]);
  return chosen;
}

}  // namespace netml::admin::web
