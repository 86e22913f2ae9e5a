#include "admin/api/site/calls/points_in_time.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <span>

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

std::array<std::int64_t, kKindCount> grown_by(const wal::CountsByKind& counts) {
  std::array<std::int64_t, kKindCount> by{};
  for (std::size_t kind = 0; kind < kKindCount; ++kind)
    by[kind] = static_cast<std::int64_t>(counts[kind].created) -
               static_cast<std::int64_t>(counts[kind].deleted);
  return by;
}

bool concerns_the_map(const PointInTime& point) {
  return point.nodes_added + point.nodes_removed + point.links_added + point.links_removed +
             point.changed >
         0;
}

// Of more than `count_max` some are left out evenly; the first and the last stay.
template <class T>
std::vector<T> thinned(std::span<const T> all, std::size_t count_max) {
  if (all.size() <= count_max) return {all.begin(), all.end()};
  std::vector<T> chosen;
  chosen.reserve(count_max);
  for (std::size_t i = 0; i < count_max; ++i)
    chosen.push_back(all[i * (all.size() - 1) / std::max<std::size_t>(count_max - 1, 1)]);
  return chosen;
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
  std::vector<Growth> grown;
  for (PointInTime& point : fresh) {
    NETML_TRY(const wal::CountsByKind counts, reader.counts_by_kind(point.lsn));
    take(counts, point);
    const Growth growth{point.lsn, point.time, grown_by(counts)};
    if (growth.by != Growth{}.by) grown.push_back(growth);
  }
  std::ranges::copy_if(fresh, std::back_inserter(points_), concerns_the_map);
  growths_.insert(growths_.end(), grown.begin(), grown.end());
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
  return thinned(std::span<const PointInTime>(begin, end), count_max);
}

// From what there is back to the beginning: the journal may have lost the beginning to an archive.
Result<std::vector<MapSize>> PointsInTime::growth(const engine::State& now, std::size_t count_max) {
  const auto slot = asking_.take();
  if (slot == nullptr) return fail(Errc::unavailable, "too many ask for this; try again later");
  const std::lock_guard lock(mutex_);
  NETML_TRY_VOID(read_on());
  std::array<std::uint64_t, kKindCount> counts{};
  for (const Kind kind : kKinds) counts[static_cast<std::size_t>(kind)] = now.graph.count(kind);
  std::vector<MapSize> sizes;
  const auto end = std::ranges::upper_bound(growths_, now.lsn, {}, &Growth::lsn);
  for (const Growth& growth : std::ranges::subrange(growths_.begin(), end) | std::views::reverse) {
    sizes.push_back({growth.lsn, growth.time, counts});
    for (std::size_t kind = 0; kind < kKindCount; ++kind)
      counts[kind] -= static_cast<std::uint64_t>(growth.by[kind]);
  }
  std::ranges::reverse(sizes);
  return thinned(std::span<const MapSize>(sizes), count_max);
}

}  // namespace netml::admin::web
