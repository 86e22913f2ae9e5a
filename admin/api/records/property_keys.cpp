#include "admin/api/records/property_keys.hpp"

#include <algorithm>

namespace netml::admin::functional {

std::vector<std::uint64_t> PropertyKeys::of(const engine::Graph& graph, RecordId record) {
  std::vector<std::uint64_t> keys;
  Keys before;
  if (auto known = keys_.extract(record.value)) before = std::move(known.mapped());
  if (graph.contains(record) && graph.attributes(record).property_count() > 0) {
    Keys& now = keys_[record.value];
    graph.attributes(record).for_each_property([&](const engine::Property& property) {
      Text text(property.name, property.value);
      const auto same = before.lower_bound(text);
      const bool known = same != before.end() && same->first == text;
      const std::uint64_t key = known ? same->second : next_++;
      if (known) before.erase(same);
      records_[key] = record;
      keys.push_back(key);
      now.emplace(std::move(text), key);
    });
  }
  for (const auto& [text, key] : before) records_.erase(key);
  return keys;
}

std::optional<PropertyKeys::Place> PropertyKeys::find(const engine::Graph& graph,
                                                      std::uint64_t key) {
  const auto known = records_.find(key);
  if (known == records_.end()) return std::nullopt;
  const RecordId record = known->second;
  const std::vector<std::uint64_t> keys = of(graph, record);
  const auto found = std::ranges::find(keys, key);
  if (found == keys.end()) return std::nullopt;
  return Place{record, static_cast<std::size_t>(found - keys.begin())};
}

void PropertyKeys::changed(std::uint64_t key, const engine::TextProperty& now) {
  Keys& keys = keys_[records_.at(key).value];
  keys.erase(std::ranges::find(keys, key, &Keys::value_type::second));
  keys.emplace(Text(now.name, now.value), key);
}

void PropertyKeys::removed(std::uint64_t key) {
  Keys& keys = keys_[records_.at(key).value];
  keys.erase(std::ranges::find(keys, key, &Keys::value_type::second));
  records_.erase(key);
}

}  // namespace netml::admin::functional
