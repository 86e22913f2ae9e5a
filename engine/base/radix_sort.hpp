// Sorting by a whole number: of a large change there are millions.
#pragma once

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <vector>

namespace netml {

// `key(item)`: the number. Items with the same one are left in any order.
template <class Item, class Key>
void sort_by_radix(std::vector<Item>& items, Key key) {
  if (std::ranges::is_sorted(items, {}, key)) return;
  boost::sort::spreadsort::integer_sort(
      items.begin(), items.end(),
      [&](const Item& item, unsigned bits) { return key(item) >> bits; },
      [&](const Item& a, const Item& b) { return key(a) < key(b); });
}

}  // namespace netml
