#include "engine/quality/key_index.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/graph/record_sets.hpp"

namespace netml::engine {

KeyIndex::Affected KeyIndex::take(Records changed, const Graph& before, const Graph& after) {
  const bool was_empty = keys_.size() == 0;
  Changes changes = update(changed, before, after);
  std::vector<RecordId>& records = changes.records;
  if (was_empty) return {.records = records, .compared = records};
  const std::vector<RecordId> sharing = records_with(changes.keys);
  records.insert(records.end(), sharing.begin(), sharing.end());
  sort_each_once(records);
  Keys keys;
  for (const RecordId id : records) add_keys_(after, id, keys);
  sort_each_once(keys);
  return {.records = std::move(records), .compared = records_with(keys)};
}

Keys KeyIndex::keys_of(const Graph& graph, RecordId id) const {
  Keys keys;
  if (graph.contains(id)) add_keys_(graph, id, keys);
  sort_each_once(keys);
  return keys;
}

KeyIndex::Changes KeyIndex::update(Records changed, const Graph& before, const Graph& after) {
  Changes changes;
  Keys beyond;
  std::vector<std::uint64_t> removed;
  std::vector<std::uint64_t> added;
  for (const RecordId id : changed) {
    const Keys old = keys_of(before, id);
    const Keys now = keys_of(after, id);
    if (old == now && (rests_on_ == RestsOn::keys || now.empty())) continue;
    if (after.contains(id)) changes.records.push_back(id);
    changes.keys.insert(changes.keys.end(), old.begin(), old.end());
    changes.keys.insert(changes.keys.end(), now.begin(), now.end());
    beyond.clear();
    std::ranges::set_difference(old, now, std::back_inserter(beyond));
    for (const std::uint32_t key : beyond) removed.push_back(std::uint64_t{key} << 32 | id.value);
    beyond.clear();
    std::ranges::set_difference(now, old, std::back_inserter(beyond));
    for (const std::uint32_t key : beyond) added.push_back(std::uint64_t{key} << 32 | id.value);
  }
  std::ranges::sort(removed);
  std::ranges::sort(added);
  keys_.change_sorted(removed, added);
  sort_each_once(changes.keys);
  return changes;
}

std::vector<RecordId> KeyIndex::records_with(const Keys& keys) const {
  std::vector<RecordId> records;
  for (const std::uint32_t key : keys) {
    const std::uint64_t first = std::uint64_t{key} << 32;
    keys_.visit_range(first, first | 0xffffffff, [&](std::uint64_t each) {
      records.push_back(RecordId{static_cast<std::uint32_t>(each)});
      return true;
    });
  }
  sort_each_once(records);
  return records;
}

}  // namespace netml::engine
