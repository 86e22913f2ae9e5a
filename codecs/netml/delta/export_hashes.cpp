#include "codecs/netml/delta/export_hashes.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <span>
#include <utility>

namespace netml::codecs {

namespace {

template <class Number>
std::array<std::byte, sizeof(Number)> highest_first(Number number) {
  std::array<std::byte, sizeof number> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(number >> (8 * (bytes.size() - 1 - i)));
  return bytes;
}

std::array<std::byte, 8> name_of(const ElementKey& key) {
  return highest_first(std::uint64_t{XXH3_64bits_withSeed(key.id.data(), key.id.size(), key.rank)});
}

// Of what is said of an element.
constexpr auto kNameIn = [](const auto& next) -> const std::array<std::byte, 8>& {
  return next.hash.name;
};

constexpr std::uint64_t kElementsOfGroup = 16;
constexpr std::uint64_t kBytesOfAllocation = 32;  // beside what it holds
std::size_t group_count(std::uint64_t elements) {
  return std::bit_ceil((elements + kElementsOfGroup - 1) / kElementsOfGroup);
}
// `groups` is a power of two.
std::size_t group_of(const std::array<std::byte, 8>& name, std::size_t groups) {
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < sizeof first; ++i)
    first = first << 8 | std::to_integer<std::uint32_t>(name[i]);
  return static_cast<std::size_t>(std::uint64_t{first} * groups >> 32);
}

bool contains(const TopologyHash& hash, const std::array<std::byte, 8>& name) {
  const auto group = hash.groups[group_of(name, hash.groups.size())].all();
  return std::ranges::binary_search(group, name, {}, &ElementHash::name);
}

// Those of a group, which are the first, taken off the others.
template <class T, class Name>
std::span<const T> taken_of_group(std::span<const T>& items, std::size_t group, std::size_t groups,
                                  Name name) {
  std::size_t count = 0;
  while (count < items.size() && group_of(std::invoke(name, items[count]), groups) == group)
    ++count;
  const std::span<const T> taken = items.first(count);
  items = items.subspan(count);
  return taken;
}

}  // namespace

bool lists(const TopologyHash& hash, const ElementKey& key) {
  return contains(hash, name_of(key));
}

void TopologyHasher::head(std::string_view text) {
  head_ = hasher_.hash(std::as_bytes(std::span(text)));
}

void TopologyHasher::put(const ElementKey& key, std::string_view text) {
  add(key, false, hasher_.hash(std::as_bytes(std::span(text))));
}

void TopologyHasher::erase(const ElementKey& key) {
  add(key, true, {});
}

void TopologyHasher::add(const ElementKey& key, bool is_gone, const Sha256& text) {
  Next& next = next_.emplace_back(Next{{name_of(key), {}}, key.rank, is_gone});
  std::copy_n(text.begin(), next.hash.text.size(), next.hash.text.begin());
}

TopologyHashPtr TopologyHasher::finish(const TopologyHash* before, Counts* counts) {
  // Of what was said of a name the last counts.
  std::ranges::stable_sort(next_, {}, [](const Next& next) { return next.hash.name; });
  const auto repeated = std::ranges::unique(next_.rbegin(), next_.rend(), {}, kNameIn);
  next_.erase(next_.begin(), repeated.begin().base());
  auto made = std::make_shared<TopologyHash>();
  made->head = head_;
  made->count = count_after(before, counts);
  const std::size_t groups = group_count(made->count);
  std::vector<ElementHash> all;  // where they are parted otherwise now
  const bool is_parted_alike = before != nullptr && before->groups.size() == groups;
  if (is_parted_alike)
    made->groups = before->groups;
  else if (before != nullptr)
    for (const TopologyHash::Group& group : before->groups)
      all.insert(all.end(), group.all().begin(), group.all().end());
  made->groups.resize(groups);
  std::span<const Next> next = next_;
  std::span<const ElementHash> old = all;
  for (std::size_t i = 0; i < groups; ++i) {
    const auto mine = taken_of_group(next, i, groups, kNameIn);
    TopologyHash::Group& group = made->groups[i];
    if (is_parted_alike && mine.empty()) continue;
    group = is_parted_alike ? merged(before->groups[i].all(), mine)
                            : merged(taken_of_group(old, i, groups, &ElementHash::name), mine);
  }
  next_.clear();
  finish_whole(*made);
  return made;
}

std::uint64_t TopologyHasher::count_after(const TopologyHash* before, Counts* counts) const {
  std::uint64_t count = before == nullptr ? 0 : before->count;
  for (const Next& next : next_) {
    const bool was_there = before != nullptr && contains(*before, next.hash.name);
    if (was_there != next.is_gone) continue;
    if (next.is_gone)
      --count;
    else
      ++count;
    if (counts != nullptr) ++(next.is_gone ? counts->removed : counts->added)[next.rank];
  }
  return count;
}

TopologyHash::Group TopologyHasher::merged(std::span<const ElementHash> old,
                                           std::span<const Next> next) {
  merged_.clear();
  auto kept = old.begin();
  for (const Next& each : next) {
    while (kept != old.end() && kept->name < each.hash.name) merged_.push_back(*kept++);
    if (kept != old.end() && kept->name == each.hash.name) ++kept;
    if (!each.is_gone) merged_.push_back(each.hash);
  }
  merged_.insert(merged_.end(), kept, old.end());
  TopologyHash::Group group;
  group.count = merged_.size();
  if (group.count == 0) return group;
  const auto elements = std::make_shared<ElementHash[]>(group.count);
  std::ranges::copy(merged_, elements.get());
  group.elements = elements;
  group.hash = hasher_.hash(std::as_bytes(group.all()));
  return group;
}

void TopologyHasher::finish_whole(TopologyHash& hash) {
  hasher_.add(hash.head);
  for (const TopologyHash::Group& group : hash.groups) hasher_.add(group.hash);
  hash.whole = hasher_.finish();
}

void ExportHasher::add(std::uint32_t depth, const Sha256& topology) {
  hasher_.add(highest_first(depth));
  hasher_.add(topology);
}

std::uint64_t bytes_of(const TopologyHash& hash) {
  return sizeof hash + hash.groups.capacity() * sizeof(TopologyHash::Group) +
         hash.groups.size() * kBytesOfAllocation + hash.count * sizeof(ElementHash);
}

}  // namespace netml::codecs
