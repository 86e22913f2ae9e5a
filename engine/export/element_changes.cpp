// Whoever relies on this keeps what was known of all that is not named, so the search names
// whatever could differ. What is written of an element is its own values, and the identifiers of
// its owners, its ends, the topology's owner and, of a copy, its topologies. A topology lists its
// members, the nodes at which their links end, and the institutions that own any of these. So what
// changed is followed from a record to whatever shows its identifier, and to whatever is listed for
// its sake.
#include "engine/export/element_changes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <tuple>

#include "engine/graph/document.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine {

namespace {

// The topologies that list an element of a graph.
class Listings {
 public:
  explicit Listings(const Graph& graph) : graph_(graph) {}

  // Ascending; none of what is written as it is defined. Valid until the next call.
  std::span<const RecordId> of(RecordId element) {
    if (!graph_.contains(element)) return {};
    switch (graph_.kind(element)) {
      case Kind::topology:
        return {};
      case Kind::link:
        return graph_.relations(element).topologies();
      case Kind::node:
        found_.clear();
        add_node(element, found_);
        sort_each_once(found_);
        return found_;
      case Kind::institution:
        break;
    }
    // What it owns may be much, and is asked for with each of that.
    const auto [known, is_new] = of_institutions_.try_emplace(element);
    if (is_new) add_institution(element, known->second);
    return known->second;
  }
  bool lists(RecordId topology, RecordId element) {
    return std::ranges::binary_search(of(element), topology);
  }

 private:
  void add_members(RecordId element, std::vector<RecordId>& found) const {
    const auto topologies = graph_.relations(element).topologies();
    found.insert(found.end(), topologies.begin(), topologies.end());
  }
  void add_node(RecordId node, std::vector<RecordId>& found) const {
    add_members(node, found);
    graph_.for_each_referrer(node, [&](RecordId link) { add_members(link, found); });
  }
  void add_institution(RecordId institution, std::vector<RecordId>& found) const {
    if (graph_.attributes(institution).id() == kGlobalInstitutionId) return;
    add_members(institution, found);
    graph_.for_each_referrer(institution, [&](RecordId owned) {
      if (graph_.kind(owned) == Kind::topology)
        found.push_back(owned);
      else if (graph_.kind(owned) == Kind::node)
        add_node(owned, found);
      else
        add_members(owned, found);
      if (found.size() > kCondensedFrom) sort_each_once(found);
    });
    sort_each_once(found);
  }
  // Neighbours mostly lie in one topology, so this stays small.
  static constexpr std::size_t kCondensedFrom = 4096;

  const Graph& graph_;
  std::vector<RecordId> found_;
  RecordMap<std::vector<RecordId>> of_institutions_;
};

class Search {
 public:
  Search(const Graph& before, const Graph& after)
      : graphs_{&before, &after},
        listings_{Listings(before), Listings(after)},
        limit_(kLimitMin + std::max(before.size(), after.size()) / kShareMax) {}

  std::optional<ElementChanges> find() {
    graphs_[0]->for_each_difference(*graphs_[1], [this](RecordId id) {
      if (within_limit()) look_at(id);
    });
    if (!within_limit()) return std::nullopt;
    unite_elements();
    sort_each_once(found_.topologies);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kLimitMin = 10'000;
  static constexpr std::size_t kShareMax = 10;  // of all records: a tenth

  // What was met more than once is named once. Of records that differ all topologies were asked
  // for, of others it is not known yet whether they are listed.
  void unite_elements() {
    const auto place = [](const ElementChange& change) {
      return std::tuple(change.topology, change.element);
    };
    auto& elements = found_.elements;
    std::ranges::sort(elements, {}, place);
    auto end = elements.begin();
    for (const ElementChange& change : elements) {
      if (end == elements.begin() || place(*std::prev(end)) != place(change)) *end++ = {change};
      std::prev(end)->before |= change.before;
      std::prev(end)->after |= change.after;
    }
    elements.erase(end, elements.end());
    for (ElementChange& change : elements) {
      if (change.before || change.after) continue;
      change.before = listings_[0].lists(change.topology, change.element);
      change.after = listings_[1].lists(change.topology, change.element);
    }
  }

  bool within_limit() const { return found_.elements.size() + found_.topologies.size() <= limit_; }
  bool is_in_both(RecordId id) const {
    return graphs_[0]->contains(id) && graphs_[1]->contains(id);
  }
  bool has_same_id(RecordId id) const {
    return graphs_[0]->attributes(id).id() == graphs_[1]->attributes(id).id();
  }

  void look_at(RecordId id) {
    const bool in_both = is_in_both(id);
    const bool is_named_alike = in_both && has_same_id(id);
    const Graph& graph = *graphs_[graphs_[0]->contains(id) ? 0 : 1];
    if (graph.kind(id) == Kind::topology)
      found_.topologies.push_back(id);
    else
      element(id, in_both && graphs_[0]->relations(id) == graphs_[1]->relations(id));
    if (in_both && !is_named_alike) users(id);
  }

  // In all topologies that list it, and, where its relations differ, what is listed for its sake.
  void element(RecordId id, bool is_related_alike) {
    for (std::size_t of = 0; of < graphs_.size(); ++of) {
      const auto listed = listings_[of].of(id);
      topologies_.assign(listed.begin(), listed.end());
      for (const RecordId topology : topologies_)
        found_.elements.push_back({topology, id, of == 0, of == 1});
      if (is_related_alike || !graphs_[of]->contains(id)) continue;
      const Relations& relations = graphs_[of]->relations(id);
      add_everywhere(relations.owners());
      add_everywhere(relations.ends());
      for (const RecordId end : relations.ends())
        add_everywhere(graphs_[of]->relations(end).owners());
    }
  }
  void add_everywhere(std::span<const RecordId> elements) {
    for (const RecordId element : elements)
      for (const RecordId topology : topologies_) add(topology, element);
  }

  // What shows the identifier of `id`: what it owns or ends, or what belongs to it and is copied.
  void users(RecordId id) {
    for (std::size_t of = 0; of < graphs_.size(); ++of)
      graphs_[of]->for_each_referrer(id, [&](RecordId user) {
        if (!within_limit()) return;
        if (graphs_[of]->kind(user) == Kind::topology) return found_.topologies.push_back(user);
        for (const RecordId topology : listings_[of].of(user)) add(topology, user);
      });
  }

  void add(RecordId topology, RecordId element) { found_.elements.push_back({topology, element}); }

  const std::array<const Graph*, 2> graphs_;
  std::array<Listings, 2> listings_;
  const std::size_t limit_;
  std::vector<RecordId> topologies_;  // that list the element in hand
  ElementChanges found_;
};

}  // namespace

std::optional<ElementChanges> elements_written_differently(const Graph& before,
                                                           const Graph& after) {
  // Where records share an identifier one of them is written, by their numbers, which change where
  // no value does.
  if (before.has_duplicates() || after.has_duplicates()) return std::nullopt;
  return Search(before, after).find();
}

}  // namespace netml::engine
