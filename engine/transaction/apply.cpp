#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/catalog/catalog_digest.hpp"
#include "engine/graph/graph_changes.hpp"
#include "engine/transaction/catalog_tables.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

namespace {

// Applied edges must lead to records of the right kind. Checked against the graph after all
// records of the transaction are in place, since they may refer to one another.
Status check_references(const Graph& graph, RecordId id, const Record& record) {
  const auto check = [&](std::span<const RecordId> targets, Kind kind) -> Status {
    for (const RecordId target : targets)
      if (!graph.contains(target) || graph.kind(target) != kind)
        return fail(Errc::corruption, fmt::format("record {} refers to {} {}, which does not exist",
                                                  id.value, kind_name(kind), target.value));
    return {};
  };
  NETML_TRY_VOID(check(record.relations->topologies(), Kind::topology));
  NETML_TRY_VOID(check(record.relations->owners(), Kind::institution));
  return check(record.relations->ends(), Kind::node);
}

void expect_records(GraphChanges& changes, const Transaction& transaction) {
  std::size_t created = 0;
  std::size_t associations = 0;
  for (const RecordChange& change : transaction.records) {
    if (change.before || !change.after) continue;
    const RelationFields relations = change.after.relations->fields();
    ++created;
    associations += relations.topologies.size() + relations.owners.size() + relations.ends.size();
  }
  changes.expect(created, associations);
}

Status apply_records(GraphChanges& changes, const Transaction& transaction) {
  expect_records(changes, transaction);
  for (const RecordChange& change : transaction.records) {
    if (!(changes.graph().record(change.id) == change.before))
      return fail(Errc::corruption,
                  fmt::format("record {} is not what the transaction found", change.id.value));
    changes.put(change.id, change.after);
  }
  for (const RecordChange& change : transaction.records)
    if (change.after) NETML_TRY_VOID(check_references(changes.graph(), change.id, change.after));
  return {};
}

// Nothing may still refer to a record that is gone. Edges are up to date after flush().
Status check_deleted(const Graph& graph, const Transaction& transaction) {
  for (const RecordChange& change : transaction.records) {
    if (change.after) continue;
    RecordId referrer;
    graph.for_each_referrer(change.id, [&](RecordId source) { referrer = source; });
    if (referrer)
      return fail(Errc::corruption, fmt::format("record {} is deleted, but record {} refers to it",
                                                change.id.value, referrer.value));
  }
  return {};
}

Status apply_numbers(GraphChanges& changes, const Transaction& transaction, Parallel& parallel) {
  for (const Numbering& numbering : transaction.numberings) {
    if (!changes.graph().contains(numbering.id))
      return fail(Errc::corruption,
                  fmt::format("record {} gets a number but does not exist", numbering.id.value));
    changes.set_number(numbering.id, numbering.number);
  }
  std::vector<MemberNumbers> renumbered;
  for (const Renumbering& renumbering : transaction.renumberings)
    renumbered.push_back({renumbering.topology, renumbering.first});
  const std::vector<std::uint64_t> counts = changes.renumber(renumbered, parallel);
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (const Renumbering& renumbering = transaction.renumberings[i];
        counts[i] != renumbering.count)
      return fail(Errc::corruption,
                  fmt::format("topology {} has {} members, but {} were to be numbered",
                              renumbering.topology.value, counts[i], renumbering.count));
  changes.set_next(transaction.next_id, transaction.next_number);
  return {};
}

template <class T>
Status apply_entries(Table<T>& table, Digest& digest, const std::vector<EntryChange<T>>& changes,
                     const char* entry_name) {
  for (const EntryChange<T>& change : changes) {
    const auto stored = table.find(change.number);
    const bool as_found = stored == nullptr || change.before == nullptr
                              ? stored == nullptr && change.before == nullptr
                              : *stored == *change.before;
    if (!as_found || change.number == 0 || change.number > Table<T>::kNumberMax)
      return fail(Errc::corruption, fmt::format("{} {} is not what the transaction found",
                                                entry_name, change.number));
    if (stored) digest -= entry_digest(change.number, *stored);
    if (change.after) digest += entry_digest(change.number, *change.after);
    table.set(change.number, change.after);
  }
  return {};
}

}  // namespace

Result<State> apply(const State& state, const Transaction& transaction, Lsn lsn,
                    Parallel& parallel) {
  State next;
  next.lsn = lsn;
  next.effective_time = std::max(state.effective_time, transaction.provenance.effective_time);
  next.catalog = state.catalog;
  next.catalog_digest = state.catalog_digest;
  NETML_TRY_VOID(try_each_catalog_table([&](const auto& table) {
    return apply_entries(next.catalog.*table.entries, next.catalog_digest,
                         transaction.*table.changes, table.kKind.name);
  }));

  GraphChanges changes(state.graph);
  NETML_TRY_VOID(apply_records(changes, transaction));
  changes.flush(parallel);
  NETML_TRY_VOID(check_deleted(changes.graph(), transaction));
  NETML_TRY_VOID(apply_numbers(changes, transaction, parallel));
  next.graph = std::move(changes).finish();
  return next;
}

Transaction empty_transaction(const State& state) {
  Transaction transaction;
  transaction.next_id = state.graph.next_id();
  transaction.next_number = state.graph.next_number();
  return transaction;
}

bool Transaction::empty() const {
  bool empty = records.empty() && numberings.empty() && renumberings.empty();
  for_each_catalog_table([&](const auto& table) { empty &= (this->*table.changes).empty(); });
  return empty;
}

const char* cause_name(Cause cause) {
  constexpr std::array<const char*, kCauseCount> kNames{
      "import",  "poll",          "edit",   "rule",    "undo",   "publish", "token",
      "setting", "failed_import", "repair", "account", "upload", "source",  "session"};
  const auto index = static_cast<std::size_t>(cause);
  return index < kNames.size() ? kNames[index] : "unknown";  // of a later version
}

std::vector<RecordChange> combined_changes(std::vector<RecordChange> first,
                                           std::vector<RecordChange> second) {
  std::vector<RecordChange> all;
  auto later = second.begin();
  for (RecordChange& change : first) {
    for (; later != second.end() && later->id < change.id; ++later)
      all.push_back(std::move(*later));
    if (later != second.end() && later->id == change.id) {
      change.after = std::move(later->after);
      ++later;
    }
    if (!(change.before == change.after)) all.push_back(std::move(change));
  }
  std::move(later, second.end(), std::back_inserter(all));
  return all;
}

ChangeCounts count_changes(const Transaction& transaction) {
  ChangeCounts counts;
  for (const RecordChange& change : transaction.records) {
    if (!change.before)
      ++counts.created;
    else if (!change.after)
      ++counts.deleted;
    else
      ++counts.updated;
  }
  return counts;
}

}  // namespace netml::engine
