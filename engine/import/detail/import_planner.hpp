// The steps of plan_import(), and what they hand to one another.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/graph/record_sets.hpp"
#include "engine/import/detail/import_groups.hpp"
#include "engine/import/plan_import.hpp"
#include "engine/rules/run_rules.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

// What all steps share.
struct ImportContext {
  const State& state;
  const Document& document;
  const ImportOptions& options;
  Workspace workspace;
  ImportLog log;

  bool keeps_newest = false;        // groups resolve collisions as the default rules do
  std::vector<NumberedRule> rules;  // to be evaluated at the end
  std::vector<RuleLog> rule_logs;
  std::vector<RuleLog> default_logs;  // of the rules whose work the groups do
  ReferencesByKind merged;            // records of one identifier that became one
  ImportLog log_of_elements;          // that part of the log, until it is added to it
  bool meets_other_files = false;     // a group met a stored record that not only this file lists
  RecordSet met;                      // topologies of others that list these, but the global one

  std::vector<RecordId> topologies;        // the record of each topology of the document
  std::vector<std::uint32_t> depth;        // of each topology of the document, 0 = root
  std::vector<std::uint32_t> visit_rank;   // children before parents: larger = visited later
  std::vector<DocumentIndex> visit_order;  // topologies of the document in that order
  std::vector<DocumentIndex> topology_of;  // the topology each element is listed in
  std::vector<RecordId> outcome;           // the record each element became
  RecordSet covered;                       // stored topologies visited, or to be deleted
  std::vector<RecordId> deleted_topologies;
  std::vector<bool> resolved;  // stored records, by identity, that a group resolved

  ImportContext(const State& base, const Document& file, const ImportOptions& wanted)
      : state(base), document(file), options(wanted), workspace(base) {}

  const Graph& graph() const { return state.graph; }
  // The identifier that a topology has after the import.
  std::string_view topology_id(RecordId topology) const;

  RecordMap<DocumentIndex> document_topology;
};

// Step 0: what the rules of the state leave to the groups, and what is left to step 5.
void choose_rules(ImportContext& context);

// Step 1: finds or creates the record of every topology of the document and hangs it in its place
// (docs/requirements/importing.md, section 5); their owners follow in step 3. Also finds the
// sub-topologies to delete.
Status match_topologies(ImportContext& context);

// Step 2: resolves every group of institutions, nodes and links, in this order, so that references
// always lead to resolved records (docs/requirements/importing.md, sections 4, 6 and 7).
void resolve_elements(ImportContext& context);

// Step 3: the owners of the topologies.
void set_topology_owners(ImportContext& context);

// Step 4: takes what the file no longer lists out of the visited topologies. What then belongs to
// none is hidden from the rules, and deleted by step 6: until then a link that the rules unite with
// a newer one still has the ends that go.
struct Removed {
  std::array<std::vector<RecordId>, kKindCount> by_kind;
};
Removed sweep(ImportContext& context);

// Step 5: the rules, then the copies of which they left one original.
void run_import_rules(ImportContext& context);

// Step 6.
void delete_removed(ImportContext& context, const Removed& removed);

// The outcome. The workspace is spent.
ImportPlan planned(ImportContext& context);

// ---- shared with known_file.hpp ----

bool has_identities(const State& state, std::uint64_t needed);
// What the codec remarked, first of all.
void log_notes(ImportLog& log, const DocumentNotes& notes, const LossList& losses);
// After step 4: what is to be remembered of the file. Null where it cannot be known again.
std::shared_ptr<KnownFile> begin_known_file(const ImportContext& context);
// Whether the elements come out as they are stored when the file is planned once more on what
// `transaction` leaves.
bool comes_out_again(const ImportContext& context, const Transaction& transaction);

}  // namespace netml::engine
