#include "engine/src/import_groups.hpp"

#include <xxhash.h>

#include <boost/unordered/unordered_flat_map.hpp>

namespace netml::engine {

namespace {

struct KeepHash {
  using is_avalanching = void;
  std::size_t operator()(std::uint64_t hash) const { return hash; }
};

std::uint64_t element_hash(const Attributes& element) {
  const std::string_view id = element.id();
  return XXH3_64bits_withSeed(id.data(), id.size(), static_cast<std::uint64_t>(element.kind()));
}

}  // namespace

ImportGroups::ImportGroups(const Document& document)
    : next_(document.elements.size()), first_(document.elements.size()) {
  // By hash alone, to keep the table small; two elements that share one are told apart below.
  boost::unordered_flat_map<std::uint64_t, DocumentIndex, KeepHash> last_of;
  last_of.reserve(document.elements.size());
  for (DocumentIndex i = 0; i < document.elements.size(); ++i) {
    const Attributes& element = *document.elements[i].attributes;
    const auto same = [&](DocumentIndex other) {
      const Attributes& attributes = *document.elements[other].attributes;
      return attributes.kind() == element.kind() && attributes.id() == element.id();
    };
    std::uint64_t key = element_hash(element);
    auto [entry, added] = last_of.try_emplace(key, i);
    while (!added && !same(entry->second)) std::tie(entry, added) = last_of.try_emplace(++key, i);
    if (added) {
      next_[i] = i;
      first_[i] = true;
    } else {
      next_[i] = next_[entry->second];
      next_[entry->second] = i;
      entry->second = i;
    }
  }
}

}  // namespace netml::engine
