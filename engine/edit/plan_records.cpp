#include "engine/edit/plan_records.hpp"

#include <algorithm>

#include "engine/edit/plan_edit.hpp"
#include "engine/edit/record_edit.hpp"
#include "engine/edit/remove_topologies.hpp"
#include "engine/transaction/catalog_tables.hpp"
#include "engine/transaction/entry_changes.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

namespace {

// Topologies alone have identifiers that no other may have.
Status check_identifier(const Graph& graph, RecordId record, const AttributesPtr& attributes) {
  if (attributes->kind() != Kind::topology) return {};
  for (const RecordId other : graph.find(Kind::topology, attributes->id()))
    if (other != record)
      return fail(Errc::conflict, "netml_id", "another topology has this identifier");
  return {};
}

Status check_ancestors(const Graph& graph, RecordId topology, RecordId parent) {
  for (RecordId above = parent; above; above = graph.relations(above).parent())
    if (above == topology)
      return fail(Errc::conflict, "parent", "a topology cannot be below itself");
  return {};
}

// Takes the mark from every topology but `topology`.
void unmark_others(Workspace& workspace, RecordId topology) {
  for (const RecordId main : workspace.base().graph.mains()) {
    if (main == topology) continue;
    workspace.put(main, with_main(workspace.record(main), false));
  }
}

template <class T>
std::vector<EntryChange<T>> all_removed(const Table<T>& table) {
  std::vector<EntryChange<T>> changes;
  table.for_each(
      [&](std::uint64_t number, const T&) { changes.push_back(removed(table, number)); });
  return changes;
}

}  // namespace

Result<RecordCreation> plan_record_create(const State& state, Kind kind, const RecordEdit& edit) {
  Workspace workspace(state);
  RecordEdit complete = edit;
  const bool first = kind == Kind::topology && state.graph.count(Kind::topology) == 0;
  if (first) complete.main = true;
  NETML_TRY(AttributesPtr attributes, edited_attributes(kind, Record(), complete));
  NETML_TRY_VOID(check_identifier(state.graph, RecordId{}, attributes));
  NETML_TRY(RelationsPtr relations, edited_relations(state.graph, kind, Record(), complete));
  const bool main = attributes->main();
  const RecordId id = workspace.create({std::move(attributes), std::move(relations)});
  workspace.number(id);
  if (main) unmark_others(workspace, id);
  return RecordCreation{workspace.finish(), id};
}

Result<Transaction> plan_record_update(const State& state, RecordId id, const RecordEdit& edit) {
  const Record before = state.graph.record(id);
  if (!before) return fail(Errc::not_found, "there is no such record");
  const Kind kind = before.kind();
  NETML_TRY(AttributesPtr attributes, edited_attributes(kind, before, edit));
  NETML_TRY_VOID(check_identifier(state.graph, id, attributes));
  NETML_TRY(RelationsPtr relations, edited_relations(state.graph, kind, before, edit));
  if (kind == Kind::topology) NETML_TRY_VOID(check_ancestors(state.graph, id, relations->parent()));
  Workspace workspace(state);
  if (attributes->main() && !before.attributes->main()) unmark_others(workspace, id);
  workspace.put(id, {std::move(attributes), std::move(relations)});
  return workspace.finish();
}

Result<Transaction> plan_record_delete(const State& state, RecordId id) {
  return plan_records_delete(state, std::span(&id, 1));
}

Result<Transaction> plan_records_delete(const State& state, std::span<const RecordId> records) {
  Workspace workspace(state);
  std::vector<RecordId> topologies;
  for (const RecordId id : records) {
    if (!state.graph.contains(id)) return fail(Errc::not_found, "there is no such record");
    if (!workspace.contains(id)) continue;  // gone with another one
    switch (state.graph.kind(id)) {
      case Kind::topology:
        topologies.push_back(id);
        break;
      case Kind::institution:
        workspace.remove_institution(id);
        break;
      case Kind::node:
        static_cast<void>(workspace.remove_node(id));
        break;
      case Kind::link:
        workspace.remove_link(id);
        break;
    }
  }
  if (!topologies.empty()) remove_topologies(workspace, std::move(topologies));
  return workspace.finish();
}

Transaction plan_graph_clear(const State& state) {
  Transaction transaction = empty_transaction(state);
  state.graph.for_each_record(
      [&](RecordId id) { transaction.records.push_back({id, state.graph.record(id), Record()}); });
  return transaction;
}

Transaction plan_clear(const State& state) {
  Transaction transaction = plan_graph_clear(state);
  for_each_catalog_table([&](const auto& table) {
    transaction.*table.changes = all_removed(state.catalog.*table.entries);
  });
  return transaction;
}

}  // namespace netml::engine
