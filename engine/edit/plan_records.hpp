// Planning manual changes of single records: what the record editors of the APIs do
// (docs/requirements/importing.md, sections 1.3 and 1.4). Like all planning pure: from the state to
// a transaction without provenance, which the caller fills in.
//
// Failure: Errc::invalid_input for what no record may be, Errc::conflict for an identifier that is
// taken or a topology that would be its own ancestor, Errc::not_found for a record that is gone.
// Messages of the first two begin with the name of the field and a colon.
// Thread: any (pure functions).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/attributes.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

struct TextProperty {
  std::string name;  // in lower case
  std::string value;
  bool operator==(const TextProperty&) const = default;
};

// What is to be set; what is absent stays as it is, or has its default in a new record. Fields and
// references that the kind does not have are ignored.
struct RecordEdit {
  std::optional<std::string> id;
  std::optional<std::string> name;
  std::optional<std::string> short_name;
  std::optional<std::optional<Instant>> version;
  std::optional<std::optional<Instant>> start;
  std::optional<std::optional<Instant>> end;
  std::optional<std::optional<Micro>> latitude;  // both known, or none
  std::optional<std::optional<Micro>> longitude;
  std::optional<std::optional<Micro>> altitude;
  std::optional<std::string> unlocode;
  std::optional<std::string> address;
  std::map<Field, std::string> further;  // those that came later (Attribute::is_further)
  std::optional<bool> main;              // marking one takes the mark from the others
  std::vector<TextProperty> added_properties;
  std::optional<std::vector<TextProperty>> properties;  // instead of those there are

  std::optional<std::vector<RecordId>> topologies;  // elements; the whole set
  std::optional<std::vector<RecordId>> owners;      // nodes and links; the whole set
  std::optional<RecordId> parent;                   // topologies; none = top level
  std::optional<RecordId> owner;                    // topologies; none = nobody
  std::optional<RecordId> end_a;                    // links
  std::optional<RecordId> end_b;
};

struct RecordCreation {
  Transaction transaction;
  RecordId id;
};

// The only topology becomes the main one by itself.
Result<RecordCreation> plan_record_create(const State& state, Kind kind, const RecordEdit& edit);
// What a record becomes; for plans that change several. Errors are those of plan_record_update().
Result<Record> edited_record(const Graph& graph, RecordId record, const RecordEdit& edit);
// The record keeps its number.
Result<Transaction> plan_record_update(const State& state, RecordId record, const RecordEdit& edit);

struct EditedRecord {
  RecordId id;
  RecordEdit edit;
};
// Several at once, each a record of its own. Those that are given a parent are all given the same,
// and none is marked main. The message of an error begins with the name of the record.
Result<Transaction> plan_records_update(const State& state, std::span<const EditedRecord> edits);

// With all that is deleted with it: links of a node; the topologies below a topology, and the
// elements that then belong to none.
Result<Transaction> plan_record_delete(const State& state, RecordId record);
// Several at once; one that is deleted with another of them may be among them.
Result<Transaction> plan_records_delete(const State& state, std::span<const RecordId> records);

// Every record goes, also those that belong to no topology.
Transaction plan_graph_clear(const State& state);
// The entries of the catalog, too. Numbers are not given again.
Transaction plan_clear(const State& state);

}  // namespace netml::engine
