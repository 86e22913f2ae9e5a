// What counts is whether an element is still on the map, and that is a question of identifiers, not
// of records: a record that gives way to another of its identifier is no loss, however many of them
// there are. So a deletion counts only where no record has the identifier afterwards, neither one
// that stays as it is, nor one that is created or renamed.
#include "engine/import/deletions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace netml::engine {

namespace {

using Name = std::pair<Kind, std::string_view>;

// Identifiers that records get which did not have them: those created, and those renamed.
std::set<Name> names_given(const Transaction& transaction) {
  std::set<Name> names;
  for (const RecordChange& change : transaction.records)
    if (change.after && (!change.before || change.before.id() != change.after.id()))
      names.emplace(change.after.kind(), change.after.id());
  return names;
}

// Whether a record that the transaction does not delete has the identifier.
bool keeps_name(const Graph& before, const Transaction& transaction, const Record& deleted) {
  bool kept = false;
  before.for_each_with_id(deleted.kind(), deleted.id(), [&](RecordId id) {
    const auto change = std::ranges::lower_bound(transaction.records, id, {}, &RecordChange::id);
    const bool changed = change != transaction.records.end() && change->id == id;
    kept = !changed || (change->after && change->after.id() == deleted.id());
    return !kept;
  });
  return kept;
}

// An element counts at the first of its topologies that is among these, and so once.
std::uint64_t count_members(const Graph& graph, const std::vector<RecordId>& topologies) {
  const auto is_covered = [&](RecordId topology) {
    return std::ranges::binary_search(topologies, topology);
  };
  std::uint64_t count = 0;
  for (const RecordId topology : topologies)
    graph.for_each_referrer(topology, [&](RecordId member) {
      if (graph.kind(member) == Kind::topology) return;
      count += *std::ranges::find_if(graph.relations(member).topologies(), is_covered) == topology;
    });
  return count;
}

}  // namespace

Deletions count_deletions(const Graph& before, const ImportPlan& plan) {
  const std::set<Name> given = names_given(plan.transaction);
  Deletions deletions;
  for (const RecordChange& change : plan.transaction.records)
    if (!change.after && !given.contains({change.before.kind(), change.before.id()}))
      deletions.deleted += !keeps_name(before, plan.transaction, change.before);
  deletions.supplied = plan.covered.size() + count_members(before, plan.covered);
  return deletions;
}

bool deletes_records(const ImportPlan& plan) {
  return std::ranges::any_of(plan.transaction.records,
                             [](const RecordChange& change) { return !change.after; });
}

std::optional<std::string> held_because(const Deletions& deletions,
                                        const MassDeletionGuard& guard) {
  const auto& [deleted, supplied] = deletions;
  const std::string text =
      fmt::format("it would delete {} of {} elements, more than", deleted, supplied);
  // Either limit alone holds the import. The percentage waits for a number of deletions, because
  // half of a few elements is no disaster.
  if (guard.count_max != 0 && deleted > guard.count_max)
    return fmt::format("{} {}", text, guard.count_max);
  const bool counts = guard.percent_max != 0 && deleted >= kDeletionPercentFrom;
  if (counts && deleted * 100 > guard.percent_max * supplied)
    return fmt::format("{} {} %", text, guard.percent_max);
  return std::nullopt;
}

}  // namespace netml::engine
