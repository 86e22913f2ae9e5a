#include "engine/graph/graph_changes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <utility>

#include "engine/base/radix_sort.hpp"
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

// What an attribute or relation value adds to a graph, and takes away.
struct Content {
  Digest digest;
  std::size_t bytes = 0;  // where less comes than goes it wraps around

  // A value that both have is not hashed: most changes are of one of the two.
  template <class Value>
  void replace(DigestRole role, std::size_t id, const SharedPtr<Value>& before,
               const SharedPtr<Value>& after) {
    if (before == after) return;
    if (before != nullptr) {
      bytes -= before->allocated_bytes();
      digest -= digest_of(role, id, before->bytes());
    }
    if (after != nullptr) {
      bytes += after->allocated_bytes();
      digest += digest_of(role, id, after->bytes());
    }
  }
};

// Where two threads divide the items between two indexes: at the beginning of a block.
template <class Vector>
constexpr std::size_t middle_between(std::size_t lowest, std::size_t highest) {
  return (lowest + highest) / 2 / Vector::kBlockItems * Vector::kBlockItems;
}

template <class Key>
void sort_keys(std::vector<Key>& keys) {
  sort_by_radix(keys, std::identity());
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
    --graph_.counts_[static_cast<std::size_t>(before.kind())];
    if (!same_id) note_keys(id, before, &KeyChanges::removed);
  }
  if (record) {
    ++graph_.counts_[static_cast<std::size_t>(record.kind())];
    if (!same_id) note_keys(id, record, &KeyChanges::added);
  } else if (before) {
    set_number(id, RecordNumber{});
  }
  Content content;
  content.replace(DigestRole::attributes, id.value, before.attributes, record.attributes);
  content.replace(DigestRole::relations, id.value, before.relations, record.relations);
  graph_.content_digest_ += content.digest;
  graph_.record_bytes_ += content.bytes;
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

// Two threads put a half of the records each; what identifies them is noted afterwards.
void GraphChanges::put_attributes(std::span<AttributesPtr> attributes, Parallel& parallel) {
  // Identities may have been given out that no record has had.
  const std::size_t size = std::min(attributes.size(), graph_.records_.size());
  struct Half {
    Content content;
    std::vector<std::pair<RecordId, Record>> renamed;
  };
  const auto put_between = [&](std::size_t begin, std::size_t end, Half& half) {
    for (std::size_t i = begin; i < end; ++i) {
      AttributesPtr& after = attributes[i];
      if (after == nullptr) continue;
      const RecordId id{static_cast<std::uint32_t>(i)};
      Record& record = graph_.records_.mutable_at(i);
      NETML_ASSERT(record);
      if (after->id() != record.id() || after->is_copy() != record.attributes->is_copy())
        half.renamed.emplace_back(id, record);
      half.content.replace(DigestRole::attributes, i, record.attributes, after);
      record.attributes = std::move(after);
    }
  };
  const std::size_t middle = middle_between<decltype(graph_.records_)>(0, size);
  std::array<Half, 2> halves;
  parallel.run_both([&] { put_between(0, middle, halves[0]); },
                    [&] { put_between(middle, size, halves[1]); });
  for (const Half& half : halves) {
    graph_.content_digest_ += half.content.digest;
    graph_.record_bytes_ += half.content.bytes;
    for (const auto& [id, before] : half.renamed) {
      note_keys(id, before, &KeyChanges::removed);
      note_keys(id, graph_.records_.at(id.value), &KeyChanges::added);
    }
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

// Two threads number a half of the records each, in all topologies: the last one that a record is
// in gives it its number. Where all lie in one block, one thread does.
std::vector<std::uint64_t> GraphChanges::renumber(std::span<const MemberNumbers> topologies,
                                                  Parallel& parallel) {
  if (topologies.empty()) return {};
  flush(parallel);
  std::vector<std::vector<RecordId>> members(topologies.size());
  const auto list_every_second = [&](std::size_t first) {
    for (std::size_t i = first; i < topologies.size(); i += 2)
      members[i] = numbered_members(topologies[i].topology);
  };
  parallel.run_both([&] { list_every_second(0); }, [&] { list_every_second(1); });

  const auto number_between = [&](std::size_t begin, std::size_t end) {
    Digest digest;
    for (std::size_t i = 0; i < topologies.size(); ++i) {
      RecordNumber next = topologies[i].first;
      for (const RecordId member : members[i]) {
        if (begin <= member.value && member.value < end) {
          RecordNumber& place = graph_.numbers_.mutable_at(member.value);
          if (place) digest -= digest_of_number(member.value, place.value);
          if (next) digest += digest_of_number(member.value, next.value);
          place = next;
        }
        ++next.value;
      }
    }
    return digest;
  };
  // Identities are not given out again, so the members may all be far from the first one.
  std::size_t lowest = graph_.numbers_.size();
  std::size_t highest = 0;
  for (const std::vector<RecordId>& listed : members)
    for (const RecordId member : listed) {
      lowest = std::min<std::size_t>(lowest, member.value);
      highest = std::max<std::size_t>(highest, member.value);
    }
  const std::size_t middle = middle_between<decltype(graph_.numbers_)>(lowest, highest);
  Digest first_half;
  Digest second_half;
  parallel.run_both([&] { first_half = number_between(0, middle); },
                    [&] { second_half = number_between(middle, graph_.numbers_.size()); });
  graph_.number_digest_ += first_half;
  graph_.number_digest_ += second_half;

  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < topologies.size(); ++i) {
    const RecordNumber next{topologies[i].first.value + members[i].size()};
    graph_.next_number_ = std::max(graph_.next_number_, next);
    counts.push_back(members[i].size());
  }
  return counts;
}

std::vector<RecordId> GraphChanges::numbered_members(RecordId topology) const {
  std::array<std::vector<RecordId>, kKindCount> of_kind;
  graph_.for_each_referrer(topology, [&](RecordId source) {
    of_kind[static_cast<std::size_t>(graph_.kind(source))].push_back(source);
  });
  std::vector<RecordId> members = std::move(of_kind[static_cast<std::size_t>(Kind::institution)]);
  for (const Kind kind : {Kind::node, Kind::link}) {
    const std::vector<RecordId>& more = of_kind[static_cast<std::size_t>(kind)];
    members.insert(members.end(), more.begin(), more.end());
  }
  return members;
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
  sort_keys(removed);
  sort_keys(added);
  if (removed.empty()) {
    set.insert_sorted(added);
  } else {
    // What was put and taken away again since the last flush, or the other way round, stays.
    std::vector<std::uint64_t> gone;
    std::vector<std::uint64_t> come;
    std::ranges::set_difference(removed, added, std::back_inserter(gone));
    std::ranges::set_difference(added, removed, std::back_inserter(come));
    set.change_sorted(gone, come);
  }
  removed.clear();
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
  InlineParallel parallel;
  flush(parallel);
}

void GraphChanges::flush(Parallel& parallel) {
  parallel.run_both([&] { incoming_.apply_to(graph_.incoming_); },
                    [&] {
                      flush_ids();
                      copies_.apply_to(graph_.copies_);
                    });
}

Graph GraphChanges::finish() && {
  flush();
  return std::move(graph_);
}

Graph GraphChanges::finish(Parallel& parallel) && {
  flush(parallel);
  return std::move(graph_);
}

}  // namespace netml::engine
