// The node that stands for many has nothing of theirs but what all of them share, or its name would
// be that of one of them.
#include "engine/views/detail/collapse.hpp"

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/sha256.hpp"
#include "engine/graph/graph_changes.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine::detail {

namespace {

class Collapse {
 public:
  Collapse(const Graph& graph, CollapseTo to) : graph_(graph), to_(to), changes_(graph) {}

  Graph take() && {
    group();
    for (const Group& group : groups_) put_node(group);
    graph_.for_each_of(Kind::node, [&](RecordId id) {
      const auto found = place_.find(id);
      if (found == place_.end() || groups_[found->second].nodes.front() != id) changes_.put(id, {});
    });
    graph_.for_each_of(Kind::link, [&](RecordId id) { put_link(id); });
    return std::move(changes_).finish();
  }

 private:
  struct Group {
    RecordId owner;  // of nodes of an owner
    std::vector<RecordId> nodes;
  };

  // Groups are found in the order of their first nodes, which stand for them.
  void group() {
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> sites;
    RecordMap<std::size_t> owners;
    graph_.for_each_of(Kind::node, [&](RecordId id) {
      std::size_t* at = nullptr;
      const RecordId owner = first_owner(id);
      if (to_ == CollapseTo::owner && owner) {
        at = &owners.try_emplace(owner, groups_.size()).first->second;
      } else if (const auto place = graph_.attributes(id).coordinates();
                 to_ == CollapseTo::site && place) {
        const std::pair site(place->latitude.value, place->longitude.value);
        at = &sites.try_emplace(site, groups_.size()).first->second;
      }
      if (at == nullptr) return;
      if (*at == groups_.size()) groups_.push_back({owner, {}});
      groups_[*at].nodes.push_back(id);
      place_.emplace(id, *at);
    });
  }

  // By identifier: the order of identities is nobody's business.
  RecordId first_owner(RecordId id) const {
    RecordId first;
    for (const RecordId owner : graph_.relations(id).owners())
      if (!first || graph_.attributes(owner).id() < graph_.attributes(first).id()) first = owner;
    return first;
  }

  void put_node(const Group& group) {
    std::vector<RecordId> topologies;
    std::vector<RecordId> owners;
    for (const RecordId id : group.nodes) {
      const Relations& relations = graph_.relations(id);
      topologies.insert(topologies.end(), relations.topologies().begin(),
                        relations.topologies().end());
      owners.insert(owners.end(), relations.owners().begin(), relations.owners().end());
    }
    if (to_ == CollapseTo::owner) owners = {group.owner};
    sort_each_once(topologies);
    sort_each_once(owners);
    changes_.put(
        group.nodes.front(),
        {to_ == CollapseTo::owner ? node_of_owner(group.owner) : node_of_site(group.nodes.front()),
         Relations::make({.topologies = topologies, .owners = owners})});
  }

  AttributesPtr node_of_owner(RecordId owner) const {
    AttributeFields fields = graph_.attributes(owner).fields();
    fields.kind = Kind::node;
    fields.version.reset();
    return Attributes::make(fields);
  }

  AttributesPtr node_of_site(RecordId node) const {
    const Coordinates place = *graph_.attributes(node).coordinates();
    constexpr double kMicro = 1e6;
    const std::string name =
        fmt::format("{:.6f}, {:.6f}", static_cast<double>(place.latitude.value) / kMicro,
                    static_cast<double>(place.longitude.value) / kMicro);
    const std::string id = generated_id(Kind::node, name);
    AttributeFields fields;
    fields.kind = Kind::node;
    fields.id = id;
    fields.name = name;
    fields.coordinates = place;
    return Attributes::make(fields);
  }

  void put_link(RecordId id) {
    const Record record = graph_.record(id);
    std::vector<RecordId> ends;
    for (const RecordId end : record.relations->ends()) {
      const auto found = place_.find(end);
      if (found == place_.end()) return changes_.put(id, {});
      ends.push_back(groups_[found->second].nodes.front());
    }
    if (ends.size() != 2 || ends[0] == ends[1]) return changes_.put(id, {});
    RelationFields fields = record.relations->fields();
    fields.ends = ends;
    changes_.put(id, {record.attributes, Relations::make(fields)});
  }

  const Graph& graph_;
  const CollapseTo to_;
  GraphChanges changes_;
  std::vector<Group> groups_;
  RecordMap<std::size_t> place_;  // of a node, the group
};

}  // namespace

Graph collapsed(const Graph& graph, CollapseTo to) {
  return Collapse(graph, to).take();
}

}  // namespace netml::engine::detail
