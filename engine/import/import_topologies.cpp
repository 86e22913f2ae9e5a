// Step 1 of an import: the topologies. They are matched first by identifier, then by name below the
// same parent, each stored one once; what is not matched is created. After it every topology of the
// file has a record and a parent, and the parents form no circle: a move that would close one is
// not made (under itself: made to the top level instead), and a warning says so. If asked for, a
// topology that the file no longer has is deleted, but only one that an import of the same root
// brought (its origin); what others hung below it moves up to
// the nearest topology that stays.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/graph/record_sets.hpp"
#include "engine/import/detail/import_planner.hpp"

namespace netml::engine {

namespace {

class TopologyMatcher {
 public:
  explicit TopologyMatcher(ImportContext& context) : context_(context) {}

  Status run() {
    const auto& topologies = context_.document.topologies;
    for (DocumentIndex i = 0; i < topologies.size(); ++i) {
      const RecordId parent = topologies[i].parent == kNoIndex
                                  ? context_.options.parent
                                  : context_.topologies[topologies[i].parent];
      NETML_TRY_VOID(visit(i, parent));
    }
    // After all visits: a topology that the file lists somewhere else now is not one that it lost.
    if (context_.options.propagate_topology_deletion) find_deleted();
    return {};
  }

 private:
  const Graph& graph() const { return context_.graph(); }
  std::string describe(RecordId id) const { return context_.workspace.describe(id); }

  Status visit(DocumentIndex index, RecordId parent) {
    const AttributesPtr& attributes = context_.document.topologies[index].attributes;
    context_.log.parsed(Kind::topology, 1);
    // Parents come before their children in a document, so `parent` is a record already.
    NETML_TRY(const RecordId match, find_match(*attributes, parent));
    const RecordId id = match ? update(match, attributes, parent) : create(attributes, parent);
    context_.topologies.push_back(id);
    context_.document_topology.emplace(id, index);
    context_.log.imported(Kind::topology, 1);
    return {};
  }

  // By identifier, else by name and parent; a topology visited already is no candidate.
  Result<RecordId> find_match(const Attributes& attributes, RecordId parent) {
    if (const RecordId same_id = graph().find_newest(Kind::topology, attributes.id())) {
      if (!is_visited(same_id)) {
        context_.log.information(Kind::topology,
                                 fmt::format("{} matched by its id", describe(same_id)));
        return same_id;
      }
    }
    // A new parent has no stored children to compare with.
    if (parent && !graph().contains(parent)) return RecordId{};
    const auto& named = children_by_name(parent);
    const auto found = named.find(attributes.name());
    if (found == named.end()) return RecordId{};
    std::vector<RecordId> candidates = found->second;
    std::erase_if(candidates, [&](RecordId id) {
      return is_visited(id) || document_has_id(graph().attributes(id).id());
    });
    // All are given away already, so this one is new.
    if (candidates.empty()) return RecordId{};
    // To guess would give one topology the members of another.
    if (candidates.size() > 1)
      return fail(
          Errc::conflict,
          fmt::format("Error: topology {} could be any of {} stored topologies named \"{}\" "
                      "below the same parent; give one of them this id",
                      attributes.id(), candidates.size(), attributes.name()));
    context_.log.information(Kind::topology, fmt::format("{} matched by its name and parent",
                                                         describe(candidates.front())));
    return candidates.front();
  }

  bool is_visited(RecordId id) const { return context_.document_topology.contains(id); }

  // A stored topology whose own identifier the file also has is meant by that, not by its name.
  bool document_has_id(std::string_view id) {
    if (document_ids_.empty())
      for (const DocumentTopology& topology : context_.document.topologies)
        document_ids_.insert(topology.attributes->id());
    return document_ids_.contains(id);
  }

  using NameIndex = boost::unordered_flat_map<std::string_view, std::vector<RecordId>>;
  // A name the document gives is already cut, so it also equals a stored one that was.
  const NameIndex& children_by_name(RecordId parent) {
    const auto [entry, added] = names_.try_emplace(parent);
    if (added)
      for (const RecordId child : graph().children(parent))
        entry->second[graph().attributes(child).name()].push_back(child);
    return entry->second;
  }

  RecordId create(const AttributesPtr& attributes, RecordId parent) {
    // The first topology of an empty store becomes main by itself.
    const bool first = graph().count(Kind::topology) == 0 && context_.topologies.empty();
    const RecordId id = context_.workspace.create(
        {with_main(attributes, first), Relations::make(RelationFields{})});
    context_.workspace.number(id);
    place(id, parent, RecordId{});
    return id;
  }

  RecordId update(RecordId id, const AttributesPtr& attributes, RecordId parent) {
    const Record stored = graph().record(id);
    context_.covered.insert(id);
    const RecordId kept_parent = stored.relations->parent();
    if (parent == id) {
      context_.log.warning(
          Kind::topology,
          fmt::format(
              "circular parent avoided: {} would be its own parent and goes to the top level",
              describe(id)));
      parent = RecordId{};
    } else if (parent != kept_parent && is_ancestor(id, parent)) {
      context_.log.warning(
          Kind::topology, fmt::format("circular parent avoided: {} contains {} and keeps its place",
                                      describe(id), describe(parent)));
      parent = kept_parent;
    }
    if (parent != kept_parent)
      context_.log.information(Kind::topology,
                               fmt::format("{}: parent set to {}", describe(id),
                                           parent ? describe(parent) : std::string("None")));
    context_.workspace.put(id,
                           {with_main(attributes, stored.attributes->main()), stored.relations});
    place(id, parent, stored.relations->owner());
    return id;
  }

  // In the workspace, after the moves so far: two moves of one file may each be fine alone and
  // close a circle together.
  bool is_ancestor(RecordId candidate, RecordId of) const {
    for (RecordId at = of; at; at = context_.workspace.record(at).relations->parent())
      if (at == candidate) return true;
    return false;
  }

  RecordSet ancestors(RecordId topology) const {
    RecordSet above;
    for (RecordId at = topology; (at = context_.workspace.record(at).relations->parent());)
      above.insert(at);
    return above;
  }

  // The owner is set again in step 3; until then a stored topology keeps the one it has.
  void place(RecordId id, RecordId parent, RecordId owner) {
    // Whose import brought it, by which a later one knows what it may delete.
    const RecordId root = context_.topologies.empty() ? id : context_.topologies.front();
    RelationFields fields;
    if (parent) fields.topologies = std::span(&parent, 1);
    if (owner) fields.owners = std::span(&owner, 1);
    fields.origin = root;
    context_.workspace.put_relations(id, fields);
  }

  // Sub-topologies that an earlier import of the same root delivered below a topology of this file
  // and that the file no longer has, with those below them that came the same way. Others below
  // them move up to the nearest topology that stays, also those of the file that could not be moved
  // where it wants them. What the root now lies below stays, too.
  void find_deleted() {
    const RecordId root = context_.topologies.front();
    const RecordSet above_root = ancestors(root);
    struct Open {
      RecordId topology;
      RecordId stays;  // the nearest topology above that is not deleted
    };
    std::vector<Open> open;
    // A new topology has no stored children to lose.
    for (const RecordId id : context_.topologies)
      if (graph().contains(id)) open.push_back({id, id});
    while (!open.empty()) {
      const auto [above, stays] = open.back();
      open.pop_back();
      for (const RecordId child : graph().children(above)) {
        const bool visited = is_visited(child);
        // The stored children are walked; a visited one may have moved away meanwhile.
        if (visited ? parent_now(child) != above : above_root.contains(child)) continue;
        if (!visited && graph().relations(child).origin() == root) {
          context_.deleted_topologies.push_back(child);
          context_.covered.insert(child);
          // Its children are looked at next: they are deleted for the same reason, or move up.
          open.push_back({child, stays});
        } else if (above != stays) {
          move_up(child, stays);
        }
      }
    }
    std::ranges::sort(context_.deleted_topologies);
  }

  RecordId parent_now(RecordId topology) const {
    return context_.workspace.record(topology).relations->parent();
  }

  void move_up(RecordId topology, RecordId to) {
    const Record record = context_.workspace.record(topology);
    RelationFields fields = record.relations->fields();
    fields.topologies = std::span(&to, 1);
    context_.workspace.put_relations(topology, fields);
    context_.log.information(Kind::topology,
                             fmt::format("{}: parent set to {}, because the former one is deleted",
                                         describe(topology), describe(to)));
  }

  ImportContext& context_;
  RecordMap<NameIndex> names_;
  boost::unordered_flat_set<std::string_view> document_ids_;
};

// Children before parents, each in file order: the order in which contents are visited.
void order_visits(ImportContext& context) {
  const auto& topologies = context.document.topologies;
  const auto count = static_cast<DocumentIndex>(topologies.size());
  context.depth.assign(count, 0);
  for (DocumentIndex i = 1; i < count; ++i)
    context.depth[i] = context.depth[topologies[i].parent] + 1;
  std::vector<DocumentIndex> open;  // the path from the root to the last topology
  const auto close_down_to = [&](std::size_t depth) {
    for (; open.size() > depth; open.pop_back()) context.visit_order.push_back(open.back());
  };
  // The document lists topologies in pre-order: when one comes that is not deeper than the last,
  // all down to its depth have seen all their children.
  for (DocumentIndex i = 0; i < count; ++i) {
    close_down_to(context.depth[i]);
    open.push_back(i);
  }
  close_down_to(0);
  context.visit_rank.assign(count, 0);
  for (std::uint32_t rank = 0; rank < count; ++rank)
    context.visit_rank[context.visit_order[rank]] = rank;
}

}  // namespace

std::string_view ImportContext::topology_id(RecordId topology) const {
  const auto found = document_topology.find(topology);
  return found == document_topology.end() ? graph().attributes(topology).id()
                                          : document.topologies[found->second].attributes->id();
}

Status match_topologies(ImportContext& context) {
  order_visits(context);
  return TopologyMatcher(context).run();
}

void set_topology_owners(ImportContext& context) {
  for (DocumentIndex i = 0; i < context.document.topologies.size(); ++i) {
    const RecordId owner = context.outcome[context.document.topologies[i].owner];
    const RecordId topology = context.topologies[i];
    const RelationsPtr relations = context.workspace.record(topology).relations;
    if (relations->owner() == owner) continue;
    RelationFields fields = relations->fields();
    fields.owners = std::span(&owner, 1);
    context.workspace.put_relations(topology, fields);
  }
}

RecordId default_parent(const Graph& graph) {
  return graph.mains().size() == 1 ? graph.mains().front() : RecordId{};
}

RecordId present_parent(const Graph& graph, const Document& document) {
  const Attributes& root = *document.topologies.front().attributes;
  if (const RecordId known = graph.find_newest(Kind::topology, root.id()))
    return graph.relations(known).parent();
  const auto is_in_file = [&](std::string_view id) {
    return std::ranges::any_of(document.topologies, [&](const DocumentTopology& topology) {
      return topology.attributes->id() == id;
    });
  };
  std::vector<RecordId> named;
  graph.for_each_record([&](RecordId id) {
    if (graph.kind(id) != Kind::topology) return;
    const Attributes& stored = graph.attributes(id);
    if (stored.name() == root.name() && !is_in_file(stored.id())) named.push_back(id);
  });
  return named.size() == 1 ? graph.relations(named.front()).parent() : default_parent(graph);
}

Result<RecordId> find_topology(const Graph& graph, std::string_view number_or_id) {
  std::uint64_t number = 0;
  std::string_view digits = number_or_id;
  if (digits.starts_with('#')) digits.remove_prefix(1);
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error == std::errc() && stop == end && number != 0)
    if (const RecordId id = graph.find_by_number(RecordNumber{number});
        id && graph.kind(id) == Kind::topology)
      return id;
  if (const RecordId id = graph.find_newest(Kind::topology, number_or_id)) return id;
  return fail(Errc::not_found,
              fmt::format("no topology has the number or id \"{}\"", number_or_id.substr(0, 64)));
}

}  // namespace netml::engine
