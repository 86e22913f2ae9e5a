#include "engine/graph/graph.hpp"

#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "engine/graph/record_keys.hpp"

namespace netml::engine {

Graph::Graph(StoredGraph stored)
    : records_(std::move(stored.records)),
      kinds_(std::move(stored.kinds)),
      numbers_(std::move(stored.numbers)),
      incoming_(std::move(stored.edge_keys)),
      by_id_(std::move(stored.id_keys)),
      crowded_(std::move(stored.crowded_ids)),
      copies_(std::move(stored.copy_keys)),
      mains_(std::move(stored.mains)),
      counts_(stored.counts),
      next_id_(stored.next_id),
      next_number_(stored.next_number),
      content_digest_(stored.content_digest),
      number_digest_(stored.number_digest),
      record_bytes_(stored.record_bytes) {}

Record Graph::record(RecordId id) const {
  return id.value < records_.size() ? records_.at(id.value) : Record{};
}

const Attributes& Graph::attributes(RecordId id) const {
  NETML_ASSERT(contains(id));
  return *records_.at(id.value).attributes;
}

const Relations& Graph::relations(RecordId id) const {
  NETML_ASSERT(contains(id));
  return *records_.at(id.value).relations;
}

RecordNumber Graph::number(RecordId id) const {
  return id.value < numbers_.size() ? numbers_.at(id.value) : RecordNumber{};
}

std::uint32_t id_hash(Kind kind, std::string_view id) {
  return static_cast<std::uint32_t>(
      XXH3_64bits_withSeed(id.data(), id.size(), static_cast<std::uint64_t>(kind)));
}

std::vector<RecordId> Graph::find(Kind kind, std::string_view id) const {
  std::vector<RecordId> found;
  for_each_with_id(kind, id, [&](RecordId record) {
    found.push_back(record);
    return true;
  });
  return found;
}

bool Graph::is_only(RecordId candidate, Kind wanted, std::string_view id) const {
  if (!contains(candidate) || kind(candidate) != wanted || attributes(candidate).id() != id)
    return false;
  return crowded_.size() == 0 || !crowded_.contains(id_hash(wanted, id));
}

RecordId Graph::find_newest(Kind kind, std::string_view id) const {
  RecordId newest;
  for_each_with_id(kind, id, [&](RecordId record) {
    if (!newest || number(record) > number(newest)) newest = record;
    return true;
  });
  return newest;
}

template <class Visit>
void Graph::for_each_duplicate(Visit&& visit) const {
  std::vector<RecordId> rest;
  std::vector<RecordId> group;
  crowded_.visit_range(0, 0xffffffff, [&](std::uint64_t hash) {
    by_id_.visit_range(hash << 32, hash << 32 | 0xffffffff, [&](std::uint64_t key) {
      rest.push_back(RecordId{static_cast<std::uint32_t>(key)});
      return true;
    });
    while (rest.size() > 1) {  // other identifiers may have the same hash
      const Attributes& first = attributes(rest.front());
      group.clear();
      std::erase_if(rest, [&](RecordId record) {
        const Attributes& other = attributes(record);
        const bool same = other.kind() == first.kind() && other.id() == first.id();
        if (same) group.push_back(record);
        return same;
      });
      if (group.size() > 1) visit(group);
    }
    rest.clear();
    return true;
  });
}

std::vector<std::vector<RecordId>> Graph::duplicates(Kind wanted) const {
  std::vector<std::vector<RecordId>> groups;
  for_each_duplicate([&](const std::vector<RecordId>& group) {
    if (kind(group.front()) == wanted) groups.push_back(group);
  });
  std::ranges::sort(groups, {}, [](const auto& group) { return group.front(); });
  return groups;
}

RecordId Graph::find_by_number(RecordNumber wanted) const {
  for (std::uint32_t i = 1; i < numbers_.size(); ++i)
    if (numbers_.at(i) == wanted && contains(RecordId{i})) return RecordId{i};
  return {};
}

std::vector<RecordId> Graph::referrers(RecordId target) const {
  std::vector<RecordId> all;
  for_each_referrer(target, [&](RecordId source) { all.push_back(source); });
  return all;
}

std::vector<RecordId> Graph::members(RecordId topology, Kind wanted) const {
  std::vector<RecordId> all;
  for_each_referrer(topology, [&](RecordId source) {
    if (kind(source) == wanted) all.push_back(source);
  });
  return all;
}

std::vector<RecordId> Graph::children(RecordId topology) const {
  return members(topology, Kind::topology);
}

std::uint64_t Graph::size() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts_) sum += count;
  return sum;
}

std::vector<RecordId> Graph::copies() const {
  std::vector<RecordId> all;
  copies_.visit_range(0, ~std::uint64_t{0}, [&](std::uint64_t key) {
    all.push_back(RecordId{static_cast<std::uint32_t>(key)});
    return true;
  });
  return all;
}

std::size_t Graph::memory_bytes() const {
  return record_bytes_ + records_.memory_bytes() + kinds_.memory_bytes() + numbers_.memory_bytes() +
         incoming_.memory_bytes() + by_id_.memory_bytes() + crowded_.memory_bytes() +
         copies_.memory_bytes();
}

}  // namespace netml::engine
