// What the graph would look like: changes piled up over one immutable state, until they become a
// transaction. Planning works on it; nothing is changed but the workspace itself.
//
// Thread: its owner.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <span>
#include <vector>

#include "engine/state.hpp"
#include "engine/transaction.hpp"

namespace netml::engine {

class Workspace {
 public:
  // `base` must outlive the workspace.
  explicit Workspace(const State& base);

  const State& base() const { return base_; }

  // The record as changed so far; empty when there is none.
  Record record(RecordId id) const;
  bool contains(RecordId id) const;

  RecordId create(Record record);
  void put(RecordId id, Record record);
  void put_relations(RecordId id, const RelationFields& relations);

  // Whose associations lead to `target` now, ascending. The first call costs the size of the
  // changes so far, each further one only its own result.
  std::vector<RecordId> referrers(RecordId target);

  // Deletion with what must fall with it (import.md, section 1.4): a node takes every link that
  // ends at it, an institution its ownerships. Returns the links that fell with a node.
  void remove_link(RecordId link) { put(link, Record{}); }
  std::vector<RecordId> remove_node(RecordId node);
  void remove_institution(RecordId institution);
  // A topology without members and children.
  void remove_topology(RecordId topology) { put(topology, Record{}); }

  // Whatever referred to `from` refers to `to` instead, and `from` is gone (import.md,
  // section 1.5). A link that would get two equal ends is deleted and returned.
  std::vector<RecordId> forward(RecordId from, RecordId to);

  RecordNumber take_number();

  // Gives every member of `topology` a fresh number once all other changes are made.
  void renumber(RecordId topology) { renumbered_.push_back(topology); }
  void number(RecordId id) { numberings_.push_back({id, take_number()}); }

  // The record changes and numberings. The workspace is spent.
  Transaction finish();

 private:
  void note_edges(RecordId source, const Record& record);
  void index_edges();
  std::vector<RecordChange> collect_changes();
  std::vector<Renumbering> count_renumbered(const std::vector<RecordChange>& changes);

  const State& base_;
  boost::unordered_flat_map<RecordId, Record, std::hash<RecordId>> changed_;
  std::vector<Record> created_;  // [i] has identity base.next_id + i
  std::vector<Numbering> numberings_;
  std::vector<RecordId> renumbered_;
  RecordNumber next_number_;

  // Edges of changed and created records by target, once somebody asked; may hold outdated ones.
  bool edges_indexed_ = false;
  boost::unordered_flat_map<RecordId, std::vector<RecordId>, std::hash<RecordId>> edges_to_;
};

}  // namespace netml::engine
