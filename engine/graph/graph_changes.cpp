#include "engine/graph/graph_changes.hpp"

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>

#include "engine/graph/record_keys.hpp"

namespace netml::engine {

namespace {
// Each of `targets` that is not among `known`. Such lists ascend, and may be as long as there are
// topologies; what a journal tells may be in another order.
template <class Visit>
void for_each_beyond(std::span<const RecordId> known, std::span<const RecordId> targets,
                     Visit&& visit) {
  const bool ascending = std::ranges::is_sorted(known) && std::ranges::is_sorted(targets);
  auto next = known.begin();
  for (const RecordId target : targets) {
    if (ascending)
      while (next != known.end() && *next < target) ++next;
    else
      next = std::ranges::find(known, target);
    if (next == known.end() || *next != target) visit(target);
  }
}

// Each record that `record` leads to and `other` does not.
template <class Visit>
void for_each_target_beyond(const Record& other, const Record& record, Visit&& visit) {
  for_each_beyond(topologies_of(other), topologies_of(record), visit);
  for_each_beyond(owners_of(other), owners_of(record), visit);
  for_each_beyond(ends_of(other), ends_of(record), visit);
}

Digest content_digest(RecordId id, const Record& record) {
  Digest sum = digest_of(DigestRole::attributes, id.value, record.attributes->bytes());
  return sum += digest_of(DigestRole::relations, id.value, record.relations->bytes());
}

std::size_t allocated_bytes(const Record& record) {
  return record.attributes->allocated_bytes() + record.relations->allocated_bytes();
}

// By radix: of a large change there are millions.
template <class Key>
void sort_keys(std::vector<Key>& keys) {
  if (!std::ranges::is_sorted(keys))
    boost::sort::spreadsort::integer_sort(keys.begin(), keys.end());
}
}  // namespace

void GraphChanges::expect(std::size_t created, std::size_t associations) {
  by_id_.added.reserve(by_id_.added.size() + created);
  incoming_.added.reserve(incoming_.added.size() + associations);
}

void GraphChanges::put(RecordId id, Record record) {
  NETML_ASSERT(id);
  if (id.value >= graph_.records_.size()) {
    graph_.records_.resize(std::size_t{id.value} + 1);
    graph_.kinds_.resize(std::size_t{id.value} + 1);
    graph_.numbers_.resize(std::size_t{id.value} + 1);
  }
  if (graph_.next_id_ <= id) graph_.next_id_ = RecordId{id.value + 1};

  const Record before = graph_.records_.at(id.value);
  const bool same_id = before && record && before.kind() == record.kind() &&
                       before.id() == record.id() &&
                       before.attributes->is_copy() == record.attributes->is_copy();
  if (before) {
    graph_.record_bytes_ -= allocated_bytes(before);
    graph_.content_digest_ -= content_digest(id, before);
    --graph_.counts_[static_cast<std::size_t>(before.kind())];
    if (!same_id) note_keys(id, before, &KeyChanges::removed);
  }
  if (record) {
    graph_.record_bytes_ += allocated_bytes(record);
    graph_.content_digest_ += content_digest(id, record);
    ++graph_.counts_[static_cast<std::size_t>(record.kind())];
    if (!same_id) note_keys(id, record, &KeyChanges::added);
  } else if (before) {
    set_number(id, RecordNumber{});
  }
  put_edges(id, before, record);
  update_mains(id, before, record);
  const bool removed = !record;
  const auto kind_entry =
      static_cast<std::uint8_t>(removed ? 0 : static_cast<unsigned>(record.kind()) + 1);
  if (graph_.kind_entry(id) != kind_entry) graph_.kinds_.set(id.value, kind_entry);
  graph_.records_.set(id.value, std::move(record));
  if (removed) {
    graph_.records_.release_if_empty(id.value);
    graph_.kinds_.release_if_empty(id.value);
    graph_.numbers_.release_if_empty(id.value);
  }
}

// Only those that differ: an institution may be a member of every topology, and joins one more with
// each that comes.
void GraphChanges::put_edges(RecordId id, const Record& before, const Record& after) {
  if (before && after && before.relations == after.relations) return;
  for_each_target_beyond(
      after, before, [&](RecordId target) { incoming_.removed.push_back(edge_key(target, id)); });
  for_each_target_beyond(before, after,
                         [&](RecordId target) { incoming_.added.push_back(edge_key(target, id)); });
}

void GraphChanges::note_keys(RecordId id, const Record& record,
                             std::vector<std::uint64_t> KeyChanges::* list) {
  (by_id_.*list).push_back(id_key(id, record));
  if (record.attributes->is_copy()) (copies_.*list).push_back(id.value);
}

void GraphChanges::update_mains(RecordId id, const Record& before, const Record& after) {
  const bool was = before && before.attributes->main();
  const bool is = after && after.attributes->main();
  if (was == is) return;
  if (was)
    std::erase(graph_.mains_, id);
  else
    graph_.mains_.insert(std::ranges::lower_bound(graph_.mains_, id), id);
}

void GraphChanges::set_number(RecordId id, RecordNumber number) {
  const RecordNumber before = graph_.number(id);
  if (before == number) return;
  if (before) graph_.number_digest_ -= digest_of_number(id.value, before.value);
  if (number) graph_.number_digest_ += digest_of_number(id.value, number.value);
  graph_.numbers_.set(id.value, number);
}

std::uint64_t GraphChanges::renumber(RecordId topology, RecordNumber first) {
  flush();
  RecordNumber next = first;
  for (const Kind kind : {Kind::institution, Kind::node, Kind::link})
    for (const RecordId member : graph_.members(topology, kind)) {
      set_number(member, next);
      ++next.value;
    }
  if (graph_.next_number_ < next) graph_.next_number_ = next;
  return next.value - first.value;
}

void GraphChanges::set_next(RecordId id, RecordNumber number) {
  graph_.next_id_ = std::max(graph_.next_id_, id);
  graph_.next_number_ = std::max(graph_.next_number_, number);
}

void GraphChanges::restart(RecordId id, RecordNumber number) {
  graph_.next_id_ = id;
  graph_.next_number_ = number;
}

void GraphChanges::KeyChanges::apply_to(OrderedSet& set) {
  for (const std::uint64_t key : removed) {
    // A key put and taken away again since the last flush is still waiting among the added ones.
    if (!set.erase(key)) std::erase(added, key);
  }
  removed.clear();
  sort_keys(added);
  set.insert_sorted(added);
  added.clear();
  added.shrink_to_fit();
}

// Which identifiers occur more than once follows from the index by identifier; only the hashes
// that changed are looked at again.
void GraphChanges::flush_ids() {
  std::vector<std::uint32_t> hashes;
  hashes.reserve(by_id_.removed.size() + by_id_.added.size());
  sort_keys(by_id_.added);
  for (const auto* keys : {&by_id_.removed, &by_id_.added})
    for (const std::uint64_t key : *keys) hashes.push_back(static_cast<std::uint32_t>(key >> 32));
  by_id_.apply_to(graph_.by_id_);
  sort_keys(hashes);
  const auto repeated = std::ranges::unique(hashes);
  hashes.erase(repeated.begin(), repeated.end());
  update_crowded(hashes);
}

// `hashes` ascending, each once.
void GraphChanges::update_crowded(std::span<const std::uint32_t> hashes) {
  // Walking past up to this many keys costs less than finding the next one from the root.
  constexpr std::size_t kWalkedForOneLookup = 32;
  SharedIdentifier found(
      [this](RecordId id) -> const Attributes& { return graph_.attributes(id); });
  const auto update = [&](std::uint32_t hash) {
    if (found.take())
      graph_.crowded_.insert(hash);
    else if (graph_.crowded_.size() != 0)
      graph_.crowded_.erase(hash);
  };
  if (hashes.size() > graph_.by_id_.size() / kWalkedForOneLookup) {
    auto wanted = hashes.begin();
    graph_.by_id_.visit_range(0, ~std::uint64_t{0}, [&](std::uint64_t key) {
      const auto hash = static_cast<std::uint32_t>(key >> 32);
      while (wanted != hashes.end() && *wanted < hash) update(*wanted++);
      if (wanted != hashes.end() && *wanted == hash)
        found.add(RecordId{static_cast<std::uint32_t>(key)});
      return wanted != hashes.end();
    });
    while (wanted != hashes.end()) update(*wanted++);
    return;
  }
  for (const std::uint32_t hash : hashes) {
    const std::uint64_t first = std::uint64_t{hash} << 32;
    graph_.by_id_.visit_range(first, first | 0xffffffff, [&](std::uint64_t key) {
      found.add(RecordId{static_cast<std::uint32_t>(key)});
      return !found.known();
    });
    update(hash);
  }
}

void GraphChanges::flush() {
  incoming_.apply_to(graph_.incoming_);
  flush_ids();
  copies_.apply_to(graph_.copies_);
}

Graph GraphChanges::finish() && {
  flush();
  return std::move(graph_);
}

Graph GraphChanges::finish(Parallel& parallel) && {
  parallel.run_both([&] { incoming_.apply_to(graph_.incoming_); },
                    [&] {
                      flush_ids();
                      copies_.apply_to(graph_.copies_);
                    });
  return std::move(graph_);
}

}  // namespace netml::engine
