#include "tests/histories/plain_undo.hpp"

#include <algorithm>

namespace netml::test {

namespace {

class Attempt {
 public:
  // What earlier attempts found that cannot be.
  struct Limits {
    std::set<Key> left;      // stay away
    std::set<Key> renamed;   // keep their identifiers
    std::set<Key> circular;  // keep their parents
  };

  Attempt(const PlainMap& now, const PlainMap& before, const PlainMap& after, bool force,
          Limits& limits)
      : now_(now), before_(before), after_(after), force_(force), limits_(limits) {
    undo_.map = now;
  }

  // Nothing when another attempt is due.
  bool run() {
    restore();
    merge();
    remove();
    if (!keep_tree() || !keep_identifiers()) return false;
    keep_one_main();
    return true;
  }
  PlainUndo take() { return std::move(undo_); }

 private:
  PlainMap& map() { return undo_.map; }
  bool there(Key key) { return map().contains(key); }
  void conflict() { undo_.conflicts = true; }

  void restore() {
    for (const auto& [key, element] : before_) {
      if (after_.contains(key)) continue;
      if (limits_.left.contains(key)) {
        conflict();
      } else if (now_.contains(key)) {
        if (!(now_.at(key) == element)) conflict();
      } else {
        map()[key] = element;
        restored_.insert(key);
      }
    }
    for (bool again = true; again;) {
      again = false;
      for (const Key key : std::set<Key>(restored_))
        if (impossible(map().at(key))) {
          map().erase(key);
          restored_.erase(key);
          conflict();
          again = true;
        }
    }
    for (const Key key : restored_) {
      const auto gone = [&](Key target) { return !there(target); };
      if (std::erase_if(map().at(key).topologies, gone) +
              std::erase_if(map().at(key).owners, gone) !=
          0)
        conflict();
    }
  }

  bool impossible(const PlainElement& element) {
    const auto gone = [&](Key target) { return !there(target); };
    if (element.kind == Kind::link && std::ranges::any_of(element.ends, gone)) return true;
    return !element.topologies.empty() && std::ranges::all_of(element.topologies, gone);
  }

  void merge() {
    for (const auto& [key, old] : before_) {
      if (!after_.contains(key) || after_.at(key) == old) continue;
      if (!now_.contains(key))
        conflict();
      else
        merge(map().at(key), old, after_.at(key), key);
    }
  }

  template <class T>
  void field(T& now, const T& before, const T& after, bool possible = true) {
    if (before == after || now == before) return;
    if (!possible || !(now == after)) conflict();
    if (possible && (now == after || force_)) now = before;
  }

  void merge(PlainElement& now, const PlainElement& before, const PlainElement& after, Key key) {
    const std::string id = now.id;
    const std::set<Key> parents = now.topologies;
    field(now.main, before.main, after.main);
    field(now.id, before.id, after.id);
    field(now.name, before.name, after.name);
    field(now.property, before.property, after.property);
    const bool moved = before.topologies != after.topologies || before.owners != after.owners ||
                       before.ends != after.ends || before.origin != after.origin;
    const auto all_there = [&](const auto& keys) {
      return std::ranges::all_of(keys, [&](Key target) { return target == 0 || there(target); });
    };
    if (moved && now.kind == Kind::topology) {
      field(now.topologies, before.topologies, after.topologies, all_there(before.topologies));
      field(now.owners, before.owners, after.owners, all_there(before.owners));
      if (now.origin == after.origin) now.origin = before.origin;
    } else if (moved) {
      members(now.topologies, before.topologies, after.topologies);
      members(now.owners, before.owners, after.owners);
      field(now.ends, before.ends, after.ends, all_there(before.ends));
      if (now.topologies.empty() && !before.topologies.empty() && !parents.empty()) {
        now.topologies = parents;
        conflict();
      }
    }
    if (limits_.renamed.contains(key)) {
      now.id = id;
      conflict();
    }
    if (limits_.circular.contains(key)) {
      now.topologies = parents;
      conflict();
    }
  }

  void members(std::set<Key>& now, const std::set<Key>& before, const std::set<Key>& after) {
    for (const Key key : after)
      if (!before.contains(key)) now.erase(key);
    for (const Key key : before) {
      if (after.contains(key) || now.contains(key)) continue;
      if (there(key))
        now.insert(key);
      else
        conflict();
    }
  }

  void remove() {
    for (const auto& [key, element] : after_) {
      if (before_.contains(key) || !now_.contains(key)) continue;
      const bool changed = !(now_.at(key) == element);
      if (changed) conflict();
      if (!changed || force_) removed_.insert(key);
    }
    if (!force_) keep_what_is_needed();
    for (const Kind kind : {Kind::link, Kind::node, Kind::institution})
      for (const Key key : removed_)
        if (there(key) && map().at(key).kind == kind) erase(map(), key);
    std::set<Key> topologies;
    for (const Key key : removed_)
      if (there(key)) topologies.insert(key);
    if (!topologies.empty()) erase_topologies(map(), topologies);
  }

  void keep_what_is_needed() {
    for (bool again = true; again;) {
      again = false;
      for (const auto& [key, element] : map()) {
        if (removed_.contains(key)) continue;
        for (const Key target : std::set<Key>(removed_))
          if (refers(element, target)) {
            removed_.erase(target);
            conflict();
            again = true;
          }
      }
    }
  }

  bool keep_tree() {
    for (const auto& [key, old] : before_) {
      if (old.kind != Kind::topology || !after_.contains(key) || limits_.circular.contains(key) ||
          !there(key))
        continue;
      if (after_.at(key) == old || !is_below_itself(key)) continue;
      limits_.circular.insert(key);
      return false;
    }
    return true;
  }
  bool is_below_itself(Key topology) {
    std::set<Key> seen;
    Key above = parent_of(map(), topology);
    while (above != 0 && above != topology && seen.insert(above).second)
      above = parent_of(map(), above);
    return above == topology;
  }

  bool keep_identifiers() {
    bool kept = true;
    for (const auto& [key, old] : before_) {
      if (!there(key) || map().at(key).id != old.id) continue;
      if (now_.contains(key) && now_.at(key).id == old.id) continue;
      if (!is_taken(key)) continue;
      if (force_ && old.kind != Kind::topology) {
        conflict();
        continue;
      }
      (after_.contains(key) ? limits_.renamed : limits_.left).insert(key);
      kept = false;
    }
    return kept;
  }
  bool is_taken(Key key) {
    const PlainElement& element = map().at(key);
    return std::ranges::any_of(map(), [&](const auto& entry) {
      const auto& [other, beside] = entry;
      if (other == key || beside.kind != element.kind || beside.id != element.id) return false;
      const auto then = before_.find(other);
      return then == before_.end() || then->second.id != element.id;
    });
  }

  void keep_one_main() {
    std::set<Key> others;
    std::set<Key> regained;
    for (const auto& [key, element] : map()) {
      if (!element.main) continue;
      const bool was = now_.contains(key) && now_.at(key).main;
      (was ? others : regained).insert(key);
    }
    if (regained.empty() || others.empty()) return;
    conflict();
    for (const Key key : force_ ? others : regained) map().at(key).main = false;
  }

  const PlainMap& now_;
  const PlainMap& before_;
  const PlainMap& after_;
  const bool force_;
  Limits& limits_;
  PlainUndo undo_;
  std::set<Key> restored_;
  std::set<Key> removed_;
};

}  // namespace

PlainUndo undone(const PlainMap& now, const PlainMap& before, const PlainMap& after, bool force) {
  Attempt::Limits limits;
  while (true) {
    Attempt attempt(now, before, after, force, limits);
    if (attempt.run()) return attempt.take();
  }
}

}  // namespace netml::test
