#include "engine/transaction/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/graph/record_sets.hpp"

namespace netml::engine {

namespace {
bool refers_to(const Record& record, RecordId target) {
  const Relations& relations = *record.relations;
  return std::ranges::binary_search(relations.topologies(), target) ||
         std::ranges::find(relations.owners(), target) != relations.owners().end() ||
         std::ranges::find(relations.ends(), target) != relations.ends().end();
}

std::vector<RecordId> replaced(std::span<const RecordId> ids, RecordId from, RecordId to) {
  std::vector<RecordId> result(ids.begin(), ids.end());
  std::erase(result, from);
  if (to) result.insert(std::ranges::lower_bound(result, to), to);
  const auto rest = std::ranges::unique(result);
  result.erase(rest.begin(), rest.end());
  return result;
}
}  // namespace

Workspace::Workspace(const State& base) : base_(base), next_number_(base.graph.next_number()) {}

Record Workspace::record(RecordId id) const {
  const RecordId first_created = base_.graph.next_id();
  if (id >= first_created) {
    const std::size_t index = id.value - first_created.value;
    return index < created_.size() ? created_[index].after : Record{};
  }
  const auto found = changed_.find(id);
  return found == changed_.end() ? base_.graph.record(id) : found->second;
}

bool Workspace::contains(RecordId id) const {
  if (id >= base_.graph.next_id() || changed_.contains(id)) return static_cast<bool>(record(id));
  return base_.graph.contains(id);
}

std::string Workspace::describe(RecordId id) const {
  const Record now = record(id);
  const RecordNumber number = base_.graph.number(id);
  if (!now) return fmt::format("[{}]", number.value);
  if (!number) return fmt::format("{} <{}>", now.attributes->name(), now.id());
  return fmt::format("{} <{}> [{}]", now.attributes->name(), now.id(), number.value);
}

RecordId Workspace::create(Record record) {
  const RecordId id{base_.graph.next_id().value + static_cast<std::uint32_t>(created_.size())};
  if (edges_indexed_) note_edges(id, record);
  if (ids_indexed_) note_id(id, record);
  created_.push_back({id, Record{}, std::move(record)});
  return id;
}

void Workspace::put(RecordId id, Record record) {
  if (edges_indexed_ && record) note_edges(id, record);
  if (ids_indexed_ && record) note_id(id, record);
  const RecordId first_created = base_.graph.next_id();
  if (id >= first_created)
    created_[id.value - first_created.value].after = std::move(record);
  else
    changed_.insert_or_assign(id, std::move(record));
}

void Workspace::put_relations(RecordId id, const RelationFields& relations) {
  put(id, Record{record(id).attributes, Relations::make(relations)});
}

void Workspace::note_edges(RecordId source, const Record& record) {
  for (const auto& list :
       {record.relations->topologies(), record.relations->owners(), record.relations->ends()})
    for (const RecordId target : list) edges_to_[target].push_back(source);
}

void Workspace::index_edges() {
  if (edges_indexed_) return;
  edges_indexed_ = true;
  for (const auto& [id, record] : changed_)
    if (record) note_edges(id, record);
  for (const RecordChange& created : created_)
    if (created.after) note_edges(created.id, created.after);
}

std::vector<RecordId> Workspace::referrers(RecordId target) {
  index_edges();
  std::vector<RecordId> sources = base_.graph.referrers(target);
  if (const auto found = edges_to_.find(target); found != edges_to_.end())
    sources.insert(sources.end(), found->second.begin(), found->second.end());
  sort_each_once(sources);
  std::erase_if(sources, [&](RecordId source) {
    const Record now = record(source);
    return !now || !refers_to(now, target);
  });
  return sources;
}

namespace {
bool is_called(const Record& record, Kind kind, std::string_view id) {
  return record && record.kind() == kind && record.id() == id;
}
}  // namespace

void Workspace::note_id(RecordId id, const Record& record) {
  if (base_.graph.contains(id) && base_.graph.attributes(id).id() == record.id()) return;
  std::uint32_t& last = last_id_entry_[id_hash(record.kind(), record.id())];
  id_entries_.push_back({id, last});
  last = static_cast<std::uint32_t>(id_entries_.size());
}

void Workspace::index_ids() {
  if (ids_indexed_) return;
  ids_indexed_ = true;
  last_id_entry_.reserve(created_.size());
  for (const auto& [id, record] : changed_)
    if (record) note_id(id, record);
  for (const RecordChange& created : created_)
    if (created.after) note_id(created.id, created.after);
}

std::vector<RecordId> Workspace::find(Kind kind, std::string_view id) {
  index_ids();
  std::vector<RecordId> found = base_.graph.find(kind, id);
  if (const auto last = last_id_entry_.find(id_hash(kind, id)); last != last_id_entry_.end())
    for (std::uint32_t at = last->second; at != 0; at = id_entries_[at - 1].next)
      found.push_back(id_entries_[at - 1].record);
  std::erase_if(found, [&](RecordId candidate) {
    return hidden_.contains(candidate) || !is_called(record(candidate), kind, id);
  });
  sort_each_once(found);
  return found;
}

RecordId Workspace::find_newest(Kind kind, std::string_view id) {
  const std::vector<RecordId> found = find(kind, id);
  const auto age_of = [this](RecordId record) { return age(record); };
  return found.empty() ? RecordId() : *std::ranges::max_element(found, {}, age_of);
}

std::vector<std::vector<RecordId>> Workspace::duplicates(Kind kind) {
  index_ids();
  std::vector<std::vector<RecordId>> groups;
  const auto add = [&](std::string_view id) {
    std::vector<RecordId> group = find(kind, id);
    if (group.size() > 1) groups.push_back(std::move(group));
  };
  for (const std::vector<RecordId>& group : base_.graph.duplicates(kind))
    add(base_.graph.attributes(group.front()).id());
  const auto in_base = [&](std::string_view id) {
    bool found = false;
    base_.graph.for_each_with_id(kind, id, [&](RecordId) { return !(found = true); });
    return found;
  };
  for (const auto& [hash, last] : last_id_entry_) {
    const bool alone = id_entries_[last - 1].next == 0;
    if (alone && base_.graph.count(kind) == 0) continue;  // nothing it could be a duplicate of
    for (std::uint32_t at = last; at != 0; at = id_entries_[at - 1].next)
      if (const Record now = record(id_entries_[at - 1].record); now && now.kind() == kind)
        if (!alone || in_base(now.id())) add(now.id());
  }
  std::ranges::sort(groups, {}, [](const auto& group) { return group.front(); });
  const auto repeated = std::ranges::unique(groups);
  groups.erase(repeated.begin(), repeated.end());
  return groups;
}

std::vector<RecordId> Workspace::members(RecordId topology, Kind kind) {
  std::vector<RecordId> members = referrers(topology);
  std::erase_if(members, [&](RecordId member) {
    return hidden_.contains(member) || record(member).kind() != kind;
  });
  return members;
}

std::vector<RecordId> Workspace::records(Kind kind) const {
  std::vector<RecordId> records;
  base_.graph.for_each_of(kind, [&](RecordId id) {
    if (!hidden_.contains(id) && contains(id)) records.push_back(id);
  });
  for (const RecordChange& created : created_)
    if (created.after && created.after.kind() == kind && !hidden_.contains(created.id))
      records.push_back(created.id);
  return records;
}

std::vector<RecordId> Workspace::copies() const {
  std::vector<RecordId> copies = base_.graph.copies();
  const auto is_copy = [](const Record& record) { return record && record.attributes->is_copy(); };
  for (const auto& [id, record] : changed_)
    if (is_copy(record)) copies.push_back(id);
  for (const RecordChange& created : created_)
    if (is_copy(created.after)) copies.push_back(created.id);
  std::erase_if(copies, [&](RecordId id) { return hidden_.contains(id) || !is_copy(record(id)); });
  sort_each_once(copies);
  return copies;
}

// Topologies are renumbered one after the other, and the last one gives an element its number.
Workspace::Age Workspace::age(RecordId id) const {
  Age age{base_.graph.number(id).value, id};
  for (const RecordId topology : record(id).relations->topologies())
    if (const auto rank = renumbering_rank_.find(topology); rank != renumbering_rank_.end())
      age.number = std::max(age.number, next_number_.value + rank->second);
  return age;
}

std::vector<RecordId> Workspace::remove_node(RecordId node) {
  std::vector<RecordId> links = referrers(node);
  for (const RecordId link : links) remove_link(link);
  put(node, Record{});
  return links;
}

void Workspace::remove_institution(RecordId institution) {
  for (const RecordId owned : referrers(institution)) {
    const RelationsPtr relations = record(owned).relations;
    RelationFields fields = relations->fields();
    const std::vector<RecordId> owners = replaced(fields.owners, institution, RecordId{});
    fields.owners = owners;
    put_relations(owned, fields);
  }
  put(institution, Record{});
}

void Workspace::remove_element(RecordId element) {
  switch (record(element).kind()) {
    case Kind::institution:
      return remove_institution(element);
    case Kind::node:
      remove_node(element);
      return;
    case Kind::link:
      return remove_link(element);
    case Kind::topology:
      NETML_ASSERT(false && "a topology is no element");
  }
}

namespace {
// Cuts the element's associations with `deleted`, which is sorted. False when none is left.
bool stays(Workspace& workspace, RecordId element, const std::vector<RecordId>& deleted) {
  const RelationsPtr relations = workspace.record(element).relations;
  RelationFields fields = relations->fields();
  std::vector<RecordId> rest;
  std::ranges::set_difference(fields.topologies, deleted, std::back_inserter(rest));
  if (rest.empty()) return false;
  fields.topologies = rest;
  workspace.put_relations(element, fields);
  return true;
}
}  // namespace

void Workspace::remove_topologies(std::vector<RecordId> topologies) {
  RecordSet known(topologies.begin(), topologies.end());
  for (std::size_t i = 0; i < topologies.size(); ++i)
    for (const RecordId child : members(topologies[i], Kind::topology))
      if (known.insert(child).second) topologies.push_back(child);
  std::ranges::sort(topologies);
  for (const Kind kind : {Kind::link, Kind::node, Kind::institution})
    for (const RecordId topology : topologies)
      for (const RecordId element : members(topology, kind))
        if (contains(element) && !stays(*this, element, topologies)) remove_element(element);
  for (const RecordId topology : topologies) remove_topology(topology);
}

std::vector<RecordId> Workspace::forward(RecordId from, RecordId to) {
  std::vector<RecordId> collapsed;
  for (const RecordId source : referrers(from)) {
    const RelationsPtr relations = record(source).relations;
    RelationFields fields = relations->fields();
    const std::vector<RecordId> owners = replaced(fields.owners, from, to);
    if (std::ranges::find(fields.owners, from) != fields.owners.end()) fields.owners = owners;
    std::vector<RecordId> ends(fields.ends.begin(), fields.ends.end());
    std::ranges::replace(ends, from, to);
    fields.ends = ends;
    if (ends.size() == 2 && ends[0] == ends[1]) {
      remove_link(source);
      collapsed.push_back(source);
    } else {
      put_relations(source, fields);
    }
  }
  put(from, Record{});
  return collapsed;
}

void Workspace::unmark_main(RecordId topology) {
  const Record marked = record(topology);
  put(topology, {with_main(marked.attributes, false), marked.relations});
}

RecordNumber Workspace::take_number() {
  const RecordNumber number = next_number_;
  ++next_number_.value;
  return number;
}

std::vector<RecordChange> Workspace::collect_changes() {
  std::vector<RecordChange> changes;
  changes.reserve(changed_.size());
  for (auto& [id, after] : changed_) {
    Record before = base_.graph.record(id);
    if (!(before == after)) changes.push_back({id, std::move(before), std::move(after)});
  }
  std::ranges::sort(changes, {}, &RecordChange::id);
  // Behind them come those that were created. Of a large import that is nearly all, and they stay
  // where they are.
  std::erase_if(created_, [](const RecordChange& created) { return !created.after; });
  const auto moved = [](auto at) { return std::make_move_iterator(at); };
  if (created_.size() < changes.size()) {
    changes.insert(changes.end(), moved(created_.begin()), moved(created_.end()));
    created_.clear();
    return changes;
  }
  created_.insert(created_.begin(), moved(changes.begin()), moved(changes.end()));
  return std::exchange(created_, {});
}

// How many members each renumbered topology has afterwards follows from how many it had and from
// the changes.
std::vector<Renumbering> Workspace::count_renumbered(const std::vector<RecordChange>& changes) {
  RecordMap<std::uint64_t> members;
  for (const RecordId topology : renumbered_) {
    std::uint64_t& count = members[topology];
    base_.graph.for_each_referrer(
        topology, [&](RecordId source) { count += base_.graph.kind(source) != Kind::topology; });
  }
  const auto add = [&](const Record& record, std::uint64_t amount) {
    if (!record || record.kind() == Kind::topology) return;
    for (const RecordId topology : record.relations->topologies())
      if (const auto found = members.find(topology); found != members.end())
        found->second += amount;
  };
  for (const RecordChange& change : changes) {
    add(change.before, ~std::uint64_t{0});  // minus one
    add(change.after, 1);
  }
  std::vector<Renumbering> result;
  for (const RecordId topology : renumbered_) {
    const std::uint64_t count = members[topology];
    result.push_back({topology, next_number_, count});
    next_number_.value += count;
  }
  return result;
}

void Workspace::number_the_rest() {
  for (const RecordId id : numbered_at_the_end_) {
    const Record now = record(id);
    if (now && std::ranges::none_of(now.relations->topologies(), [&](RecordId topology) {
          return renumbering_rank_.contains(topology);
        }))
      number(id);
  }
}

Transaction Workspace::finish() {
  number_the_rest();
  Transaction transaction;
  transaction.next_id =
      RecordId{base_.graph.next_id().value + static_cast<std::uint32_t>(created_.size())};
  transaction.records = collect_changes();
  transaction.numberings = std::move(numberings_);
  transaction.renumberings = count_renumbered(transaction.records);
  transaction.next_number = next_number_;
  return transaction;
}

}  // namespace netml::engine
