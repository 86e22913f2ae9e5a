// An entry goes back as a whole: where it is what the transaction left, or where that is forced.
// Two things hold afterwards, forced or not: the undo gives no entry a name that another one of its
// table has, and no rule back without its ruleset. Both are judged by the entries as the undo has
// left them so far, so that one may take over the name of another that goes. Which tables take part
// is said where their entries are described (EntryKind::undone).
#include <algorithm>
#include <set>
#include <string_view>

#include "engine/transaction/catalog_tables.hpp"
#include "engine/undo/detail/undo_parts.hpp"

namespace netml::engine {

namespace {

template <class T>
bool same(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

// Whether only one of the two can be there.
template <class T>
bool same_name(const T& a, const T& b) {
  return entry_title(a) == entry_title(b);
}
bool same_name(const Override& a, const Override& b) {
  return a.kind == b.kind && a.element == b.element && a.field_name == b.field_name;
}

// One table whose entries have names of their own.
template <class T>
class TableUndo {
 public:
  TableUndo(const CatalogTable<T>& table, const State& state, UndoForce force, UndoPlan& plan)
      : table_(table),
        entries_(state.catalog.*table.entries),
        force_(force == UndoForce::overwrite),
        changes_(plan.transaction.*table.changes),
        conflicts_(plan) {
    static_assert(T::kKind.undone);
  }

  // First what goes or changes, so that names are free for what comes back.
  void revert(const std::vector<EntryChange<T>>& undone) {
    for (const EntryChange<T>& change : undone)
      if (change.after) revert(change);
    for (const EntryChange<T>& change : undone)
      if (!change.after) revert(change);
  }

  // The entry as the undo leaves it.
  std::shared_ptr<const T> entry(std::uint64_t number) const {
    const auto changed = find_change(number);
    return changed == changes_.end() ? entries_.find(number) : changed->after;
  }
  void remove(std::uint64_t number) {
    changes_.push_back({number, entries_.find(number), nullptr});
  }
  void drop(std::uint64_t number, std::string_view name, const char* reason) {
    std::erase_if(changes_, [&](const auto& change) { return change.number == number; });
    note(name, reason, false);
  }
  void note(std::string_view name, const char* reason, bool forced) {
    conflicts_.note({.kind = table_.kKind.name,
                     .identifier = std::string(name),
                     .reason = reason,
                     .forced = forced});
  }

  const Table<T>& entries() const { return entries_; }
  const std::vector<EntryChange<T>>& changes() const { return changes_; }
  bool forced() const { return force_; }

 private:
  // Nothing is to be done for an entry that is as before already. One that was deleted since does
  // not come back, even by force: the undo of its deletion brings it back.
  void revert(const EntryChange<T>& change) {
    const auto now = entries_.find(change.number);
    if (same(now, change.before)) return;
    const std::string_view name = entry_title(change.after ? *change.after : *change.before);
    const bool as_left = same(now, change.after);
    if (now == nullptr && change.after) return note(name, "it was deleted since", false);
    if (change.before && taken(change.number, *change.before))
      return note(name, "another one has the name now", false);
    if (!as_left) note(name, "it was changed since", force_);
    if (as_left || force_) changes_.push_back({change.number, now, change.before});
  }

  auto find_change(std::uint64_t number) const {
    return std::ranges::find(changes_, number, &EntryChange<T>::number);
  }
  // An entry that this undo changes counts with the name that it gets, any other with the one it
  // has.
  bool taken(std::uint64_t number, const T& entry) const {
    bool found = false;
    entries_.for_each_titled(entry_title(entry), [&](std::uint64_t other, const T& stored) {
      found |= other != number && same_name(stored, entry) && find_change(other) == changes_.end();
    });
    for (const EntryChange<T>& change : changes_)
      found |= change.number != number && change.after && same_name(*change.after, entry);
    return found;
  }

  const CatalogTable<T>& table_;
  const Table<T>& entries_;
  const bool force_;
  std::vector<EntryChange<T>>& changes_;
  UndoConflicts& conflicts_;
};

// A ruleset that the transaction created stays where it would still have rules after the undo.
// Forced, it goes, and these rules with it.
void keep_rulesets_of_others(TableUndo<Ruleset>& rulesets, TableUndo<Rule>& rules) {
  const std::vector<EntryChange<Ruleset>> changes = rulesets.changes();
  for (const EntryChange<Ruleset>& change : changes) {
    if (change.after) continue;
    std::set<std::uint64_t> left;
    rules.entries().for_each_with<&Rule::ruleset>(
        change.number, [&](std::uint64_t number, const Rule&) { left.insert(number); });
    for (const EntryChange<Rule>& moved : rules.changes())
      if (moved.before && moved.after && moved.after->ruleset == change.number)
        left.insert(moved.number);
      else
        left.erase(moved.number);
    if (left.empty()) continue;
    if (!rulesets.forced()) {
      rulesets.drop(change.number, change.before->name, "it has rules that are not undone");
      continue;
    }
    rulesets.note(change.before->name, "it has rules that came since", true);
    for (const std::uint64_t rule : left) rules.remove(rule);
  }
}

// A rule goes back only into a ruleset that is there after the undo. This comes last, because a
// ruleset may have stayed away where another one has its name.
void keep_out_homeless_rules(const TableUndo<Ruleset>& rulesets, TableUndo<Rule>& rules) {
  const std::vector<EntryChange<Rule>> changes = rules.changes();
  for (const EntryChange<Rule>& change : changes)
    if (change.after && rulesets.entry(change.after->ruleset) == nullptr)
      rules.drop(change.number, change.after->name, "its ruleset is not there any more");
}

// Only the entry of a published item could come back, and not the file that was published.
void refuse_published(const Transaction& undone, UndoConflicts& conflicts) {
  for (const EntryChange<PublishedItem>& change : undone.published)
    conflicts.note({.kind = "published item",
                    .identifier = (change.after ? change.after : change.before)->name,
                    .reason = "publishing is not undone: delete the item, or publish again"});
}

}  // namespace

void revert_entries(const State& state, const Transaction& undone, UndoForce force,
                    UndoPlan& plan) {
  for_each_catalog_table([&]<class T>(const CatalogTable<T>& table) {
    if constexpr (T::kKind.undone)
      TableUndo(table, state, force, plan).revert(undone.*table.changes);
  });
  TableUndo rulesets(table_of<Ruleset>(), state, force, plan);
  TableUndo rules(table_of<Rule>(), state, force, plan);
  keep_rulesets_of_others(rulesets, rules);
  keep_out_homeless_rules(rulesets, rules);
  refuse_published(undone, plan);
}

bool is_undoable(const Transaction& transaction) {
  bool undoable = !transaction.records.empty();
  for_each_catalog_table([&](const auto& table) {
    undoable = undoable || (table.kKind.undone && !(transaction.*table.changes).empty());
  });
  return undoable;
}

}  // namespace netml::engine
