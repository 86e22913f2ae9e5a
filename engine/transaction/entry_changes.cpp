#include "engine/transaction/entry_changes.hpp"

#include <algorithm>

namespace netml::engine {

namespace {

// An entry that changes twice goes from what it was at first to what it is at last.
template <class T>
void add_changes(std::vector<EntryChange<T>>& all, const std::vector<EntryChange<T>>& later) {
  for (const EntryChange<T>& change : later) {
    const auto earlier = std::ranges::find(all, change.number, &EntryChange<T>::number);
    if (earlier == all.end())
      all.push_back(change);
    else
      earlier->after = change.after;
  }
}

}  // namespace

Result<Transaction> plan_in_turn(const State& state, std::span<const std::uint64_t> numbers,
                                 const PlanEntry& plan) {
  Transaction all;
  State then = state;
  for (const std::uint64_t number : numbers) {
    NETML_TRY(const Transaction one, plan(then, number));
    NETML_ASSERT(one.records.empty());
    NETML_TRY(then, apply(then, one, state.lsn.next()));
    for_each_catalog_table(
        [&](const auto& table) { add_changes(all.*table.changes, one.*table.changes); });
  }
  return all;
}

}  // namespace netml::engine
