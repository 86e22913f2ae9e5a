// Sets of records, and what is known of each of several; and lists in the place of sets, which
// ascend and hold each item once.
#pragma once

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <functional>
#include <vector>

#include "engine/base/ids.hpp"

namespace netml::engine {

using RecordSet = boost::unordered_flat_set<RecordId, std::hash<RecordId>>;
template <class T>
using RecordMap = boost::unordered_flat_map<RecordId, T, std::hash<RecordId>>;

template <class T>
void sort_each_once(std::vector<T>& items) {
  std::ranges::sort(items);
  const auto repeated = std::ranges::unique(items);
  items.erase(repeated.begin(), repeated.end());
}

}  // namespace netml::engine
