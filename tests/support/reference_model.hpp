// The import as docs/requirements/importing.md, section 4, tells it, step by step, on maps and
// sets: a new record for every element of the file, dirty marks, a sweep with replacement, copies,
// keep newest, copies again. Slow and plain on purpose; the engine must agree with what it leaves
// behind.
//
// Where a decision or a "required here" differs from the steps of the reference, it holds:
//   - the properties of one file are gathered first (decision 3, 18);
//   - topologies match by id, then by name and parent (section 5);
//   - what lost its last topology is deleted in the end, because it may turn up nearer the root
//     (associations are broken before anything is deleted) and because a link that the rules unite
//     with a newer one has its ends, and does not fall with a node it left; only a record that the
//     same import wrote may replace it;
//   - sub-topologies that the same root delivered and the file lost are deleted (decision 2);
//   - keep newest prefers records that are no copies, then copies of nothing that is here; what it
//     prefers less brings it neither topologies nor owners (section 7: a copy never survives next
//     to its original, and resolves without unions).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/catalog/rules.hpp"
#include "engine/graph/document.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::test {

class ReferenceModel {
 public:
  using Key = std::uint64_t;  // a record's number; 0 = none
  // When a record got its data: which import, which visit of a topology, which kind.
  using Age = std::tuple<int, int, Kind>;

  struct Record {
    Kind kind = Kind::topology;
    engine::AttributesPtr attributes;
    std::set<Key> topologies;  // elements
    std::set<Key> owners;      // nodes, links; a topology: none or one
    Key ends[2] = {0, 0};
    Key parent = 0;  // topologies
    Key origin = 0;  // the root of the file that delivered the topology last
    bool dirty = false;
    int import = 0;  // the one that wrote it
    Age age;
  };

  // False, and nothing changed, when a topology could be several stored ones. `parent` names a
  // stored topology; empty = top level.
  bool import(const engine::Document& document, const std::string& parent,
              engine::CollisionPolicy collisions, bool propagate_topology_deletion);

  // ---- rules (reference_rules.cpp) ----
  // What imports by_rules and run_rules() run, in this order.
  void use(std::vector<engine::Rule> rules) { rules_ = std::move(rules); }
  void run_rules();
  // Manual edits, before the rules run. There is one record of that kind and identifier.
  void change(Kind kind, std::string_view id, engine::AttributesPtr attributes);
  void delete_newest(Kind kind, std::string_view id);
  void add_node(engine::AttributesPtr attributes, std::string_view topology,
                std::string_view owner);

  const std::map<Key, Record>& records() const { return records_; }
  // As content_lines() of a graph.
  std::vector<std::string> lines() const;

 private:
  struct Visit {
    const engine::Document& document;
    std::vector<engine::AttributesPtr> elements;  // with gathered properties
    std::vector<Key> topologies;
    std::vector<Key> written;  // the record of each element
    std::set<Key> visited;
    int rank = 0;
  };

  // Children before parents, siblings in file order.
  static std::vector<engine::DocumentIndex> post_order(const engine::Document& document);
  static std::vector<engine::AttributesPtr> gather(const engine::Document& document);
  bool match_topologies(Visit& visit, Key parent);
  std::set<Key> candidates_by_name(const Visit& visit, engine::DocumentIndex topology,
                                   Key parent) const;
  void place(Visit& visit, engine::DocumentIndex topology, Key record, Key parent);
  bool is_above(Key candidate, Key topology) const;
  void visit_contents(Visit& visit, engine::DocumentIndex topology);
  void write(Visit& visit, Key topology, engine::DocumentIndex element, Kind kind);
  void mark_dirty(Key topology);
  void sweep(Key topology);
  void replace_unassociated();
  void delete_unassociated(Kind kind);
  std::set<Key> lost_topologies(const Visit& visit) const;
  void delete_topologies(const std::set<Key>& lost);
  void resolve_copies(Kind kind);
  void keep_newest(Kind kind);
  std::vector<Key> originals_of(Key copy) const;
  int standing(Key key) const;

  void run(const engine::Rule& rule);
  void narrow(std::set<Key>& keys, const engine::RulePart& criterion) const;
  Key perform(const engine::Action& action, Key key);  // what to go on with; 0 = stop
  Key substitute(const engine::Action& action, bool merging, Key source);
  Key keep_newest_of(Key key);
  void unite(Key target, Key source, bool owners);
  bool belongs_to(Key key, std::string_view topology) const;
  void number_anew(const Visit& visit);

  std::vector<Key> with_id(Kind kind, std::string_view id) const;
  Key newest_written(Kind kind, std::string_view id) const;
  bool is_copy(Key key) const;
  void replace(Key from, Key to);
  void remove(Key key);
  std::string_view id(Key key) const { return records_.at(key).attributes->id(); }
  std::string named(Key key) const;

  std::map<Key, Record> records_;
  std::set<Key> unassociated_;
  std::vector<engine::Rule> rules_;
  Key next_ = 1;
  int imports_ = 0;
};

}  // namespace netml::test
