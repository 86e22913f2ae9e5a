#include "tests/support/reference_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tests/support/content_lines.hpp"

namespace netml::test {

using engine::Attributes;
using engine::AttributesPtr;
using engine::Document;
using engine::DocumentIndex;
using engine::kNoIndex;
using engine::Property;

namespace {

AttributesPtr changed(const Attributes& attributes, const std::vector<Property>& properties,
                      bool main) {
  engine::AttributeFields fields = attributes.fields();
  fields.main = main;
  fields.properties = properties;
  return Attributes::make(fields);
}

bool is_marked(const Attributes& attributes) {
  return attributes.kind() != Kind::link && attributes.from_topology().has_value();
}

std::vector<int> depths(const Document& document) {
  std::vector<int> depth;
  for (const auto& topology : document.topologies)
    depth.push_back(topology.parent == kNoIndex ? 0 : depth[topology.parent] + 1);
  return depth;
}

}  // namespace

// Children before parents, siblings in file order.
std::vector<DocumentIndex> ReferenceModel::post_order(const Document& document) {
  const std::vector<int> depth = depths(document);
  std::vector<DocumentIndex> order;
  std::vector<DocumentIndex> open;
  for (DocumentIndex i = 0; i < document.topologies.size(); ++i) {
    for (; open.size() > static_cast<std::size_t>(depth[i]); open.pop_back())
      order.push_back(open.back());
    open.push_back(i);
  }
  for (; !open.empty(); open.pop_back()) order.push_back(open.back());
  return order;
}

bool ReferenceModel::import(const Document& document, const std::string& parent,
                            engine::CollisionPolicy collisions, bool propagate) {
  const std::map<Key, Record> before = records_;
  ++imports_;
  Visit visit{document, gather(document), {}, {}, {}, 0};
  visit.written.resize(document.elements.size());
  const std::vector<Key> chosen = with_id(Kind::topology, parent);
  if (!match_topologies(visit, chosen.empty() ? 0 : chosen.front())) {
    records_ = before;
    return false;
  }
  for (const DocumentIndex topology : post_order(document)) {
    visit_contents(visit, topology);
    ++visit.rank;
  }
  const std::set<Key> lost = propagate ? lost_topologies(visit) : std::set<Key>{};
  for (const Key topology : lost) {
    mark_dirty(topology);
    sweep(topology);
  }
  delete_topologies(lost);
  replace_unassociated();
  for (const Kind kind : {Kind::institution, Kind::node}) resolve_copies(kind);
  if (collisions == engine::CollisionPolicy::keep_newest)
    for (const Kind kind : {Kind::institution, Kind::node, Kind::link}) keep_newest(kind);
  if (collisions == engine::CollisionPolicy::by_rules)
    for (const engine::Rule& rule : rules_) run(rule);
  for (const Kind kind : {Kind::institution, Kind::node}) resolve_copies(kind);
  for (const Kind kind : {Kind::link, Kind::node, Kind::institution}) delete_unassociated(kind);
  if (collisions == engine::CollisionPolicy::by_rules) number_anew(visit);
  return true;
}

// ---- decision 3 ----

std::vector<AttributesPtr> ReferenceModel::gather(const Document& document) {
  const std::vector<int> depth = depths(document);
  const std::vector<DocumentIndex> order = post_order(document);
  // The instances of each element, nearest to the root first; of equally near ones the newest.
  using Place = std::tuple<int, int, DocumentIndex>;  // depth, visits after it, element
  std::map<std::pair<Kind, std::string>, std::set<Place>> groups;
  for (int rank = 0; rank < static_cast<int>(order.size()); ++rank) {
    const auto& topology = document.topologies[order[static_cast<std::size_t>(rank)]];
    for (DocumentIndex i = topology.institutions_begin; i < topology.links_end; ++i) {
      const Attributes& element = *document.elements[i].attributes;
      if (!is_marked(element))
        groups[{element.kind(), std::string(element.id())}].insert(
            {depth[order[static_cast<std::size_t>(rank)]], -rank, i});
    }
  }
  std::vector<AttributesPtr> result;
  for (const auto& element : document.elements) result.push_back(element.attributes);
  for (const auto& [key, places] : groups) {
    if (places.size() == 1) continue;
    std::map<std::string_view, std::vector<std::string_view>> shared;
    for (const auto& [near, later, index] : places) {
      std::map<std::string_view, std::vector<std::string_view>> own;
      document.elements[index].attributes->for_each_property([&](const Property& property) {
        if (!property.name.starts_with("!-")) own[property.name].push_back(property.value);
      });
      for (const auto& [name, values] : own) {
        const auto [entry, added] = shared.try_emplace(name, values);
        if (added || name != "tag") continue;
        for (const std::string_view value : values)
          if (std::ranges::find(entry->second, value) == entry->second.end())
            entry->second.push_back(value);
      }
    }
    for (const auto& [near, later, index] : places) {
      std::vector<Property> properties;
      for (const auto& [name, values] : shared)
        for (const std::string_view value : values) properties.push_back({name, value});
      document.elements[index].attributes->for_each_property([&](const Property& property) {
        if (property.name.starts_with("!-")) properties.push_back(property);
      });
      result[index] = changed(*document.elements[index].attributes, properties, false);
    }
  }
  return result;
}

// ---- topologies ----

std::set<ReferenceModel::Key> ReferenceModel::candidates_by_name(const Visit& visit,
                                                                 DocumentIndex topology,
                                                                 Key parent) const {
  std::set<Key> candidates;
  for (const auto& [key, record] : records_) {
    if (record.kind != Kind::topology || record.parent != parent || visit.visited.contains(key))
      continue;
    const bool meant_by_id = std::ranges::any_of(visit.document.topologies, [&](const auto& other) {
      return other.attributes->id() == record.attributes->id();
    });
    if (!meant_by_id &&
        record.attributes->name() == visit.document.topologies[topology].attributes->name())
      candidates.insert(key);
  }
  return candidates;
}

bool ReferenceModel::match_topologies(Visit& visit, Key parent_of_root) {
  for (DocumentIndex i = 0; i < visit.document.topologies.size(); ++i) {
    const auto& topology = visit.document.topologies[i];
    const Key parent =
        topology.parent == kNoIndex ? parent_of_root : visit.topologies[topology.parent];
    const std::vector<Key> same_id = with_id(Kind::topology, topology.attributes->id());
    std::set<Key> candidates(same_id.begin(), same_id.end());
    for (const Key visited : visit.visited) candidates.erase(visited);
    if (candidates.empty()) candidates = candidates_by_name(visit, i, parent);
    if (candidates.size() > 1) return false;
    Key key = candidates.empty() ? 0 : *candidates.begin();
    if (key == 0) {
      const bool first = records_.empty();
      key = next_++;
      Record record;
      record.attributes = changed(*topology.attributes, {}, first);
      record.import = imports_;
      record.age = {imports_, -1, Kind::topology};
      records_[key] = record;
    }
    place(visit, i, key, parent);
  }
  return true;
}

void ReferenceModel::place(Visit& visit, DocumentIndex topology, Key key, Key parent) {
  Record& record = records_.at(key);
  const Attributes& attributes = *visit.document.topologies[topology].attributes;
  record.attributes = changed(attributes, attributes.properties(), record.attributes->main());
  if (parent == key) parent = 0;
  if (!is_above(key, parent)) record.parent = parent;
  visit.topologies.push_back(key);
  visit.visited.insert(key);
  record.origin = visit.topologies.front();
}

bool ReferenceModel::is_above(Key candidate, Key topology) const {
  for (Key at = topology; at != 0; at = records_.at(at).parent)
    if (at == candidate) return true;
  return false;
}

std::set<ReferenceModel::Key> ReferenceModel::lost_topologies(const Visit& visit) const {
  std::set<Key> lost;
  for (std::size_t before = 1; lost.size() != before;) {
    before = lost.size();
    for (const auto& [key, record] : records_)
      if (record.kind == Kind::topology && record.origin == visit.topologies.front() &&
          !visit.visited.contains(key) && !is_above(key, visit.topologies.front()) &&
          (visit.visited.contains(record.parent) || lost.contains(record.parent)))
        lost.insert(key);
    if (lost.empty()) break;
  }
  return lost;
}

void ReferenceModel::delete_topologies(const std::set<Key>& lost) {
  for (auto& [key, record] : records_)
    if (record.kind == Kind::topology && !lost.contains(key))
      while (lost.contains(record.parent)) record.parent = records_.at(record.parent).parent;
  for (const Key key : lost) records_.erase(key);
}

// ---- contents of one topology ----

void ReferenceModel::visit_contents(Visit& visit, DocumentIndex index) {
  const auto& topology = visit.document.topologies[index];
  const Key key = visit.topologies[index];
  mark_dirty(key);
  for (DocumentIndex i = topology.institutions_begin; i < topology.nodes_begin; ++i)
    write(visit, key, i, Kind::institution);
  records_.at(key).owners = {visit.written[topology.owner]};
  for (DocumentIndex i = topology.nodes_begin; i < topology.links_begin; ++i)
    write(visit, key, i, Kind::node);
  for (DocumentIndex i = topology.links_begin; i < topology.links_end; ++i)
    write(visit, key, i, Kind::link);
  sweep(key);
}

void ReferenceModel::mark_dirty(Key topology) {
  for (auto& [key, record] : records_)
    if (record.topologies.contains(topology)) record.dirty = true;
}

void ReferenceModel::write(Visit& visit, Key topology, DocumentIndex element, Kind kind) {
  Record record;
  record.kind = kind;
  record.attributes = visit.elements[element];
  record.topologies = {topology};
  record.import = imports_;
  record.age = {imports_, visit.rank, kind};
  const auto& source = visit.document.elements[element];
  for (const DocumentIndex owner : visit.document.owners_of(source))
    record.owners.insert(visit.written[owner]);
  if (kind == Kind::link) {
    for (int end : {0, 1}) record.ends[end] = visit.written[source.ends[end]];
    if (id(record.ends[1]) < id(record.ends[0])) std::swap(record.ends[0], record.ends[1]);
  }
  visit.written[element] = next_;
  records_[next_++] = record;
}

// Takes dirty records out of the topology. One that is left in none is replaced by the newest that
// this import wrote, if it has written one yet.
void ReferenceModel::sweep(Key topology) {
  for (const Kind kind : {Kind::link, Kind::node, Kind::institution}) {
    std::set<Key> orphans;
    for (auto& [key, record] : records_)
      if (record.kind == kind && record.dirty && record.topologies.erase(topology) == 1 &&
          record.topologies.empty())
        orphans.insert(key);
    for (const Key orphan : orphans) {
      if (const Key heir = newest_written(kind, id(orphan)))
        replace(orphan, heir);
      else
        unassociated_.insert(orphan);
    }
  }
}

void ReferenceModel::replace_unassociated() {
  for (const Key key : std::set<Key>(unassociated_)) {
    const Key heir = newest_written(records_.at(key).kind, id(key));
    if (heir == 0) continue;
    replace(key, heir);
    unassociated_.erase(key);
  }
}

void ReferenceModel::delete_unassociated(Kind kind) {
  for (const Key key : std::set<Key>(unassociated_)) {
    if (records_.contains(key) && records_.at(key).kind != kind) continue;
    if (records_.contains(key)) remove(key);  // else it fell with a node
    unassociated_.erase(key);
  }
}

// ---- copies and duplicates ----

// The records that a copy could be a copy of.
std::vector<ReferenceModel::Key> ReferenceModel::originals_of(Key copy) const {
  const Record& record = records_.at(copy);
  const auto named = engine::split_from_topology(*record.attributes->from_topology());
  std::vector<Key> originals;
  for (const Key other : with_id(record.kind, id(copy))) {
    const bool listed = std::ranges::any_of(records_.at(other).topologies, [&](Key topology) {
      return std::ranges::find(named, id(topology)) != named.end();
    });
    if (other != copy && listed) originals.push_back(other);
  }
  return originals;
}

void ReferenceModel::resolve_copies(Kind kind) {
  for (bool resolved = true; resolved;) {
    resolved = false;
    std::vector<Key> copies;
    for (const auto& [key, record] : records_)
      if (record.kind == kind && is_copy(key) && !unassociated_.contains(key))
        copies.push_back(key);
    for (const Key copy : copies) {
      const std::vector<Key> originals = originals_of(copy);
      if (originals.size() != 1) continue;
      replace(copy, originals.front());
      resolved = true;
    }
  }
}

int ReferenceModel::standing(Key key) const {
  if (!is_copy(key)) return 2;
  return originals_of(key).empty() ? 1 : 0;
}

void ReferenceModel::keep_newest(Kind kind) {
  std::set<std::string> ids;
  for (const auto& [key, record] : records_)
    if (record.kind == kind) ids.emplace(id(key));
  for (const std::string& same : ids) {
    std::set<std::pair<int, Key>> keys;
    for (const Key key : with_id(kind, same)) keys.emplace(standing(key), key);
    const auto [best, winner] = *keys.rbegin();
    for (const auto& [standing, key] : keys) {
      if (key == winner) continue;
      if (standing == best) {
        records_.at(winner).topologies.merge(std::set(records_.at(key).topologies));
        records_.at(winner).owners.merge(std::set(records_.at(key).owners));
      }
      replace(key, winner);
    }
  }
}

// ---- records ----

std::vector<ReferenceModel::Key> ReferenceModel::with_id(Kind kind, std::string_view wanted) const {
  std::vector<Key> keys;
  for (const auto& [key, record] : records_)
    if (record.kind == kind && record.attributes->id() == wanted) keys.push_back(key);
  return keys;
}

ReferenceModel::Key ReferenceModel::newest_written(Kind kind, std::string_view wanted) const {
  Key newest = 0;
  for (const Key key : with_id(kind, wanted))
    if (records_.at(key).import == imports_) newest = key;
  return newest;
}

bool ReferenceModel::is_copy(Key key) const {
  return is_marked(*records_.at(key).attributes);
}

// docs/requirements/importing.md, section 1.5, without unions.
void ReferenceModel::replace(Key from, Key to) {
  std::set<Key> collapsed;
  for (auto& [key, record] : records_) {
    if (record.owners.erase(from) == 1) record.owners.insert(to);
    if (record.kind != Kind::link) continue;
    std::ranges::replace(record.ends, from, to);
    if (record.ends[0] == record.ends[1]) collapsed.insert(key);
  }
  for (const Key link : collapsed) records_.erase(link);
  records_.erase(from);
}

// docs/requirements/importing.md, section 1.4.
void ReferenceModel::remove(Key gone) {
  for (auto& [key, record] : records_) record.owners.erase(gone);
  std::erase_if(records_, [&](const auto& entry) {
    const Record& record = entry.second;
    return entry.first == gone ||
           (record.kind == Kind::link && (record.ends[0] == gone || record.ends[1] == gone));
  });
}

// ---- as text ----

std::string ReferenceModel::named(Key key) const {
  const Record& record = records_.at(key);
  std::vector<std::string> topologies;
  for (const Key topology : record.topologies) topologies.emplace_back(id(topology));
  if (record.parent != 0) topologies.emplace_back(id(record.parent));
  return fmt::format("{}@{}", id(key), list_text(std::move(topologies)));
}

std::vector<std::string> ReferenceModel::lines() const {
  std::map<std::tuple<Kind, std::string_view, Key>, std::string> sorted;
  for (const auto& [key, record] : records_) {
    std::vector<std::string> owners;
    for (const Key owner : record.owners) owners.push_back(named(owner));
    std::string ends;
    if (record.kind == Kind::link)
      for (const Key end : record.ends) ends += ' ' + named(end);
    sorted[{record.kind, id(key), key}] =
        fmt::format("{} {} {} owners{} ends({}) origin({})", kind_name(record.kind), named(key),
                    attributes_text(*record.attributes), list_text(std::move(owners)), ends,
                    records_.contains(record.origin) ? id(record.origin) : std::string_view());
  }
  std::vector<std::string> lines;
  for (const auto& [key, text] : sorted) lines.push_back(text);
  return lines;
}

}  // namespace netml::test
