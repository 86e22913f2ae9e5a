// Equal states give equal bytes, on every node and in every run: clients compare exports, and a
// cache knows one by the digest of the records, and of their numbers where identifiers repeat. So
// nothing here follows the order of identities or of hashes. All is ordered by identifier, the one
// name that means the same everywhere; where two records share one, a member goes before a copy,
// and then the larger number before the smaller.
#include "engine/export/export_order.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/base/text_beginning.hpp"
#include "engine/graph/document.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine {

const char* export_failure_name(ExportFailure failure) {
  switch (failure) {
    case ExportFailure::missing_root_topology:
      return "MissingRootTopologyException";
    case ExportFailure::missing_root_topology_owner:
      return "MissingRootTopologyOwnerException";
    case ExportFailure::no_topology_owner:
      return "NoTopologyOwnerError";
  }
  return "Exception";
}

tl::expected<RecordId, ExportFailure> export_root(const Graph& graph) {
  if (graph.mains().size() != 1) return tl::unexpected(ExportFailure::missing_root_topology);
  return graph.mains().front();
}

namespace {

// By identifier; of equal ones the newest first.
auto by_id(const Graph& graph) {
  return [&graph](RecordId a, RecordId b) {
    const int order = graph.attributes(a).id().compare(graph.attributes(b).id());
    return order != 0 ? order < 0 : graph.number(a) > graph.number(b);
  };
}

// Sub-topologies by identifier below each parent. Looks for topologies among all records, a byte
// each, because asking each topology for its children looks at all its members.
class SubTopologies {
 public:
  SubTopologies(const Graph& graph, RecordId root) {
    // The common export of one topology: the pass over all records is saved.
    constexpr std::size_t kFew = 10'000;  // more are not looked at one by one for that
    if (graph.referrers_about(root) <= kFew && graph.children(root).empty()) return;
    graph.for_each_of(Kind::topology, [&](RecordId id) {
      for (const RecordId parent : graph.relations(id).topologies()) pairs_.push_back({parent, id});
    });
    const auto less = by_id(graph);
    std::ranges::sort(pairs_, [&](const Pair& a, const Pair& b) {
      return a.parent != b.parent ? a.parent < b.parent : less(a.child, b.child);
    });
  }
  // Last first.
  template <class Visit>
  void for_each_below(RecordId parent, Visit&& visit) const {
    const auto found = std::ranges::equal_range(pairs_, parent, {}, &Pair::parent);
    for (auto it = found.end(); it != found.begin();) visit((--it)->child);
  }

 private:
  struct Pair {
    RecordId parent;
    RecordId child;
  };
  std::vector<Pair> pairs_;
};

// Whether both ends of a link carry the same identifier: they are one element to every reader, and
// a link needs two.
bool has_equal_ends(const Graph& graph, RecordId link) {
  const auto ends = graph.relations(link).ends();
  return graph.attributes(ends[0]).id() == graph.attributes(ends[1]).id();
}

// Links of the exported topologies with equal ends. Only nodes that share an identifier can be
// such ends, so only their links are looked at.
std::vector<RecordId> find_omitted_links(const Graph& graph, const std::vector<ExportStep>& steps) {
  std::vector<RecordId> links;
  for (const std::vector<RecordId>& group : graph.duplicates(Kind::node))
    for (const RecordId node : group)
      graph.for_each_referrer(node, [&](RecordId link) {
        if (has_equal_ends(graph, link)) links.push_back(link);
      });
  if (links.empty()) return links;
  sort_each_once(links);  // each was met at both its ends
  RecordSet exported;
  for (const ExportStep& step : steps) exported.insert(step.topology);
  std::erase_if(links, [&](RecordId link) {
    return std::ranges::none_of(graph.relations(link).topologies(),
                                [&](RecordId topology) { return exported.contains(topology); });
  });
  return links;
}

// `root` and all below it in the order of an export, until `visit` says that it is enough.
template <class Visit>
void walk_export(const Graph& graph, RecordId root, Visit&& visit) {
  const SubTopologies below(graph, root);
  std::vector<ExportStep> open{{root, 0}};
  while (!open.empty()) {
    // A stack of its own instead of recursion: a tree may be as deep as a peer makes it. Children
    // are pushed last first, so that they come off in order.
    const ExportStep step = open.back();
    open.pop_back();
    if (!visit(step)) return;
    below.for_each_below(step.topology,
                         [&](RecordId child) { open.push_back({child, step.depth + 1}); });
  }
}

std::optional<ExportFailure> failure_at(const Graph& graph, const ExportStep& step) {
  if (graph.relations(step.topology).owner()) return std::nullopt;
  return step.depth == 0 ? ExportFailure::missing_root_topology_owner
                         : ExportFailure::no_topology_owner;
}

}  // namespace

tl::expected<ExportTree, ExportFailure> export_tree(const Graph& graph, RecordId root) {
  ExportTree tree;
  std::optional<ExportFailure> failure;
  walk_export(graph, root, [&](const ExportStep& step) {
    failure = failure_at(graph, step);
    if (failure) return false;
    tree.steps.push_back(step);
    tree.elements_max =
        std::max<std::uint64_t>(tree.elements_max, graph.referrers_about(step.topology));
    return true;
  });
  if (failure) return tl::unexpected(*failure);
  // Before any text is written, because the header of the answer tells how many are left out.
  tree.omitted_links = find_omitted_links(graph, tree.steps);
  return tree;
}

std::vector<ExportObstacle> export_obstacles(const Graph& graph) {
  const auto root = export_root(graph);
  if (!root) return {{root.error(), {}}};
  std::vector<ExportObstacle> obstacles;
  walk_export(graph, *root, [&](const ExportStep& step) {
    if (const auto failure = failure_at(graph, step))
      obstacles.push_back({*failure, step.topology});
    return true;
  });
  return obstacles;
}

namespace {

// Gathers what one topology lists, each record once.
class ContentsCollector {
 public:
  ContentsCollector(const Graph& graph, RecordId topology, bool has_duplicates)
      : graph_(graph), topology_(topology), has_duplicates_(has_duplicates) {}

  TopologyContents collect() {
    contents_.owner = graph_.relations(topology_).owner();
    graph_.for_each_referrer(topology_, [&](RecordId member) {
      switch (graph_.kind(member)) {
        case Kind::institution:
          return contents_.institutions.push_back({member, false});
        case Kind::node:
          return contents_.nodes.push_back({member, false});
        case Kind::link:
          return add_link(member);
        case Kind::topology:
          return;  // a sub-topology, written in its own place
      }
    });
    // A reader resolves references within the topology that it reads, so what is referred to
    // elsewhere is written here as a copy: first the ends of links, then the owners of all nodes,
    // copies included.
    add_institution_copy(contents_.owner);
    for (const ExportedElement& link : contents_.links)
      for (const RecordId end : graph_.relations(link.record).ends()) add_node_copy(end);
    for (const auto* list : {&contents_.nodes, &contents_.links})
      for (const ExportedElement& element : *list)
        for (const RecordId owner : graph_.relations(element.record).owners())
          add_institution_copy(owner);
    // After all is gathered: a copy may come of an identifier that a member has, too.
    finish(contents_.nodes);
    finish(contents_.links);
    finish(contents_.institutions);
    put_global_first();
    return std::move(contents_);
  }

 private:
  bool belongs_here(RecordId element) const {
    return std::ranges::binary_search(graph_.relations(element).topologies(), topology_);
  }
  void add_link(RecordId link) {
    if (has_duplicates_ && has_equal_ends(graph_, link))
      contents_.omitted_links.push_back(link);
    else
      contents_.links.push_back({link, false});
  }
  void add_institution_copy(RecordId institution) {
    // Asking for the last one again is the common case: most elements share an owner.
    if (!institution || institution == last_owner_) return;
    last_owner_ = institution;
    if (graph_.attributes(institution).id() == kGlobalInstitutionId) return;
    if (!belongs_here(institution) && copied_.insert(institution).second)
      contents_.institutions.push_back({institution, true});
  }
  void add_node_copy(RecordId node) {
    if (!belongs_here(node) && copied_.insert(node).second) contents_.nodes.push_back({node, true});
  }

  // Orders by identifier and unifies duplicates: a member stays before a copy, a newer record
  // before an older. Members come ascending by RecordId, which is often the order of identifiers
  // already.
  void finish(std::vector<ExportedElement>& elements) {
    if (ascending(elements)) return;
    const auto less = [this](const Keyed& a, const Keyed& b) {
      if (a.key != b.key) return a.key < b.key;
      const int order = id(a.element).compare(id(b.element));
      if (order != 0) return order < 0;
      if (a.element.copy != b.element.copy) return b.element.copy;
      return graph_.number(a.element.record) > graph_.number(b.element.record);
    };
    make_keys(elements);
    std::ranges::sort(keyed_, less);
    elements.clear();
    for (const Keyed& keyed : keyed_)
      if (elements.empty() || id(elements.back()) != id(keyed.element))
        elements.push_back(keyed.element);
  }

  // Whether each identifier is greater than the one before it.
  bool ascending(const std::vector<ExportedElement>& elements) const {
    std::string_view last;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const std::string_view next = id(elements[i]);
      if (i > 0 && !(last < next)) return false;
      last = next;
    }
    return true;
  }

  // For ordering: the first bytes that identifiers do not share, as a number that orders as they
  // do. A text that ends before them is less, as it is where identifiers are compared.
  struct Keyed {
    std::uint64_t key;
    ExportedElement element;
  };
  void make_keys(const std::vector<ExportedElement>& elements) {
    const std::string_view first = id(elements.front());
    std::size_t shared = first.size();
    for (const ExportedElement& element : elements) {
      const std::string_view other = id(element);
      if (other.starts_with(first.substr(0, shared))) continue;
      shared = static_cast<std::size_t>(std::ranges::mismatch(other, first.substr(0, shared)).in1 -
                                        other.begin());
    }
    keyed_.clear();
    keyed_.reserve(elements.size());
    for (const ExportedElement& element : elements)
      keyed_.push_back({beginning_of(id(element).substr(shared)), element});
  }
  std::string_view id(const ExportedElement& element) const {
    return graph_.attributes(element.record).id();
  }

  // In the place of what is stored of it.
  void put_global_first() {
    auto& list = contents_.institutions;
    const auto stored = std::ranges::find_if(
        list, [&](const ExportedElement& element) { return id(element) == kGlobalInstitutionId; });
    if (stored != list.end()) list.erase(stored);
    list.insert(list.begin(), ExportedElement{});
  }

  const Graph& graph_;
  const RecordId topology_;
  const bool has_duplicates_;
  TopologyContents contents_;
  RecordSet copied_;
  RecordId last_owner_;
  std::vector<Keyed> keyed_;
};

}  // namespace

TopologyContents topology_contents(const Graph& graph, RecordId topology) {
  return topology_contents(graph, topology, graph.has_duplicates());
}

TopologyContents topology_contents(const Graph& graph, RecordId topology, bool has_duplicates) {
  return ContentsCollector(graph, topology, has_duplicates).collect();
}

std::vector<std::string_view> exported_owners(const Graph& graph, RecordId element,
                                              RecordId topology_owner) {
  std::vector<std::string_view> ids;
  exported_owners(graph, element, topology_owner, ids);
  return ids;
}

void exported_owners(const Graph& graph, RecordId element, RecordId topology_owner,
                     std::vector<std::string_view>& ids) {
  ids.clear();
  for (const RecordId owner : graph.relations(element).owners())
    ids.push_back(graph.attributes(owner).id());
  if (topology_owner) ids.push_back(graph.attributes(topology_owner).id());
  sort_each_once(ids);
}

std::array<RecordId, 2> exported_ends(const Graph& graph, RecordId link) {
  // Ends have no order in the map; the file needs one that is always the same.
  const auto ends = graph.relations(link).ends();
  const bool in_order = graph.attributes(ends[0]).id() < graph.attributes(ends[1]).id();
  return {ends[in_order ? 0 : 1], ends[in_order ? 1 : 0]};
}

std::array<std::string_view, 2> exported_end_ids(const Graph& graph, RecordId link) {
  const auto ends = graph.relations(link).ends();
  const std::string_view first = graph.attributes(ends[0]).id();
  const std::string_view second = graph.attributes(ends[1]).id();
  return {std::min(first, second), std::max(first, second)};
}

std::string from_topology_value(const Graph& graph, RecordId element) {
  std::vector<std::string> named;
  if (const auto value = graph.attributes(element).from_topology())
    named = split_from_topology(*value);
  std::vector<std::string_view> ids(named.begin(), named.end());
  for (const RecordId topology : graph.relations(element).topologies())
    ids.push_back(graph.attributes(topology).id());
  sort_each_once(ids);
  return join_from_topology(ids);
}

}  // namespace netml::engine
