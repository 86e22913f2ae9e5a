// Keeping goes up: what stays needs the ends, owners and topologies it refers to. Dropping goes
// down: what refers to something that goes cannot stay as it was.
#include "engine/views/detail/visibility.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <string>
#include <string_view>

#include "engine/graph/document.hpp"
#include "engine/graph/graph_changes.hpp"
#include "engine/graph/properties.hpp"
#include "engine/graph/record_sets.hpp"
#include "engine/graph/topology_tree.hpp"
#include "engine/views/detail/halves.hpp"

namespace netml::engine::detail {

namespace {

// Whether a record is shown, by RecordId: bytes, as two threads write into it.
using Shown = std::vector<std::uint8_t>;

Shown no_records(const Graph& graph) {
  return Shown(graph.next_id().value);
}

void add_all_with_ids(const Graph& graph, Kind kind, const std::vector<std::string>& ids,
                      std::vector<RecordId>& found) {
  for (const std::string& id : ids)
    graph.for_each_with_id(kind, id, [&](RecordId record) {
      found.push_back(record);
      return true;
    });
}

bool is_fixed(const Graph& graph, RecordId id) {
  const Attributes& attributes = graph.attributes(id);
  return attributes.main() ||
         (attributes.kind() == Kind::institution && attributes.id() == kGlobalInstitutionId);
}

// A selection whose identifiers have been looked up.
class Chosen {
 public:
  Chosen(const Graph& graph, const ViewSelection& selection)
      : graph_(graph), selection_(selection), ids_(selection.ids.begin(), selection.ids.end()) {
    std::vector<RecordId> found;
    add_all_with_ids(graph, Kind::institution, selection.owners, found);
    owners_.insert(found.begin(), found.end());
    found.clear();
    add_all_with_ids(graph, Kind::topology, selection.topologies, found);
    for (const RecordId root : found) {
      const TopologyTree tree(graph, root);
      topologies_.insert(tree.topologies().begin(), tree.topologies().end());
    }
  }

  bool has(RecordId id) const {
    const Kind kind = graph_.kind(id);
    if ((selection_.kinds & set_of(kind)) == 0) return false;
    return is_owned(id, kind) && is_in_topology(id, kind) && is_named(id);
  }
  const RecordSet& topologies() const { return topologies_; }

 private:
  bool is_owned(RecordId id, Kind kind) const {
    if (selection_.owners.empty()) return true;
    if (kind == Kind::institution) return owners_.contains(id);
    return std::ranges::any_of(graph_.relations(id).owners(),
                               [&](RecordId owner) { return owners_.contains(owner); });
  }
  bool is_in_topology(RecordId id, Kind kind) const {
    if (selection_.topologies.empty()) return true;
    if (kind == Kind::topology) return topologies_.contains(id);
    return std::ranges::any_of(graph_.relations(id).topologies(),
                               [&](RecordId one) { return topologies_.contains(one); });
  }
  bool is_named(RecordId id) const {
    const Attributes& attributes = graph_.attributes(id);
    if (!ids_.empty() && !ids_.contains(attributes.id())) return false;
    return (selection_.tag.empty() || has_property(attributes, kTag, &selection_.tag)) &&
           (!selection_.property ||
            has_property(attributes, selection_.property->name,
                         selection_.property->value ? &*selection_.property->value : nullptr));
  }
  static bool has_property(const Attributes& attributes, std::string_view name,
                           const std::string* value) {
    return any_property(attributes, [&](const Property& property) {
      return property.name == name && (value == nullptr || property.value == *value);
    });
  }

  const Graph& graph_;
  const ViewSelection& selection_;
  RecordSet owners_;
  RecordSet topologies_;
  const boost::unordered_flat_set<std::string_view> ids_;
};

std::vector<Chosen> chosen_by(const Graph& graph, const std::vector<ViewSelection>& selections) {
  std::vector<Chosen> chosen;
  chosen.reserve(selections.size());
  for (const ViewSelection& selection : selections) chosen.emplace_back(graph, selection);
  return chosen;
}

bool any_has(const std::vector<Chosen>& chosen, RecordId id) {
  return std::ranges::any_of(chosen, [&](const Chosen& one) { return one.has(id); });
}

// ---- what is left once it is known what goes ----

class Remainder {
 public:
  Remainder(const Graph& graph, const Shown& shown)
      : graph_(graph), shown_(shown), changes_(graph) {}

  Graph take(Parallel& parallel) && {
    using Ids = std::vector<RecordId>;
    const auto halves = in_halves<Ids>(graph_, parallel, [&](Ids& changed, RecordId id) {
      if (!shown_[id.value] || refers_to_hidden(graph_.relations(id))) changed.push_back(id);
    });
    const auto for_each_changed = [&](bool shown, const auto& change) {
      for (const Ids& changed : halves)
        for (const RecordId id : changed)
          if ((shown_[id.value] != 0) == shown) change(id);
    };
    for_each_changed(false, [this](RecordId id) { changes_.put(id, {}); });
    for_each_changed(true, [this](RecordId id) { close(id); });
    return std::move(changes_).finish(parallel);
  }

 private:
  bool is_hidden(RecordId id) const { return id && (id >= graph_.next_id() || !shown_[id.value]); }
  bool refers_to_hidden(const Relations& relations) const {
    const auto hidden = [this](RecordId id) { return is_hidden(id); };
    return std::ranges::any_of(relations.topologies(), hidden) ||
           std::ranges::any_of(relations.owners(), hidden) || is_hidden(relations.origin());
  }
  void drop_hidden(std::vector<RecordId>& ids) const {
    std::erase_if(ids, [&](RecordId id) { return is_hidden(id); });
  }

  void close(RecordId id) {
    const Record record = graph_.record(id);
    const RelationFields before = record.relations->fields();
    std::vector<RecordId> topologies(before.topologies.begin(), before.topologies.end());
    std::vector<RecordId> owners(before.owners.begin(), before.owners.end());
    drop_hidden(topologies);
    drop_hidden(owners);
    const bool is_topology = record.kind() == Kind::topology;
    // An element that stays for the sake of another one would be in no topology.
    if (!is_topology && topologies.empty() && !graph_.mains().empty())
      topologies.push_back(graph_.mains().front());
    if (is_topology && owners.empty() && !before.owners.empty()) owners.push_back(global());
    const RecordId origin = is_hidden(before.origin) ? RecordId{} : before.origin;
    changes_.put(
        id,
        {record.attributes,
         Relations::make(
             {.topologies = topologies, .owners = owners, .ends = before.ends, .origin = origin})});
  }

  RecordId global() {
    if (global_) return global_;
    global_ = graph_.find_newest(Kind::institution, kGlobalInstitutionId);
    if (global_) return global_;
    // Behind what is shown: the next identity of the map tells how much there has been.
    const auto last = std::find(shown_.rbegin(), shown_.rend(), std::uint8_t{1});
    global_ = RecordId{static_cast<std::uint32_t>(shown_.rend() - last)};
    changes_.put(global_, {global_institution(), Relations::make({})});
    return global_;
  }

  const Graph& graph_;
  const Shown& shown_;
  GraphChanges changes_;
  RecordId global_;
};

}  // namespace

// ---- keep ----

namespace {

class Keeping {
 public:
  Keeping(const Graph& graph, const KeepStep& step)
      : graph_(graph), chosen_(chosen_by(graph, step.any_of)), shown_(no_records(graph)) {
    names_topologies_ = std::ranges::all_of(
        step.any_of, [](const ViewSelection& selection) { return !selection.topologies.empty(); });
  }

  const Shown& find(Parallel& parallel) {
    using Ids = std::vector<RecordId>;
    const auto halves = in_halves<Ids>(graph_, parallel, [&](Ids& elements, RecordId id) {
      const bool is_topology = graph_.kind(id) == Kind::topology;
      shown_[id.value] = is_fixed(graph_, id) || (!is_topology && any_has(chosen_, id));
      if (shown_[id.value] && !is_topology) elements.push_back(id);
    });
    for (const RecordId main : graph_.mains()) show_with_those_above(main);
    for (const Ids& elements : halves) show_what_they_need(elements);
    show_owners();
    return shown_;
  }

 private:
  void show_what_they_need(const std::vector<RecordId>& elements) {
    show_topologies(elements);
    for (const RecordId id : elements)
      for (const RecordId end : graph_.relations(id).ends()) shown_[end.value] = true;
  }
  // Institutions are listed in topologies that have nothing else to do with them, so these stay for
  // nodes and links only; and where topologies are named, for them alone.
  void show_topologies(const std::vector<RecordId>& elements) {
    if (names_topologies_) {
      for (const Chosen& one : chosen_)
        for (const RecordId topology : one.topologies()) show_with_those_above(topology);
      return;
    }
    for (const RecordId id : elements) {
      if (graph_.kind(id) == Kind::institution) continue;
      for (const RecordId topology : graph_.relations(id).topologies())
        if (!shown_[topology.value]) show_with_those_above(topology);
    }
  }
  // Up to the main one. A loop of parents ends where it was begun.
  void show_with_those_above(RecordId topology) {
    shown_[topology.value] = true;
    RecordId above = topology;
    while (!graph_.attributes(above).main()) {
      above = graph_.relations(above).parent();
      if (!above || shown_[above.value]) return;
      shown_[above.value] = true;
    }
  }
  void show_owners() {
    graph_.for_each_record([&](RecordId id) {
      if (!shown_[id.value] || graph_.kind(id) == Kind::institution) return;
      for (const RecordId owner : graph_.relations(id).owners()) shown_[owner.value] = true;
    });
  }

  const Graph& graph_;
  const std::vector<Chosen> chosen_;
  Shown shown_;
  bool names_topologies_ = false;
};

}  // namespace

Graph kept_by(const Graph& graph, const KeepStep& step, Parallel& parallel) {
  Keeping keeping(graph, step);
  return Remainder(graph, keeping.find(parallel)).take(parallel);
}

// ---- drop ----

namespace {

class Dropping {
 public:
  Dropping(const Graph& graph, const DropStep& step)
      : graph_(graph), chosen_(chosen_by(graph, step.any_of)), shown_(no_records(graph)) {}

  const Shown& find(Parallel& parallel) {
    using Ids = std::vector<RecordId>;
    const auto halves = in_halves<Ids>(graph_, parallel, [&](Ids& hidden, RecordId id) {
      shown_[id.value] = is_fixed(graph_, id) || !any_has(chosen_, id);
      if (!shown_[id.value] && graph_.kind(id) == Kind::topology) hidden.push_back(id);
    });
    for (const Ids& hidden : halves) hidden_.insert(hidden_.end(), hidden.begin(), hidden.end());
    hide_those_below();
    if (!hidden_.empty()) hide_what_is_nowhere_else();
    graph_.for_each_of(Kind::link, [&](RecordId id) {
      for (const RecordId end : graph_.relations(id).ends())
        if (!shown_[end.value]) shown_[id.value] = false;
    });
    return shown_;
  }

 private:
  void hide_those_below() {
    for (std::size_t i = 0; i < hidden_.size(); ++i)
      for (const RecordId child : graph_.children(hidden_[i])) {
        if (!shown_[child.value] || is_fixed(graph_, child)) continue;
        shown_[child.value] = false;
        hidden_.push_back(child);
      }
  }
  void hide_what_is_nowhere_else() {
    graph_.for_each_record([&](RecordId id) {
      if (graph_.kind(id) == Kind::topology || is_fixed(graph_, id)) return;
      const auto topologies = graph_.relations(id).topologies();
      if (!topologies.empty() && std::ranges::none_of(topologies, [&](RecordId topology) {
            return shown_[topology.value];
          }))
        shown_[id.value] = false;
    });
  }

  const Graph& graph_;
  const std::vector<Chosen> chosen_;
  Shown shown_;
  std::vector<RecordId> hidden_;  // topologies
};

}  // namespace

Graph left_by(const Graph& graph, const DropStep& step, Parallel& parallel) {
  Dropping dropping(graph, step);
  return Remainder(graph, dropping.find(parallel)).take(parallel);
}

}  // namespace netml::engine::detail
