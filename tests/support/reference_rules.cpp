// Collation rules of the reference model, as docs/requirements/collation-rules.md, sections 2 to 4,
// tells them: sets that are narrowed, records that are changed one by one.
#include <algorithm>

#include "tests/support/reference_model.hpp"

namespace netml::test {

using engine::ActionKind;
using engine::AttributeFields;
using engine::Attributes;
using engine::AttributesPtr;
using engine::MatchKind;
using engine::Property;

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

AttributesPtr without(const Attributes& attributes, const std::string& name,
                      std::optional<std::string_view> value) {
  std::vector<Property> kept;
  attributes.for_each_property([&](const Property& property) {
    if (property.name != name || (value && property.value != *value)) kept.push_back(property);
  });
  AttributeFields fields = attributes.fields();
  fields.properties = kept;
  return Attributes::make(fields);
}

AttributesPtr filled(const Attributes& target, const Attributes& source) {
  AttributeFields fields = target.fields();
  const AttributeFields other = source.fields();
  if (fields.short_name.empty()) fields.short_name = other.short_name;
  if (!fields.version) fields.version = other.version;
  if (!fields.start) fields.start = other.start;
  if (!fields.end) fields.end = other.end;
  if (!fields.coordinates && !fields.altitude && fields.unlocode.empty() &&
      fields.address.empty()) {
    fields.coordinates = other.coordinates;
    fields.altitude = other.altitude;
    fields.unlocode = other.unlocode;
    fields.address = other.address;
  }
  std::set<std::string_view> names;
  std::set<std::string_view> tags;
  target.for_each_property([&](const Property& property) {
    names.insert(property.name);
    if (property.name == "tag") tags.insert(property.value);
  });
  std::vector<Property> properties = target.properties();
  source.for_each_property([&](const Property& property) {
    const bool mark = property.name == "!-from_topology";
    const bool new_tag = property.name == "tag" && !tags.contains(property.value);
    if (!mark && (new_tag || !names.contains(property.name))) properties.push_back(property);
  });
  fields.properties = properties;
  return Attributes::make(fields);
}

}  // namespace

void ReferenceModel::run_rules() {
  for (const engine::Rule& rule : rules_) run(rule);
  for (const Kind kind : {Kind::institution, Kind::node}) resolve_copies(kind);
}

void ReferenceModel::change(Kind kind, std::string_view id, AttributesPtr attributes) {
  records_.at(with_id(kind, id).front()).attributes = std::move(attributes);
}

void ReferenceModel::delete_newest(Kind kind, std::string_view id) {
  remove(with_id(kind, id).front());
}

void ReferenceModel::add_node(AttributesPtr attributes, std::string_view topology,
                              std::string_view owner) {
  Record record;
  record.kind = Kind::node;
  record.attributes = std::move(attributes);
  record.topologies = {with_id(Kind::topology, topology).front()};
  record.owners = {with_id(Kind::institution, owner).front()};
  records_[next_++] = record;
}

void ReferenceModel::run(const engine::Rule& rule) {
  const Kind kind = engine::rule_element(rule);
  std::set<Key> matched;
  for (const auto& [key, record] : records_)
    if (record.kind == kind && !unassociated_.contains(key)) matched.insert(key);
  for (const engine::MatchCriterion& criterion : rule.criteria) narrow(matched, criterion);
  for (const Key key : matched) {
    Key at = key;
    for (const engine::Action& action : rule.actions)
      if (at != 0 && records_.contains(at)) at = perform(action, at);
  }
}

void ReferenceModel::narrow(std::set<Key>& keys, const engine::RulePart& criterion) const {
  const MatchKind match = engine::find_match_type(criterion.type)->kind;
  std::map<std::string_view, int> counts;
  for (const Key key : keys) ++counts[id(key)];
  std::erase_if(keys, [&](Key key) {
    switch (match) {
      case MatchKind::by_id:
        return id(key) != *criterion.value("ID");
      case MatchKind::by_topology:
        return !belongs_to(key, *criterion.value("Topology ID"));
      case MatchKind::half_links:  // the model has none
        return true;
      case MatchKind::duplicates:
        break;
    }
    return counts.at(id(key)) < 2;
  });
}

bool ReferenceModel::belongs_to(Key key, std::string_view topology) const {
  return std::ranges::any_of(records_.at(key).topologies,
                             [&](Key home) { return id(home) == topology; });
}

ReferenceModel::Key ReferenceModel::perform(const engine::Action& action, Key key) {
  Record& record = records_.at(key);
  switch (engine::find_action_type(action.type)->kind) {
    case ActionKind::remove:
      remove(key);
      return 0;
    case ActionKind::remove_property:
      record.attributes =
          without(*record.attributes, lower(*action.value("name")), action.value("value"));
      return key;
    case ActionKind::remove_tag:
      record.attributes = without(*record.attributes, "tag", action.value("value"));
      return key;
    case ActionKind::replace:
      return substitute(action, false, key);
    case ActionKind::merge:
      return substitute(action, true, key);
    case ActionKind::join_half_links:
      return key;
    case ActionKind::keep_newest:
      break;
  }
  return keep_newest_of(key);
}

ReferenceModel::Key ReferenceModel::substitute(const engine::Action& action, bool merging,
                                               Key source) {
  std::vector<Key> found = with_id(records_.at(source).kind, *action.value("ID"));
  const auto topology = action.value("Topology ID");
  std::erase_if(found, [&](Key key) {
    return unassociated_.contains(key) || (topology && !belongs_to(key, *topology));
  });
  if (found.size() != 1 || found.front() == source) return 0;
  const Key target = found.front();
  Record& kept = records_.at(target);
  const Record& lost = records_.at(source);
  const std::set<Key> ends{kept.ends[0], kept.ends[1]};
  if (ends != std::set<Key>{lost.ends[0], lost.ends[1]}) return 0;
  if (merging) kept.attributes = filled(*kept.attributes, *lost.attributes);
  unite(target, source, merging);
  replace(source, target);
  return target;
}

ReferenceModel::Key ReferenceModel::keep_newest_of(Key key) {
  std::vector<Key> same = with_id(records_.at(key).kind, id(key));
  std::erase_if(same, [&](Key other) { return unassociated_.contains(other); });
  std::set<std::pair<int, Key>> ranked;
  for (const Key other : same) ranked.emplace(standing(other), other);
  const auto [best, winner] = *ranked.rbegin();
  for (const auto& [standing, loser] : ranked) {
    if (loser == winner) continue;
    if (standing == best) unite(winner, loser, true);
    replace(loser, winner);
  }
  return winner;
}

void ReferenceModel::unite(Key target, Key source, bool owners) {
  Record& kept = records_.at(target);
  kept.topologies.merge(std::set(records_.at(source).topologies));
  if (owners) kept.owners.merge(std::set(records_.at(source).owners));
}

// What belongs to a topology that the import visited is as new as that visit (decision 8), also
// what a rule has brought there.
void ReferenceModel::number_anew(const Visit& visit) {
  std::map<Key, Key> fresh;
  for (const engine::DocumentIndex topology : post_order(visit.document))
    for (const Kind kind : {Kind::institution, Kind::node, Kind::link})
      for (const auto& [key, record] : records_)
        if (record.kind == kind && record.topologies.contains(visit.topologies[topology]))
          fresh[key] = next_++;
  const auto renamed = [&](Key key) { return fresh.contains(key) ? fresh.at(key) : key; };
  std::map<Key, Record> records;
  for (auto& [key, record] : records_) {
    std::set<Key> owners;
    for (const Key owner : record.owners) owners.insert(renamed(owner));
    record.owners = owners;
    for (Key& end : record.ends) end = renamed(end);
    records.emplace(renamed(key), record);
  }
  records_ = std::move(records);
}

}  // namespace netml::test
