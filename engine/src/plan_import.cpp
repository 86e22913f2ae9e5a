#include "engine/plan_import.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/src/import_planner.hpp"

namespace netml::engine {

namespace {

// Takes stored members that no group settled out of the visited and deleted topologies.
class Sweeper {
 public:
  explicit Sweeper(ImportContext& context) : context_(context) {}

  void run() {
    std::vector<RecordId> swept(context_.swept.begin(), context_.swept.end());
    std::ranges::sort(swept);
    for (const RecordId topology : swept)
      context_.graph().for_each_referrer(topology, [&](RecordId member) {
        if (context_.graph().kind(member) != Kind::topology) cut(member);
      });
    for (const RecordId link : doomed_[static_cast<std::size_t>(Kind::link)])
      context_.workspace.remove_link(link);
    for (const RecordId node : doomed_[static_cast<std::size_t>(Kind::node)]) remove_node(node);
    for (const RecordId institution : doomed_[static_cast<std::size_t>(Kind::institution)])
      context_.workspace.remove_institution(institution);
    for (const RecordId topology : context_.deleted_topologies) {
      context_.log.information(
          Kind::topology,
          fmt::format("{} deleted: it is no longer in the file", context_.describe(topology)));
      context_.workspace.remove_topology(topology);
    }
  }

 private:
  void cut(RecordId member) {
    if (context_.settled[member.value]) return;
    context_.settled[member.value] = true;
    const Record before = context_.workspace.record(member);
    if (!before) return;  // fell with something else
    std::vector<RecordId> rest;
    for (const RecordId topology : before.relations->topologies())
      if (!context_.swept.contains(topology)) rest.push_back(topology);
    if (rest.empty()) {
      doomed_[static_cast<std::size_t>(before.kind())].push_back(member);
      return;
    }
    RelationFields relations = before.relations->fields();
    relations.topologies = rest;
    context_.workspace.put_relations(member, relations);
  }

  void remove_node(RecordId node) {
    const std::string description = context_.describe(node);
    for (const RecordId link : context_.workspace.remove_node(node))
      context_.log.information(
          Kind::link,
          fmt::format("{} [{}] deleted: its end {} is gone",
                      context_.graph().contains(link) ? context_.graph().attributes(link).id()
                                                      : std::string_view("new link"),
                      context_.graph().number(link).value, description));
  }

  ImportContext& context_;
  std::array<std::vector<RecordId>, kKindCount> doomed_;
};

Status check_room(const State& state, const Document& document) {
  const std::uint64_t needed = document.elements.size() + document.topologies.size();
  if (needed > 0xffffffffULL - state.graph.next_id().value)
    return fail(Errc::too_large,
                "this data directory has given all 4,294,967,295 identities; "
                "import into a new one");
  return {};
}

}  // namespace

void sweep(ImportContext& context) {
  Sweeper(context).run();
}

Result<ImportPlan> plan_import(const State& state, const Document& document,
                               const ImportOptions& options) {
  NETML_ASSERT(!document.topologies.empty());
  NETML_TRY_VOID(check_room(state, document));
  ImportContext context(state, document, options);
  for (const DocumentNote& note : document.notes) {
    if (note.warning)
      context.log.warning(note.kind, note.text);
    else
      context.log.information(note.kind, note.text);
  }
  if (const std::uint64_t count = document.notes.left_out(true); count > 0)
    context.log.warning(Kind::topology, fmt::format("{} more warnings about the file", count));
  if (const std::uint64_t count = document.notes.left_out(false); count > 0)
    context.log.information(Kind::topology, fmt::format("{} more remarks about the file", count));
  NETML_TRY_VOID(match_topologies(context));
  settle_elements(context);
  set_topology_owners(context);
  sweep(context);
  for (const DocumentIndex topology : context.visit_order)
    context.workspace.renumber(context.topologies[topology]);
  return ImportPlan{context.workspace.finish(), std::move(context.log)};
}

}  // namespace netml::engine
