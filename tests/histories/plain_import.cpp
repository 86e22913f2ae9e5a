#include "tests/histories/plain_import.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/graph/document.hpp"
#include "tests/histories/plain_rules.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {

namespace {

// Where a file lists an element.
struct Place {
  std::size_t topology = 0;
  int depth = 0;
  PlainFile::Element element;
};

class Importing {
 public:
  Importing(PlainMap map, const PlainFile& file, int step, Key& next)
      : map_(std::move(map)), file_(file), step_(step), next_(next) {}

  PlainImport run(Key parent, bool own_rules) {
    place_topologies(parent);
    find_lost();
    // Nodes become one before links do: one that would end where it begins is gone by then.
    for (const Kind kind : {Kind::institution, Kind::node, Kind::link}) {
      store_all(kind);
      sweep(kind);
      unite_duplicates(map_, kind, unlisted_);
    }
    for (std::size_t i = 0; i < file_.topologies.size(); ++i)
      map_[keys_[i]].owners = {find(map_, Kind::institution, file_.topologies[i].owner)};
    run_rules(map_, own_rules, unlisted_);
    for (const Key key : unlisted_) erase(map_, key);
    for (const Key key : lost_) map_.erase(key);
    number_anew();
    return {std::move(map_), {keys_.begin(), keys_.end()}};
  }

 private:
  // ---- topologies ----
  void place_topologies(Key parent) {
    keys_.resize(file_.topologies.size());
    for (std::size_t i = keys_.size(); i-- > 0;)
      place(i, i + 1 == keys_.size() ? parent : keys_[file_.topologies[i].parent]);
    covered_.insert(keys_.begin(), keys_.end());
  }

  void place(std::size_t index, Key parent) {
    const PlainFile::Topology& topology = file_.topologies[index];
    Key key = find(map_, Kind::topology, topology.id);
    if (key == 0) {
      const bool first = all_of(map_, Kind::topology).empty();
      key = next_++;
      map_[key].id = topology.id;
      map_[key].main = first;
    }
    keys_[index] = key;
    PlainElement& stored = map_[key];
    stored.name = topology.name;
    stored.property.clear();
    stored.origin = keys_.back();
    if (parent == key) parent = 0;  // it goes to the top level
    if (is_above(map_, key, parent)) return;
    stored.topologies.clear();
    if (parent != 0) stored.topologies.insert(parent);
  }

  // Decision 2: what the same root delivered below these topologies, and delivers no more. What
  // else is below moves up.
  void find_lost() {
    const Key root = keys_.back();
    const std::vector<Key> topologies = all_of(map_, Kind::topology);
    for (std::size_t before = lost_.size() + 1; before != lost_.size();) {
      before = lost_.size();
      for (const Key key : topologies) {
        const bool below = covered_.contains(parent_of(map_, key));
        if (below && map_[key].origin == root && !covered_.contains(key) &&
            !is_above(map_, key, root)) {
          lost_.insert(key);
          covered_.insert(key);
        }
      }
    }
    for (const Key key : topologies) {
      if (lost_.contains(key)) continue;
      while (lost_.contains(parent_of(map_, key)))
        map_[key].topologies = map_.at(parent_of(map_, key)).topologies;
    }
  }

  // ---- elements ----
  int depth(std::size_t topology) const {
    int depth = 0;
    for (; topology + 1 != file_.topologies.size(); ++depth)
      topology = file_.topologies[topology].parent;
    return depth;
  }

  // Every topology has the global institution.
  std::map<std::string, std::vector<Place>> places(Kind kind) const {
    std::map<std::string, std::vector<Place>> found;
    for (std::size_t i = 0; i < file_.topologies.size(); ++i) {
      PlainFile::Element global;
      global.kind = Kind::institution;
      global.id = engine::kGlobalInstitutionId;
      global.name = "GREN";
      std::vector<PlainFile::Element> elements = file_.topologies[i].elements;
      elements.push_back(global);
      for (const PlainFile::Element& element : elements)
        if (element.kind == kind) found[element.id].push_back({i, depth(i), element});
    }
    return found;
  }

  void store_all(Kind kind) {
    for (const auto& [id, all] : places(kind)) store(kind, id, all);
  }

  // One element, whatever there was of it. What other topologies have of it stays in them, with the
  // owners that it had.
  void store(Kind kind, const std::string& id, const std::vector<Place>& places) {
    PlainElement stored;
    stored.kind = kind;
    stored.id = id;
    stored.name = places.back().element.name;  // what is visited later is newer
    stored.property = gathered(places);
    for (const Place& place : places) {
      const PlainFile::Topology& topology = file_.topologies[place.topology];
      stored.topologies.insert(keys_[place.topology]);
      for (const std::string& owner : place.element.owners)
        stored.owners.insert(find(map_, Kind::institution, owner));
      if (kind != Kind::institution)
        stored.owners.insert(find(map_, Kind::institution, topology.owner));
    }
    if (kind == Kind::link) stored.ends = ends(places.back().element);
    const Key key = take_over(stored);
    map_[key] = stored;
    told_.insert(key);
  }

  // Decision 3: a property of the topology nearest the root holds.
  static std::string gathered(std::vector<Place> places) {
    std::ranges::reverse(places);
    std::ranges::stable_sort(places, {}, &Place::depth);
    for (const Place& place : places)
      if (!place.element.property.empty()) return place.element.property;
    return {};
  }

  std::array<Key, 2> ends(const PlainFile::Element& link) const {
    const auto [first, second] = std::minmax(link.ends[0], link.ends[1]);
    return {find(map_, Kind::node, first), find(map_, Kind::node, second)};
  }

  // The key of what is stored under the identifier, or a new one.
  Key take_over(PlainElement& now) {
    Key kept = 0;
    for (const auto& [key, element] : PlainMap(map_)) {
      if (element.kind != now.kind || element.id != now.id) continue;
      if (kept == 0)
        kept = key;
      else
        replace(map_, key, kept);
      std::set<Key> elsewhere;
      std::ranges::set_difference(element.topologies, covered_,
                                  std::inserter(elsewhere, elsewhere.end()));
      if (elsewhere.empty()) continue;
      now.topologies.merge(elsewhere);
      now.owners.insert(element.owners.begin(), element.owners.end());
    }
    return kept == 0 ? next_++ : kept;
  }

  // What the file no longer lists in its topologies leaves them. The elements that are left in none
  // are to be deleted.
  void sweep(Kind kind) {
    for (auto& [key, element] : map_) {
      if (element.kind != kind || told_.contains(key)) continue;
      if (std::erase_if(element.topologies, [&](Key home) { return covered_.contains(home); }) !=
              0 &&
          element.topologies.empty())
        unlisted_.insert(key);
    }
  }

  // Decision 8: what the topologies of the file have now is as new as their visit.
  void number_anew() {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      for (auto& [key, element] : map_)
        if (element.kind != Kind::topology && element.topologies.contains(keys_[i]))
          element.age = {step_, static_cast<int>(i)};
  }

  PlainMap map_;
  const PlainFile& file_;
  const int step_;
  Key& next_;
  std::vector<Key> keys_;  // of the topologies of the file
  std::set<Key> lost_;
  std::set<Key> covered_;  // the topologies of the file, and what is lost
  std::set<Key> told_;     // elements of the file
  Hidden unlisted_;        // elements that are in no topology any more
};

ElementText text_of(const PlainFile::Element& element) {
  ElementText text = element.kind == Kind::institution ? institution(element.id)
                     : element.kind == Kind::node
                         ? node(element.id)
                         : link(element.id, element.ends[0], element.ends[1]);
  text.named(element.name);
  if (!element.property.empty()) text.with("k", element.property);
  for (const std::string& owner : element.owners) text.owned_by(owner);
  return text;
}

}  // namespace

std::string PlainFile::xml() const {
  std::vector<TopologyText> texts;
  for (const Topology& topology : topologies) {
    TopologyText& text = texts.emplace_back(topology.id, topology.owner);
    text.named(topology.name);
    for (const Element& element : topology.elements) text.add(text_of(element));
  }
  for (std::size_t i = 0; i + 1 < topologies.size(); ++i) texts[topologies[i].parent].add(texts[i]);
  return texts.back();
}

std::string PlainFile::reported() const {
  std::string text;
  for (std::size_t i = topologies.size(); i-- > 0;) {
    const Topology& topology = topologies[i];
    text += fmt::format("{}{} \"{}\" of {}:", text.empty() ? "" : "; ", topology.id, topology.name,
                        topology.owner);
    if (i + 1 != topologies.size())
      text += fmt::format(" below {}", topologies[topology.parent].id);
    for (const Element& element : topology.elements) {
      text += fmt::format(" {}", element.id);
      if (!element.property.empty()) text += '=' + element.property;
      if (element.kind == Kind::link)
        text += fmt::format("({}-{})", element.ends[0], element.ends[1]);
      for (const std::string& owner : element.owners) text += '^' + owner;
    }
  }
  return text;
}

PlainImport imported(PlainMap map, const PlainFile& file, Key parent, bool own_rules, int step,
                     Key& next) {
  return Importing(std::move(map), file, step, next).run(parent, own_rules);
}

}  // namespace netml::test
