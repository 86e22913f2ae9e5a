#include "tests/histories/plain_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/graph/document.hpp"

namespace netml::test {

namespace {

std::string id_of(const PlainMap& map, Key key) {
  const auto found = map.find(key);
  return found == map.end() ? std::string() : found->second.id;
}

std::set<std::string> ids_of(const PlainMap& map, const std::set<Key>& keys) {
  std::set<std::string> ids;
  for (const Key key : keys) ids.insert(map.at(key).id);
  return ids;
}

struct Line {
  Kind kind;
  std::string_view id;
  std::string_view name;
  std::string_view property;
  bool main;
  std::multiset<std::string> topologies;
  std::multiset<std::string> owners;
  std::vector<std::string> ends;
  std::string origin;

  std::string text() const {
    return fmt::format("{} {} \"{}\" k={}{} in {} from {} owned by {} ends {}", kind_name(kind), id,
                       name, property, main ? " main" : "", fmt::join(topologies, ","), origin,
                       fmt::join(owners, ","), fmt::join(ends, "-"));
  }
};

std::string line(const PlainMap& map, const PlainElement& element) {
  Line line{element.kind, element.id, element.name, element.property,          element.main,
            {},           {},         {},           id_of(map, element.origin)};
  for (const Key key : element.topologies) line.topologies.insert(map.at(key).id);
  for (const Key key : element.owners) line.owners.insert(map.at(key).id);
  if (element.kind == Kind::link)
    for (const Key end : element.ends) line.ends.push_back(map.at(end).id);
  return line.text();
}

std::string line(const engine::Graph& graph, RecordId id) {
  const engine::Attributes& attributes = graph.attributes(id);
  const engine::Relations& relations = graph.relations(id);
  const auto id_text = [&](RecordId record) { return std::string(graph.attributes(record).id()); };
  std::string property;
  attributes.for_each_property([&](const engine::Property& each) {
    if (each.name == "k") property = each.value;
  });
  Line line{attributes.kind(),
            attributes.id(),
            attributes.name(),
            property,
            attributes.main(),
            {},
            {},
            {},
            {}};
  for (const RecordId topology : relations.topologies()) line.topologies.insert(id_text(topology));
  for (const RecordId owner : relations.owners()) line.owners.insert(id_text(owner));
  for (const RecordId end : relations.ends()) line.ends.push_back(id_text(end));
  if (graph.contains(relations.origin())) line.origin = id_text(relations.origin());
  return line.text();
}

// Of an update: only what differs.
std::string update(const PlainMap& before, const PlainMap& after, Key key) {
  const PlainElement& a = before.at(key);
  const PlainElement& b = after.at(key);
  std::string text;
  const auto value = [&](const char* field, std::string_view from, std::string_view to) {
    if (from != to) text += fmt::format(" {} {}>{}", field, from, to);
  };
  const auto set = [&](const char* field, std::set<std::string> from, std::set<std::string> to) {
    std::set<std::string> both;
    std::ranges::set_intersection(from, to, std::inserter(both, both.end()));
    for (const std::string& id : both) {
      from.erase(id);
      to.erase(id);
    }
    if (!from.empty() || !to.empty())
      text += fmt::format(" {} -{} +{}", field, fmt::join(from, ","), fmt::join(to, ","));
  };
  value("main", a.main ? "yes" : "", b.main ? "yes" : "");
  value("id", a.id, b.id);
  value("name", a.name, b.name);
  value("k", a.property, b.property);
  set("topologies", ids_of(before, a.topologies), ids_of(after, b.topologies));
  set("owners", ids_of(before, a.owners), ids_of(after, b.owners));
  if (a.ends != b.ends)
    value("ends", before.at(a.ends[0]).id + '-' + before.at(a.ends[1]).id,
          after.at(b.ends[0]).id + '-' + after.at(b.ends[1]).id);
  return text.empty() ? text : fmt::format("{} {}:{}", kind_name(a.kind), a.id, text);
}

}  // namespace

Key find(const PlainMap& map, Kind kind, std::string_view id) {
  for (const auto& [key, element] : map)
    if (element.kind == kind && element.id == id) return key;
  return 0;
}

std::vector<Key> all_of(const PlainMap& map, Kind kind) {
  std::vector<Key> found;
  for (const auto& [key, element] : map)
    if (element.kind == kind && element.id != engine::kGlobalInstitutionId) found.push_back(key);
  return found;
}

bool has_duplicates(const PlainMap& map) {
  return std::ranges::any_of(map, [&](const auto& entry) {
    return find(map, entry.second.kind, entry.second.id) != entry.first;
  });
}

bool refers(const PlainElement& element, Key target) {
  return element.topologies.contains(target) || element.owners.contains(target) ||
         std::ranges::find(element.ends, target) != element.ends.end();
}

Key parent_of(const PlainMap& map, Key topology) {
  const auto& above = map.at(topology).topologies;
  return above.empty() ? 0 : *above.begin();
}

bool is_above(const PlainMap& map, Key candidate, Key topology) {
  std::set<Key> seen;  // topologies may stand in a circle while an undo is tried
  for (Key at = topology; at != 0 && seen.insert(at).second; at = parent_of(map, at))
    if (at == candidate) return true;
  return false;
}

void erase(PlainMap& map, Key key) {
  if (!map.contains(key)) return;
  const Kind kind = map.at(key).kind;
  if (kind == Kind::topology) return erase_topologies(map, {key});
  map.erase(key);
  if (kind == Kind::institution)
    for (auto& [other, element] : map) element.owners.erase(key);
  if (kind == Kind::node)
    std::erase_if(map, [&](const auto& entry) { return refers(entry.second, key); });
}

void erase_topologies(PlainMap& map, std::set<Key> topologies) {
  for (const Key key : all_of(map, Kind::topology))
    if (std::ranges::any_of(topologies, [&](Key above) { return is_above(map, above, key); }))
      topologies.insert(key);
  std::vector<Key> homeless;
  for (auto& [key, element] : map) {
    if (element.kind == Kind::topology) continue;
    std::size_t left = 0;
    for (const Key topology : topologies) left += element.topologies.erase(topology);
    if (left != 0 && element.topologies.empty()) homeless.push_back(key);
  }
  for (const Key key : homeless) erase(map, key);
  for (const Key key : topologies) map.erase(key);
}

void replace(PlainMap& map, Key from, Key to) {
  map.erase(from);
  for (auto& [key, element] : map) {
    if (element.owners.erase(from) != 0) element.owners.insert(to);
    std::ranges::replace(element.ends, from, to);
  }
  std::erase_if(map, [&](const auto& entry) {
    return entry.second.kind == Kind::link && entry.second.ends[0] == entry.second.ends[1];
  });
}

void rename(PlainMap& map, Key from, Key to) {
  auto entry = map.extract(from);
  entry.key() = to;
  map.insert(std::move(entry));
  for (auto& [key, element] : map) {
    if (element.topologies.erase(from) != 0) element.topologies.insert(to);
    if (element.owners.erase(from) != 0) element.owners.insert(to);
    std::ranges::replace(element.ends, from, to);
    if (element.origin == from) element.origin = to;
  }
}

std::vector<std::string> lines(const PlainMap& map) {
  std::vector<std::string> found;
  for (const auto& [key, element] : map) found.push_back(line(map, element));
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> lines(const engine::Graph& graph) {
  std::vector<std::string> found;
  graph.for_each_record([&](RecordId id) { found.push_back(line(graph, id)); });
  std::ranges::sort(found);
  return found;
}

std::multiset<std::string> effects(const PlainMap& before, const PlainMap& after) {
  std::multiset<std::string> all;
  const auto is_told = [](const PlainElement& element) {
    return element.id != engine::kGlobalInstitutionId;
  };
  for (const auto& [key, element] : before) {
    if (!is_told(element)) continue;
    if (!after.contains(key))
      all.insert("- " + line(before, element));
    else if (std::string text = update(before, after, key); !text.empty())
      all.insert("~ " + text);
  }
  for (const auto& [key, element] : after)
    if (is_told(element) && !before.contains(key)) all.insert("+ " + line(after, element));
  return all;
}

}  // namespace netml::test
