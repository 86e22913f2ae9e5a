// How a file becomes a transaction. The file is the whole truth about the topologies that it lists,
// and says nothing about others: so the records of those topologies are matched with it, updated in
// place or created, and what is left in them afterwards has gone. A record keeps its identity
// wherever the file gives something in its place, so that its history goes on; an element
// gets a fresh number all the same.
//
// Everything happens in a workspace on one version. Nothing here writes or waits, so a dry run is
// this function without the commit.
#include "engine/import/plan_import.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/import/detail/import_planner.hpp"
#include "engine/import/detail/overlay.hpp"
#include "engine/import/known_file.hpp"

namespace netml::engine {

namespace {

// Ends the membership of a stored record in all covered topologies; hides it if none is left.
void cut(ImportContext& context, RecordId member, Removed& removed) {
  context.resolved[member.value] = true;
  const Record before = context.workspace.record(member);
  if (!before) return;  // fell with something else
  std::vector<RecordId> rest;
  for (const RecordId topology : before.relations->topologies())
    // Another file lists it there: that membership is not this file's to end.
    if (!context.covered.contains(topology)) rest.push_back(topology);
  RelationFields relations = before.relations->fields();
  relations.topologies = rest;
  if (rest.empty()) {
    removed.by_kind[static_cast<std::size_t>(before.kind())].push_back(member);
    context.workspace.hide(member);
  } else {
    context.workspace.put_relations(member, relations);
  }
}

void remove_node(ImportContext& context, RecordId node) {
  const std::string description = context.workspace.describe(node);
  for (const RecordId link : context.workspace.remove_node(node))
    context.log.information(
        Kind::link,
        fmt::format("{} [{}] deleted: its end {} is gone",
                    context.graph().contains(link) ? context.graph().attributes(link).id()
                                                   : std::string_view("new link"),
                    context.graph().number(link).value, description));
}

Status check_room(const State& state, const Document& document) {
  if (has_identities(state, document.elements.size() + document.topologies.size())) return {};
  return fail(Errc::too_large,
              "this data directory has given all 4,294,967,295 identities; "
              "import into a new one");
}

}  // namespace

bool has_identities(const State& state, std::uint64_t needed) {
  return needed <= 0xffffffffULL - state.graph.next_id().value;
}

void log_notes(ImportLog& log, const DocumentNotes& notes, const LossList& losses) {
  for (const DocumentNote& note : notes) {
    if (note.warning)
      log.warning(note.kind, note.text);
    else
      log.information(note.kind, note.text);
  }
  if (const std::uint64_t count = notes.left_out(true); count > 0)
    log.warning(Kind::topology, fmt::format("{} more warnings about the file", count));
  if (const std::uint64_t count = notes.left_out(false); count > 0)
    log.information(Kind::topology, fmt::format("{} more remarks about the file", count));
  if (losses.present() == 0) return;
  log.information(Kind::topology, fmt::format("fields of the file: {} present, {} carried, {} lost",
                                              losses.present(), losses.carried(), losses.lost()));
  for (const std::string& text : losses.texts()) log.information(Kind::topology, "lost " + text);
}

Removed sweep(ImportContext& context) {
  Removed removed;
  std::vector<RecordId> topologies(context.covered.begin(), context.covered.end());
  std::ranges::sort(topologies);
  for (const RecordId topology : topologies)
    context.graph().for_each_referrer(topology, [&](RecordId member) {
      if (!context.resolved[member.value] && context.graph().kind(member) != Kind::topology)
        cut(context, member, removed);
    });
  return removed;
}

void delete_removed(ImportContext& context, const Removed& removed) {
  Workspace& workspace = context.workspace;
  const auto each = [&](Kind kind, auto&& remove) {
    for (const RecordId record : removed.by_kind[static_cast<std::size_t>(kind)])
      // Not what a rule has put back.
      if (workspace.contains(record) && workspace.is_hidden(record)) remove(record);
  };
  // Links before nodes before institutions: each then goes without taking another with it.
  each(Kind::link, [&](RecordId link) { workspace.remove_link(link); });
  each(Kind::node, [&](RecordId node) { remove_node(context, node); });
  each(Kind::institution, [&](RecordId owner) { workspace.remove_institution(owner); });
  for (const RecordId topology : context.deleted_topologies) {
    context.log.information(Kind::topology, fmt::format("{} deleted: it is no longer in the file",
                                                        context.workspace.describe(topology)));
    workspace.remove_topology(topology);
  }
}

namespace {

// `state`: without what the overlay lays over it.
Result<ImportPlan> plan_below(Overlay& overlay, const State& state, const Document& document,
                              const ImportOptions& options) {
  ImportContext context(state, document, options);
  log_notes(context.log, document.notes, document.losses);
  choose_rules(context);
  // Before the elements, whose records name those of their topologies. Nothing after it can fail.
  NETML_TRY_VOID(match_topologies(context));
  resolve_elements(context);
  set_topology_owners(context);
  const std::shared_ptr<KnownFile> known = begin_known_file(context);
  context.log.append(std::move(context.log_of_elements));
  // What a group has resolved is in its place; all else in a visited topology is no longer listed.
  const Removed removed = sweep(context);
  for (const DocumentIndex topology : context.visit_order)
    context.workspace.renumber(context.topologies[topology]);
  // Only hidden until the rules have run: a link that they unite may still end at what goes.
  overlay.lay(context);
  run_import_rules(context);
  delete_removed(context, removed);
  ImportPlan plan = planned(context);
  if (known != nullptr && comes_out_again(context, plan.transaction)) plan.known = known;
  return plan;
}

}  // namespace

Result<ImportPlan> plan_import(const State& state, const Document& document,
                               const ImportOptions& options) {
  NETML_ASSERT(!document.topologies.empty());
  // Before anything else, so that no step has to ask whether there is an identity left.
  NETML_TRY_VOID(check_room(state, document));
  Overlay overlay(state, document, options.now);
  if (overlay.empty()) return plan_below(overlay, state, document, options);
  NETML_TRY(const State lifted, overlay.lifted());
  NETML_TRY(ImportPlan plan, plan_below(overlay, lifted, document, options));
  overlay.rebase(plan.transaction);
  // What the file says of overridden values is not what is stored.
  plan.known = nullptr;
  return plan;
}

ImportPlan planned(ImportContext& context) {
  // Ascending, as all that leaves the engine: the order of a hash set must not show.
  std::vector<RecordId> covered(context.covered.begin(), context.covered.end());
  std::ranges::sort(covered);
  const RecordId root = context.topologies.front();
  return ImportPlan{context.workspace.finish(),
                    std::move(context.log),
                    std::move(context.rule_logs),
                    std::move(covered),
                    root,
                    context.options.parent,
                    context.document.losses};
}

}  // namespace netml::engine
