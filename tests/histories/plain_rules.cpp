#include "tests/histories/plain_rules.hpp"

#include <algorithm>

namespace netml::test {

namespace {

std::vector<Key> with_id(const PlainMap& map, Kind kind, std::string_view id,
                         const Hidden& hidden) {
  std::vector<Key> found;
  for (const auto& [key, element] : map)
    if (element.kind == kind && element.id == id && !hidden.contains(key)) found.push_back(key);
  return found;
}

void unite(PlainMap& map, Kind kind, std::string_view id, const Hidden& hidden) {
  const std::vector<Key> same = with_id(map, kind, id, hidden);
  const Key newest =
      *std::ranges::max_element(same, {}, [&](Key key) { return std::pair(map.at(key).age, key); });
  for (const Key key : same) {
    if (key == newest) continue;
    map.at(newest).topologies.insert(map.at(key).topologies.begin(), map.at(key).topologies.end());
    map.at(newest).owners.insert(map.at(key).owners.begin(), map.at(key).owners.end());
    replace(map, key, newest);
  }
}

// The substitute takes the topologies of what it stands for, but not its owners.
void substitute(PlainMap& map, std::string_view id, std::string_view by, const Hidden& hidden) {
  for (const Key key : with_id(map, Kind::node, id, hidden)) {
    const std::vector<Key> targets = with_id(map, Kind::node, by, hidden);
    if (targets.size() != 1) return;
    map.at(targets[0])
        .topologies.insert(map.at(key).topologies.begin(), map.at(key).topologies.end());
    replace(map, key, targets[0]);
  }
}

}  // namespace

std::string_view own_rules_json() {
  return R"([{"name": "Own", "enabled": false, "rules": [
  {"name": "no n1",
   "match_criteria": [{"match_type": "Match Nodes by ID",
                       "matchinfo_set": [{"key": "ID", "value": "n1"}]}],
   "actions": [{"action_type": "Delete Node", "actioninfo_set": []}]},
  {"name": "l0 without k",
   "match_criteria": [{"match_type": "Match Links by ID",
                       "matchinfo_set": [{"key": "ID", "value": "l0"}]}],
   "actions": [{"action_type": "Delete Link Property",
                "actioninfo_set": [{"key": "name", "value": "k"}]}]},
  {"name": "n3 is n2",
   "match_criteria": [{"match_type": "Match Nodes by ID",
                       "matchinfo_set": [{"key": "ID", "value": "n3"}]}],
   "actions": [{"action_type": "Replace with Node",
                "actioninfo_set": [{"key": "ID", "value": "n2"}]}]},
  {"name": "no i2 in T1",
   "match_criteria": [{"match_type": "Match Institutions by Topology",
                       "matchinfo_set": [{"key": "Topology ID", "value": "T1"}]},
                      {"match_type": "Match Institutions by ID",
                       "matchinfo_set": [{"key": "ID", "value": "i2"}]}],
   "actions": [{"action_type": "Delete Institution", "actioninfo_set": []}]}]}])";
}

void unite_duplicates(PlainMap& map, Kind kind, const Hidden& hidden) {
  std::set<std::string> ids;
  for (const auto& [key, element] : map)
    if (element.kind == kind && !hidden.contains(key)) ids.insert(element.id);
  for (const std::string& id : ids) unite(map, kind, id, hidden);
}

void run_own_rule(PlainMap& map, std::size_t rule, const Hidden& hidden) {
  const auto each = [&](Kind kind, std::string_view id, const auto& action) {
    for (const Key key : with_id(map, kind, id, hidden)) action(key);
  };
  if (rule == 0) each(Kind::node, "n1", [&](Key key) { erase(map, key); });
  if (rule == 1) each(Kind::link, "l0", [&](Key key) { map.at(key).property.clear(); });
  if (rule == 2) substitute(map, "n3", "n2", hidden);
  if (rule == 3)
    each(Kind::institution, "i2", [&](Key key) {
      if (map.at(key).topologies.contains(find(map, Kind::topology, "T1"))) erase(map, key);
    });
}

void run_rules(PlainMap& map, bool own_rules, const Hidden& hidden) {
  for (const Kind kind : {Kind::institution, Kind::node, Kind::link})
    unite_duplicates(map, kind, hidden);
  for (std::size_t rule = 0; own_rules && rule < kOwnRules.size(); ++rule)
    run_own_rule(map, rule, hidden);
}

}  // namespace netml::test
