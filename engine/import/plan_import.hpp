// Planning an import: what a document changes in a state (docs/requirements/importing.md,
// sections 4 to 7, with decisions 2, 3, 8 and 18), and the collation rules that run at its end
// (docs/requirements/collation-rules.md).
//
// The plan works set by set instead of record by record. All places of the file that give one
// element, and the stored records of the same kind and identifier, form a group; each group
// resolves into the records it leaves behind, and only differences to the stored values become
// changes. docs/import.md follows an import through the steps.
//
// Where the default rules resolve collisions, the groups do it on the way, at no extra cost; only
// rules of the administrator's own that can match anything are evaluated one by one.
//
// Thread: any (a pure function).
#pragma once

#include <memory>
#include <vector>

#include "engine/catalog/import_log.hpp"
#include "engine/graph/document.hpp"
#include "engine/rules/run_rules.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// What happens to several records of one kind and identifier.
enum class CollisionPolicy : std::uint8_t {
  keep_newest,    // they become one: the outcome of the three default rules
  keep_separate,  // they stay: the outcome without rules
  by_rules,       // what the enabled rules of the state make of them
};

struct ImportOptions {
  RecordId parent;  // the topology under which the file's root goes; none = top level
  bool propagate_topology_deletion = true;  // setting TOPOLOGY_DELETION_PROPAGATION (decision 2)
  CollisionPolicy collisions = CollisionPolicy::keep_newest;
  Instant now = {};  // overrides that end before it do not count
};

struct KnownFile;

struct ImportPlan {
  Transaction transaction;  // without provenance and import record
  ImportLog log;
  // Of the rules skipped, then of those run. What the groups did in the place of the default rules
  // is reported as if these had run; actions are not listed, and no other record changes with them.
  std::vector<RuleLog> rules;
  // The stored topologies whose members the file contains: those it has, and those deleted because
  // it has them no longer. Ascending.
  std::vector<RecordId> covered;
  RecordId root;    // what the file's root became
  RecordId parent;  // where it was to go; none = top level
  LossList losses;  // as in the document
  // What the same file does next (known_file.hpp); null where that does not follow from this.
  std::shared_ptr<const KnownFile> known = {};
};

// Errc::conflict when a topology of the file could be several stored ones; Errc::too_large when
// identities would run out.
Result<ImportPlan> plan_import(const State& state, const Document& document,
                               const ImportOptions& options);

// Where an import goes that names no parent: the main topology; none if there is none or several.
RecordId default_parent(const Graph& graph);

// Where the file's root is now, so that an import leaves it there. It is known by its identifier,
// else as the only stored one of its name; one that is not known goes where default_parent() says.
RecordId present_parent(const Graph& graph, const Document& document);

// `parent_topology_id` as clients give it: a number, else an identifier (decision 5).
// Errc::not_found when no topology has it.
Result<RecordId> find_topology(const Graph& graph, std::string_view number_or_id);

}  // namespace netml::engine
