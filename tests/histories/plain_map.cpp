#include "tests/histories/plain_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/document.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {

namespace {

std::set<std::string> ids_of(const PlainMap& map, const std::set<Key>& keys) {
  std::set<std::string> ids;
  for (const Key key : keys) ids.insert(map.at(key).id);
  return ids;
}

std::string line(Kind kind, std::string_view id, std::string_view name, std::string_view property,
                 bool main, const std::set<std::string>& topologies,
                 const std::set<std::string>& owners, const std::vector<std::string>& ends) {
  return fmt::format("{} {} \"{}\" k={}{} in {} owned by {} ends {}", kind_name(kind), id, name,
                     property, main ? " main" : "", fmt::join(topologies, ","),
                     fmt::join(owners, ","), fmt::join(ends, "-"));
}

std::string line(const PlainMap& map, const PlainElement& element) {
  std::vector<std::string> ends;
  if (element.kind == Kind::link)
    for (const Key end : element.ends) ends.push_back(map.at(end).id);
  return line(element.kind, element.id, element.name, element.property, element.main,
              ids_of(map, element.topologies), ids_of(map, element.owners), ends);
}

// The file's own elements, and the institution that is in every topology of every file.
std::vector<PlainFile::Element> all_elements(const PlainFile& file) {
  PlainFile::Element global;
  global.kind = Kind::institution;
  global.id = engine::kGlobalInstitutionId;
  global.name = "GREN";
  std::vector<PlainFile::Element> elements{global};
  elements.insert(elements.end(), file.elements.begin(), file.elements.end());
  return elements;
}

Key import_topology(PlainMap& map, const PlainFile& file, Key& next) {
  Key key = find(map, Kind::topology, file.id);
  const bool first = std::ranges::none_of(
      map, [](const auto& entry) { return entry.second.kind == Kind::topology; });
  if (key == 0) {
    key = next++;
    map[key].id = file.id;
    map[key].main = first;
  }
  PlainElement& topology = map[key];
  topology.name = file.name;
  topology.property.clear();
  topology.topologies.clear();
  topology.origin = key;
  return key;
}

// What belongs to another topology as well keeps the owners that it has there.
Key import_element(PlainMap& map, const PlainFile::Element& element, Key topology, Key& next) {
  Key key = find(map, element.kind, element.id);
  if (key == 0) key = next++;
  PlainElement& stored = map[key];
  const bool elsewhere =
      std::ranges::any_of(stored.topologies, [&](Key other) { return other != topology; });
  if (!elsewhere) stored.owners.clear();
  stored.kind = element.kind;
  stored.id = element.id;
  stored.name = element.name;
  stored.property = element.property;
  stored.topologies.insert(topology);
  for (const std::string& owner : element.owners)
    stored.owners.insert(find(map, Kind::institution, owner));
  if (element.kind == Kind::link)
    for (std::size_t i = 0; i < 2; ++i) stored.ends[i] = find(map, Kind::node, element.ends[i]);
  return key;
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

std::string PlainFile::xml() const {
  TopologyText text(id, owner);
  text.named(name);
  for (const Element& element : elements) {
    ElementText part = element.kind == Kind::institution ? institution(element.id)
                       : element.kind == Kind::node
                           ? node(element.id)
                           : link(element.id, element.ends[0], element.ends[1]);
    part.named(element.name);
    if (!element.property.empty()) part.with("k", element.property);
    for (const std::string& owned : element.owners) part.owned_by(owned);
    text.add(part);
  }
  return text;
}

Key find(const PlainMap& map, Kind kind, std::string_view id) {
  for (const auto& [key, element] : map)
    if (element.kind == kind && element.id == id) return key;
  return 0;
}

bool refers(const PlainElement& element, Key target) {
  return element.topologies.contains(target) || element.owners.contains(target) ||
         std::ranges::find(element.ends, target) != element.ends.end();
}

PlainMap imported(PlainMap map, const PlainFile& file, Key& next) {
  const Key topology = import_topology(map, file, next);
  std::set<Key> told;
  for (const PlainFile::Element& element : all_elements(file))
    told.insert(import_element(map, element, topology, next));
  map[topology].owners = {find(map, Kind::institution, file.owner)};
  std::vector<Key> homeless;
  for (auto& [key, element] : map) {
    if (element.kind == Kind::topology || told.contains(key)) continue;
    if (element.topologies.erase(topology) != 0 && element.topologies.empty())
      homeless.push_back(key);
  }
  for (const Key key : homeless) erase(map, key);
  return map;
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
  for (bool more = true; more;) {
    more = false;
    for (const auto& [key, element] : map)
      if (element.kind == Kind::topology && !topologies.contains(key) &&
          std::ranges::any_of(element.topologies,
                              [&](Key parent) { return topologies.contains(parent); }))
        more = topologies.insert(key).second;
  }
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

std::vector<std::string> lines(const PlainMap& map) {
  std::vector<std::string> found;
  for (const auto& [key, element] : map) found.push_back(line(map, element));
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> lines(const engine::Graph& graph) {
  std::vector<std::string> found;
  const auto ids = [&](std::span<const RecordId> records) {
    std::set<std::string> texts;
    for (const RecordId id : records) texts.emplace(graph.attributes(id).id());
    return texts;
  };
  graph.for_each_record([&](RecordId id) {
    const engine::Attributes& attributes = graph.attributes(id);
    const engine::Relations& relations = graph.relations(id);
    std::string property;
    attributes.for_each_property([&](const engine::Property& each) {
      if (each.name == "k") property = each.value;
    });
    std::vector<std::string> ends;
    for (const RecordId end : relations.ends()) ends.emplace_back(graph.attributes(end).id());
    found.push_back(line(attributes.kind(), attributes.id(), attributes.name(), property,
                         attributes.main(), ids(relations.topologies()), ids(relations.owners()),
                         ends));
  });
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
