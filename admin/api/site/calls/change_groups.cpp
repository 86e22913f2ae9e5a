#include "admin/api/site/calls/change_groups.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <numeric>
#include <tuple>

#include "admin/history/audit_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Graph;

namespace {

constexpr std::size_t kExamples = 3;

// The topology that an element counts to; none where it is in none.
RecordId topology_of(const Graph& graph, RecordId id) {
  if (graph.kind(id) == Kind::topology) return id;
  const auto topologies = graph.relations(id).topologies();
  return topologies.empty() ? RecordId{} : topologies.front();
}

std::string_view text(const json::object& entry, const char* member) {
  return entry.at(member).as_string();
}

}  // namespace

void ChangeGroups::Group::add(std::string_view name) {
  ++count;
  if (examples.size() < kExamples && !name.empty()) examples.emplace_back(name);
}

ChangeGroups::ChangeGroups(const std::vector<json::object>& entries,
                           const engine::Difference& difference, const Graph& before,
                           const Graph& after) {
  using Key = std::tuple<std::string_view, std::string_view, wal::EffectAction>;
  std::map<Key, std::uint32_t> known;  // views into the graphs and the entries
  group_of_.reserve(entries.size() + difference.size());
  const auto group = [&](const Key& key, std::string_view topology_name) -> Group& {
    const auto [found, fresh] = known.emplace(key, static_cast<std::uint32_t>(groups_.size()));
    const auto& [topology, kind, action] = key;
    if (fresh)
      groups_.push_back(
          {std::string(topology), std::string(topology_name), std::string(kind), action, 0, {}});
    group_of_.push_back(found->second);
    return groups_[found->second];
  };
  for (const json::object& entry : entries) {
    const auto action = parse_action(text(entry, "action"));
    NETML_ASSERT(action);  // written by ourselves
    group({"", text(entry, "kind"), *action}, "").add(text(entry, "name"));
  }
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const auto [was, is] = difference.records(i);
    const Graph& graph = is ? after : before;
    const RecordId id = is ? is : was;
    const RecordId topology = topology_of(graph, id);
    const auto in = topology ? &graph.attributes(topology) : nullptr;
    group({in ? in->id() : "", kind_name(graph.kind(id)), action_between(was, is)},
          in ? in->name() : "")
        .add(graph.attributes(id).name());
  }
  sort();
}

// Those in no topology come last; kinds stay in the order of the list.
void ChangeGroups::sort() {
  std::vector<std::uint32_t> order(groups_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t index) {
    const Group& group = groups_[index];
    return std::tuple(group.topology.empty(), std::string_view(group.topology_name),
                      std::string_view(group.topology), group.action);
  });
  std::vector<std::uint32_t> place(groups_.size());
  std::vector<Group> sorted;
  for (const std::uint32_t index : order) {
    place[index] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(groups_[index]));
  }
  groups_ = std::move(sorted);
  for (std::uint32_t& group : group_of_) group = place[group];
}

json::object ChangeGroups::group_json(const Group& group, bool with_topology) {
  json::object object{{"kind", group.kind},
                      {"action", action_name(group.action)},
                      {"count", group.count},
                      {"examples", json::value_from(group.examples)}};
  if (!with_topology) return object;
  object["topology"] = group.topology.empty()
                           ? json::value()
                           : json::object{{"id", group.topology}, {"name", group.topology_name}};
  return object;
}

std::vector<ChangeGroups::Group> ChangeGroups::without_topologies() const {
  std::vector<Group> joined;
  std::map<std::tuple<wal::EffectAction, std::string_view>, std::size_t> known;
  for (const Group& group : groups_) {
    const auto [found, fresh] = known.emplace(std::tuple(group.action, group.kind), joined.size());
    if (fresh) joined.push_back({"", "", group.kind, group.action, 0, {}});
    Group& whole = joined[found->second];
    whole.count += group.count;
    for (const std::string& example : group.examples)
      if (whole.examples.size() < kExamples) whole.examples.push_back(example);
  }
  std::ranges::stable_sort(joined, {}, &Group::action);
  return joined;
}

json::array ChangeGroups::json() const {
  const bool is_many = groups_.size() > kChangeGroupsMax;
  json::array list;
  for (const Group& group : is_many ? without_topologies() : groups_)
    list.push_back(group_json(group, !is_many));
  return list;
}

std::vector<std::size_t> ChangeGroups::places(const WantedChanges& wanted) const {
  std::vector<bool> takes;
  for (const Group& group : groups_)
    takes.push_back((!wanted.action || *wanted.action == group.action) &&
                    (!wanted.kind || *wanted.kind == group.kind) &&
                    (!wanted.topology || *wanted.topology == group.topology));
  std::vector<std::size_t> found;
  for (std::size_t place = 0; place < group_of_.size(); ++place)
    if (takes[group_of_[place]]) found.push_back(place);
  return found;
}

}  // namespace netml::admin::web
