#include "engine/import/detail/import_groups.hpp"

#include <xxhash.h>

#include <bit>
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

// Which hashes of elements may occur more than once. Nearly all do not, so most elements need no
// place in a table that is larger than the processor's cache: what falls into a cell of its own is
// single. Half of the hash tells the cell.
class RepeatedHashes {
 public:
  // `halves` becomes that half of the hash of each element.
  RepeatedHashes(const Document& document, std::vector<std::uint32_t>& halves)
      : mask_(std::bit_ceil(kCellsForEach * document.elements.size() + 1) - 1),
        taken_(mask_ + 1),
        shared_(mask_ + 1) {
    for (std::size_t i = 0; i < halves.size(); ++i) {
      halves[i] = static_cast<std::uint32_t>(element_hash(*document.elements[i].attributes));
      const std::size_t cell = halves[i] & mask_;
      if (taken_[cell]) shared_[cell] = true;
      taken_[cell] = true;
    }
  }
  bool may_repeat(std::uint32_t half) const { return shared_[half & mask_]; }

 private:
  static constexpr std::size_t kCellsForEach = 16;
  std::size_t mask_;
  std::vector<bool> taken_;
  std::vector<bool> shared_;
};

}  // namespace

ImportGroups::ImportGroups(const Document& document)
    : next_(document.elements.size()), first_(document.elements.size()) {
  // The hash of an element lies where its ring goes: only elements before it are in one so far.
  const RepeatedHashes hashes(document, next_);
  // By hash alone, to keep the table small; two elements that share one are distinguished below.
  boost::unordered_flat_map<std::uint64_t, DocumentIndex, KeepHash> last_of;
  for (DocumentIndex i = 0; i < document.elements.size(); ++i) {
    if (!hashes.may_repeat(next_[i])) {
      next_[i] = i;
      first_[i] = true;
      ++size_;
      continue;
    }
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
      ++size_;
    } else {
      next_[i] = next_[entry->second];
      next_[entry->second] = i;
      entry->second = i;
    }
  }
}

}  // namespace netml::engine
