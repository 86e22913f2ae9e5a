// Whether elements come out as they are stored is decided when the file is planned, by two
// conditions that each suffice:
//
// - nothing changed but numbers. Then the next plan is this one again: while no two records share
//   an identifier and the groups unite, no step asks for the number of an element.
// - no group met a stored record that belongs to a topology outside of the file. Then each group
//   resolves among the places of the file alone, and the stored record, which it left itself, is
//   only the identity that the outcome keeps.
#include "engine/import/known_file.hpp"

#include <algorithm>

#include "engine/import/detail/import_planner.hpp"

namespace netml::engine {

namespace {

std::size_t outline_bytes(const Document& outline) {
  std::size_t bytes = 0;
  for (const DocumentTopology& topology : outline.topologies)
    bytes += sizeof topology + topology.attributes->allocated_bytes();
  for (const DocumentNote& note : outline.notes) bytes += sizeof note + note.text.size();
  return bytes + outline.losses.bytes();
}

bool changes_numbers_only(const ImportContext& context, const Transaction& transaction) {
  return transaction.records.empty() && transaction.numberings.empty() &&
         transaction.next_id == context.graph().next_id();
}

// The groups do all that the rules do.
bool has_only_groups(const ImportContext& context) {
  return context.keeps_newest && context.rules.empty() && !context.graph().has_duplicates();
}

// Before anything is copied.
bool may_be_known(const ImportContext& context) {
  constexpr std::size_t kTopologiesMax = kKnownFileBytesMax / sizeof(DocumentTopology);
  return has_only_groups(context) && context.document.topologies.size() <= kTopologiesMax &&
         context.log_of_elements.line_bytes() <= kKnownFileBytesMax;
}

}  // namespace

std::size_t KnownFile::bytes() const {
  return sizeof *this + outline_bytes(outline) + of_elements.line_bytes() +
         met.size() * sizeof(RecordId);
}

std::shared_ptr<KnownFile> begin_known_file(const ImportContext& context) {
  if (!may_be_known(context)) return nullptr;
  auto known = std::make_shared<KnownFile>();
  known->outline.topologies = context.document.topologies;
  known->outline.notes = context.document.notes;
  known->outline.losses = context.document.losses;
  known->elements = context.document.elements.size();
  known->of_elements = context.log_of_elements;
  known->met.assign(context.met.begin(), context.met.end());
  std::ranges::transform(context.merged, known->merged.begin(),
                         [](const auto& merged) { return merged.size(); });
  return known->bytes() <= kKnownFileBytesMax ? known : nullptr;
}

std::vector<RecordId> topologies_of(const State& state, const ImportPlan& plan) {
  std::vector<RecordId> topologies = plan.covered;
  for (const RecordChange& change : plan.transaction.records)
    if (change.after && change.after.kind() == Kind::topology && !state.graph.contains(change.id))
      topologies.push_back(change.id);
  std::ranges::sort(topologies);
  return topologies;
}

bool changes_only(const ImportPlan& plan, const std::vector<RecordId>& topologies) {
  const auto is_one = [&](RecordId id) { return std::ranges::binary_search(topologies, id); };
  const auto is_within = [&](RecordId id, const Record& record) {
    if (!record) return true;
    if (record.kind() == Kind::topology) return is_one(id);
    return std::ranges::all_of(record.relations->topologies(), is_one);
  };
  return std::ranges::all_of(plan.transaction.records, [&](const RecordChange& change) {
    return is_within(change.id, change.before) && is_within(change.id, change.after);
  });
}

bool comes_out_again(const ImportContext& context, const Transaction& transaction) {
  return !context.meets_other_files || changes_numbers_only(context, transaction);
}

std::optional<ImportPlan> plan_known_file(const State& state, const KnownFile& file,
                                          const ImportOptions& options) {
  if (!has_identities(state, file.records())) return std::nullopt;
  // They may be about elements, which are not known here.
  if (state.catalog.overrides.count() != 0) return std::nullopt;
  ImportContext context(state, file.outline, options);
  log_notes(context.log, file.outline.notes, file.outline.losses);
  choose_rules(context);
  if (!has_only_groups(context)) return std::nullopt;
  if (!match_topologies(context)) return std::nullopt;
  context.log.append(ImportLog(file.of_elements));
  for (const DocumentIndex topology : context.visit_order)
    context.workspace.renumber(context.topologies[topology]);
  for (std::size_t kind = 0; kind < kKindCount; ++kind)
    context.merged[kind].resize(file.merged[kind]);
  run_import_rules(context);
  const bool loses_topologies = !context.deleted_topologies.empty();
  ImportPlan plan = planned(context);
  // A topology has moved, is named otherwise, or was lost.
  if (loses_topologies || !changes_numbers_only(context, plan.transaction)) return std::nullopt;
  return plan;
}

}  // namespace netml::engine
