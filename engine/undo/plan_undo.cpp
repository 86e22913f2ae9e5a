// An undo must leave a graph that is whole, and whether it does shows only in the outcome: a
// topology that got its old parent back may be below itself, an identifier that came back may be
// another's by now. So an undo is planned in attempts, each in a fresh workspace: what was deleted
// comes back first, because what was changed may refer to it; what was created goes last, when
// nothing that went back needs it any more. Then the outcome is judged. Whatever is wrong with it
// becomes a decision that all further attempts keep: this record stays away, that one keeps its
// parent or its identifier. Each attempt that fails adds a decision about one of the changes to be
// undone, so the attempts end.
#include "engine/undo/plan_undo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "engine/graph/record_sets.hpp"
#include "engine/undo/detail/undo_parts.hpp"

namespace netml::engine {

namespace {

constexpr const char* kIdentifierTaken = "another one has the identifier now";

// The part of the records; that of the catalog is in undo_entries.cpp.
class GraphUndo {
 public:
  GraphUndo(const State& state, const Transaction& undone, const Graph& before, UndoForce force)
      : state_(state), undone_(undone), before_(before), force_(force) {}

  UndoPlan plan() {
    bool whole = false;
    while (!whole) {
      workspace_.emplace(state_);
      // The conflicts are noted afresh, the decisions of the attempts before among them.
      found_ = {};
      restored_.clear();
      removed_.clear();
      restore();
      merge();
      remove();
      whole = keep_tree() && keep_identifiers_unique();
    }
    // This changes marks only, which keep nothing from being whole: no further attempt is needed.
    keep_one_main();
    for (const RecordId id : sorted(restored_))  // some may have fallen with what goes
      if (workspace_->contains(id)) workspace_->number(id);
    return {std::move(found_), workspace_->finish()};
  }

 private:
  bool forced() const { return force_ == UndoForce::overwrite; }
  Workspace& workspace() { return *workspace_; }
  void note(const Record& record, std::string reason, bool was_forced = false) {
    found_.note(conflict_about(record, std::move(reason), was_forced));
  }
  // An earlier attempt has shown that the record cannot go back.
  bool left_alone(const RecordChange& change) {
    const auto found = left_.find(change.id);
    if (found == left_.end()) return false;
    note(change.before ? change.before : change.after, found->second);
    return true;
  }

  // ---- what was deleted comes back ----
  void restore() {
    std::vector<const RecordChange*> candidates;
    for (const RecordChange& change : undone_.records) {
      if (change.after || left_alone(change)) continue;
      const Record now = workspace().record(change.id);
      // It came back as it was, by another undo perhaps: nothing is left to do.
      if (now == change.before) continue;
      if (now) {
        note(change.before, "it is there again, with other values");
      } else {
        workspace().put(change.id, change.before);
        restored_.insert(change.id);
        candidates.push_back(&change);
      }
    }
    // All of them are in place before one is judged, because they may need each other.
    resolve_restored(candidates);
    trim_restored();
  }

  // Why the record cannot be there; empty when it can. A link needs both its nodes. What belonged
  // to topologies needs one of them; what belonged to none needs none.
  std::string obstacle(const Record& record) {
    const Relations& relations = *record.relations;
    for (const RecordId end : relations.ends())
      if (!workspace().contains(end)) return "a node at its end is not there any more";
    const auto homes = relations.topologies();
    const bool homeless = std::ranges::none_of(
        homes, [&](RecordId topology) { return workspace().contains(topology); });
    if (homes.empty() || !homeless) return {};
    return record.kind() == Kind::topology ? "its parent topology is not there any more"
                                           : "no topology that it belonged to is there any more";
  }

  // Takes out again what cannot be there. It may have been all that others had to come back to, so
  // whatever refers to it is judged once more.
  void resolve_restored(const std::vector<const RecordChange*>& candidates) {
    std::vector<RecordId> pending;
    pending.reserve(candidates.size());
    for (const RecordChange* change : candidates) pending.push_back(change->id);
    while (!pending.empty()) {
      const RecordId id = pending.back();
      pending.pop_back();
      if (!restored_.contains(id)) continue;
      const Record record = workspace().record(id);
      const std::string reason = obstacle(record);
      if (reason.empty()) continue;
      const std::vector<RecordId> dependents = workspace().referrers(id);
      workspace().put(id, Record{});
      restored_.erase(id);
      note(record, reason);
      pending.insert(pending.end(), dependents.begin(), dependents.end());
    }
  }

  // What comes back does so without the topologies and owners that are gone.
  void trim_restored() {
    for (const RecordId id : sorted(restored_)) {
      const Record record = workspace().record(id);
      RelationFields fields = record.relations->fields();
      const std::vector<RecordId> topologies =
          present(record, Field::topologies, fields.topologies);
      const std::vector<RecordId> owners = present(record, Field::owners, fields.owners);
      if (topologies.size() == fields.topologies.size() && owners.size() == fields.owners.size())
        continue;
      fields.topologies = topologies;
      fields.owners = owners;
      workspace().put_relations(id, fields);
    }
  }

  std::vector<RecordId> present(const Record& record, Field field, std::span<const RecordId> ids) {
    std::vector<RecordId> found;
    for (const RecordId id : ids) {
      if (workspace().contains(id))
        found.push_back(id);
      else
        found_.note(
            conflict_about(record, field, "it came back without what is not there", {}, {}));
    }
    return found;
  }

  // ---- what was changed ----
  void merge() {
    for (const RecordChange& change : undone_.records) {
      if (!change.before || !change.after || left_alone(change)) continue;
      if (!workspace().contains(change.id)) {
        note(change.after, "it was deleted since");
        continue;
      }
      Record merged = revert(workspace(), change.id, change, force_, found_);
      if (circular_.contains(change.id)) merged = with_parent_of_now(change.id, merged);
      if (renamed_.contains(change.id)) merged = with_identifier_of_now(change.id, merged);
      if (!(merged == workspace().record(change.id))) workspace().put(change.id, std::move(merged));
    }
  }

  Record with_parent_of_now(RecordId id, const Record& merged) {
    const RelationsPtr now = workspace().record(id).relations;
    found_.note(conflict_about(merged, Field::topologies, "the topology would be below itself",
                               identifiers_of(workspace(), merged.relations->topologies()),
                               identifiers_of(workspace(), now->topologies())));
    RelationFields fields = merged.relations->fields();
    fields.topologies = now->topologies();
    return {merged.attributes, Relations::make(fields)};
  }

  // The identifier stays, and all else of the record goes back.
  Record with_identifier_of_now(RecordId id, const Record& merged) {
    const Record now = workspace().record(id);
    found_.note(conflict_about(now, Field::id, kIdentifierTaken, std::string(merged.id()),
                               std::string(now.id())));
    return {
        changed_copy(*merged.attributes, [&](AttributeFields& fields) { fields.id = now.id(); }),
        merged.relations};
  }

  // ---- what was created goes ----
  void remove() {
    for (const RecordChange& change : undone_.records) {
      if (change.before || left_alone(change)) continue;
      const Record now = state_.graph.record(change.id);
      if (!now) continue;
      const bool changed = !(now == change.after);
      if (changed) note(now, "it was changed since", forced());
      if (!changed || forced()) removed_.insert(change.id);
    }
    // Where it is forced, what still refers to a record goes with it instead.
    if (!forced()) resolve_removed();
    remove_with_dependents();
  }

  // A record that something else refers to stays, and so does all that it refers to itself, or it
  // would be left without its ends, owners or topologies.
  void resolve_removed() {
    std::vector<RecordId> pending;
    for (const RecordId id : sorted(removed_)) {
      for (const RecordId referrer : workspace().referrers(id)) {
        if (removed_.contains(referrer)) continue;
        note_needed(id, referrer);
        pending.push_back(id);
        break;
      }
    }
    for (const RecordId id : pending) removed_.erase(id);
    while (!pending.empty()) {
      const RecordId needing = pending.back();
      pending.pop_back();
      const RelationsPtr relations = workspace().record(needing).relations;
      for (const auto& targets : {relations->topologies(), relations->owners(), relations->ends()})
        for (const RecordId target : targets)
          if (removed_.erase(target) != 0) {
            note_needed(target, needing);
            pending.push_back(target);
          }
    }
  }

  void note_needed(RecordId id, RecordId by) {
    const Record record = workspace().record(by);
    note(workspace().record(id), fmt::format("{} {}, which is not undone, refers to it",
                                             kind_name(record.kind()), record.id()));
  }

  // Deletes as any deletion does, with all that cannot be without the record. The topologies go
  // together, because an element goes when the last of its topologies does.
  void remove_with_dependents() {
    const std::vector<RecordId> deleted = sorted(removed_);
    std::vector<RecordId> topologies;
    for (const Kind kind : {Kind::link, Kind::node, Kind::institution, Kind::topology}) {
      for (const RecordId id : deleted) {
        const Record record = workspace().record(id);
        if (!record || record.kind() != kind) continue;
        if (kind == Kind::topology)
          topologies.push_back(id);
        else
          workspace().remove_element(id);
      }
    }
    if (!topologies.empty()) workspace().remove_topologies(std::move(topologies));
  }

  static std::vector<RecordId> sorted(const RecordSet& set) {
    std::vector<RecordId> ids(set.begin(), set.end());
    std::ranges::sort(ids);
    return ids;
  }

  // ---- what holds for the whole; false when another attempt is due ----
  // Several topologies may get their old parents at once, so only the outcome can be judged.
  bool keep_tree() {
    for (const RecordChange& change : undone_.records) {
      const bool moved = change.before && change.after && change.before.kind() == Kind::topology &&
                         !(*change.before.relations == *change.after.relations);
      if (!moved || circular_.contains(change.id) || !is_below_itself(change.id)) continue;
      // One decision at a time: that one topology stays where it is may be enough to open the
      // circle.
      circular_.insert(change.id);
      return false;
    }
    return true;
  }

  bool is_below_itself(RecordId topology) {
    RecordSet seen;
    const auto parent = [&](RecordId id) {
      const Record record = workspace().record(id);
      return record ? record.relations->parent() : RecordId{};
    };
    // There may be a circle above the topology to which it does not belong; `seen` ends the walk
    // there.
    RecordId above = parent(topology);
    while (above && above != topology && seen.insert(above).second) above = parent(above);
    return above == topology;
  }

  // Force may leave two elements with one identifier, as imports can, and says so. It never does
  // with topologies.
  bool keep_identifiers_unique() {
    bool unique = true;
    for (const RecordChange& change : undone_.records) {
      const Record now = workspace().record(change.id);
      if (!change.before || !now || now.id() != change.before.id()) continue;
      // The undo gave it nothing that it did not have.
      if (const Record stored = state_.graph.record(change.id); stored && stored.id() == now.id())
        continue;
      if (!is_taken(change.id, now)) continue;
      if (forced() && now.kind() != Kind::topology) {
        note(now, kIdentifierTaken, true);
        continue;
      }
      if (change.after)
        renamed_.insert(change.id);
      else
        left_.emplace(change.id, kIdentifierTaken);
      unique = false;
    }
    return unique;
  }

  // By a record that did not have the identifier beside it before, however it came to it: made
  // since, renamed since, or brought back by another undo.
  bool is_taken(RecordId id, const Record& record) {
    return std::ranges::any_of(workspace().find(record.kind(), record.id()), [&](RecordId other) {
      return other != id && !(before_.contains(other) && before_.kind(other) == record.kind() &&
                              before_.attributes(other).id() == record.id());
    });
  }

  // At most one topology is marked main. One that was marked since stays so, unless forced.
  void keep_one_main() {
    std::vector<RecordId> regained;
    std::vector<RecordId> others;
    for (const RecordId main : state_.graph.mains())
      if (const Record now = workspace().record(main); now && now.attributes->main())
        others.push_back(main);
    for (const RecordChange& change : undone_.records) {
      const Record now = workspace().record(change.id);
      const bool is_main = now && now.attributes->main();
      if (is_main && std::ranges::find(others, change.id) == others.end())
        regained.push_back(change.id);
    }
    if (regained.empty() || others.empty()) return;
    found_.note(conflict_about(workspace().record(regained.front()), Field::main,
                               "another topology was made the main one since", {}, {}, forced()));
    for (const RecordId id : forced() ? others : regained) workspace().unmark_main(id);
  }

  const State& state_;
  const Transaction& undone_;
  const Graph& before_;
  const UndoForce force_;
  std::map<RecordId, std::string> left_;  // why
  RecordSet circular_;                    // topologies that keep their parents
  RecordSet renamed_;                     // records that keep their identifiers
  std::optional<Workspace> workspace_;
  UndoConflicts found_;
  RecordSet restored_;
  RecordSet removed_;
};

}  // namespace

UndoPlan plan_undo(const State& state, const Transaction& undone, const Graph& before,
                   UndoForce force) {
  UndoPlan plan = GraphUndo(state, undone, before, force).plan();
  revert_entries(state, undone, force, plan);
  return plan;
}

}  // namespace netml::engine
