// What the graph would look like: changes piled up over one immutable state, until they become a
// transaction. Planning works on it; nothing is changed but the workspace itself.
//
// Thread: its owner.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/record_sets.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

class Workspace {
 public:
  // `base` must outlive the workspace.
  explicit Workspace(const State& base);

  const State& base() const { return base_; }

  // The record as changed so far; empty when there is none.
  Record record(RecordId id) const;
  bool contains(RecordId id) const;
  // "name <id> [number]", as far as there is one.
  std::string describe(RecordId id) const;

  RecordId create(Record record);
  // About so many are going to be created: they are put where they stay.
  void expect(std::size_t records) { created_.reserve(created_.size() + records); }
  void put(RecordId id, Record record);
  void put_relations(RecordId id, const RelationFields& relations);

  // Whose associations lead to `target` now, ascending. The first call costs the size of the
  // changes so far, each further one only its own result.
  std::vector<RecordId> referrers(RecordId target);

  // ---- finding, as changed so far ----
  // As in Graph. The first call costs the number of records created so far.
  std::vector<RecordId> find(Kind kind, std::string_view id);
  RecordId find_newest(Kind kind, std::string_view id);
  std::vector<std::vector<RecordId>> duplicates(Kind kind);
  std::vector<RecordId> members(RecordId topology, Kind kind);
  // All of a kind, ascending. Costs their number.
  std::vector<RecordId> records(Kind kind) const;
  // From now on all of these and copies() pass over this record: it is about to be deleted, unless
  // it is shown again.
  void hide(RecordId id) { hidden_.insert(id); }
  void show(RecordId id) { hidden_.erase(id); }
  bool is_hidden(RecordId id) const { return hidden_.contains(id); }
  // Elements marked as copies, ascending. Costs the size of the changes so far.
  std::vector<RecordId> copies() const;
  // Where the record stands among those of its kind once all is numbered: larger = newer.
  struct Age {
    std::uint64_t number = 0;
    RecordId id;
    auto operator<=>(const Age&) const = default;
  };
  Age age(RecordId id) const;

  // Deletion with what must go with it (docs/requirements/importing.md, section 1.4): a node
  // takes every link that ends at it, an institution its ownerships. Returns the links that fell
  // with a node.
  void remove_link(RecordId link) { put(link, Record{}); }
  std::vector<RecordId> remove_node(RecordId node);
  void remove_institution(RecordId institution);
  void remove_element(RecordId element);  // any of these
  // A topology without members and children.
  void remove_topology(RecordId topology) { put(topology, Record{}); }
  // The topologies below them go, too, and every element that then belongs to none, with what goes
  // with that. All must exist.
  void remove_topologies(std::vector<RecordId> topologies);

  // Whatever referred to `from` refers to `to` instead, and `from` is gone
  // (docs/requirements/importing.md, section 1.5). A link that would get two equal ends is deleted
  // and returned.
  std::vector<RecordId> forward(RecordId from, RecordId to);

  void unmark_main(RecordId topology);

  RecordNumber take_number();

  // Gives every member of `topology` a fresh number once all other changes are made.
  void renumber(RecordId topology) {
    renumbering_rank_.insert_or_assign(topology, renumbered_.size());
    renumbered_.push_back(topology);
  }
  void number(RecordId id) { numberings_.push_back({id, take_number()}); }
  // The same at the end, unless a topology that is renumbered gives it one.
  void number_at_the_end(RecordId id) { numbered_at_the_end_.push_back(id); }

  // The record changes and numberings. The workspace is spent.
  Transaction finish();

 private:
  void note_edges(RecordId source, const Record& record);
  void index_edges();
  void note_id(RecordId id, const Record& record);
  void index_ids();
  void number_the_rest();
  std::vector<RecordChange> collect_changes();
  std::vector<Renumbering> count_renumbered(const std::vector<RecordChange>& changes);

  const State& base_;
  RecordMap<Record> changed_;
  std::vector<RecordChange> created_;  // [i] has identity base.next_id + i
  RecordSet hidden_;
  std::vector<Numbering> numberings_;
  std::vector<RecordId> numbered_at_the_end_;
  std::vector<RecordId> renumbered_;
  RecordMap<std::size_t> renumbering_rank_;
  RecordNumber next_number_;

  // Edges of changed and created records by target, once somebody asked; may hold outdated ones.
  bool edges_indexed_ = false;
  RecordMap<std::vector<RecordId>> edges_to_;

  // Records that the base does not list under the identifier they have now, once somebody asked:
  // chains by hash; may hold outdated ones.
  struct IdEntry {
    RecordId record;
    std::uint32_t next = 0;  // position in id_entries_, from 1; 0 = end
  };
  bool ids_indexed_ = false;
  std::vector<IdEntry> id_entries_;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> last_id_entry_;
};

}  // namespace netml::engine
