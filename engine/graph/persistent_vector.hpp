// A vector whose copies share all they can: copying costs a few pointers, changing one item of a
// copy clones the leaf that holds it and the path to it. While nobody else shares a leaf it is
// changed in place, so building a large vector is as fast as building a std::vector.
//
// Own, because the graph's versions stand on it and no packaged library offers one.
// Thread: const access any; changes by the owner of the object.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/shared.hpp"

namespace netml::engine {

template <class T, std::size_t LeafItems>
class PersistentVector {
 public:
  std::size_t size() const { return size_; }

  // index < size(). Items never set are T{}.
  const T& at(std::size_t index) const {
    const Inner* inner = root_[index / kInnerItems].get();
    if (inner == nullptr) return kEmpty;
    const Leaf* leaf = inner->leaves[index % kInnerItems / LeafItems].get();
    return leaf == nullptr ? kEmpty : leaf->items[index % LeafItems];
  }

  void set(std::size_t index, T value) { mutable_at(index) = std::move(value); }

  // A reference that stays valid until the next copy or change of this vector.
  T& mutable_at(std::size_t index) {
    NETML_ASSERT(index < size_);
    Inner& inner = own(root_[index / kInnerItems]);
    return own(inner.leaves[index % kInnerItems / LeafItems]).items[index % LeafItems];
  }

  // Growing costs nothing for items that are never set. Shrinking is not supported.
  void resize(std::size_t size) {
    NETML_ASSERT(size >= size_);
    root_.resize((size + kInnerItems - 1) / kInnerItems);
    size_ = size;
  }

  // Drops the leaf of `index` if all its items are T{}: called after the last one was cleared.
  void release_if_empty(std::size_t index) {
    SharedPtr<Inner>& inner = root_[index / kInnerItems];
    if (inner == nullptr) return;
    const SharedPtr<Leaf>& leaf = inner->leaves[index % kInnerItems / LeafItems];
    if (leaf == nullptr) return;
    for (const T& item : leaf->items)
      if (!(item == T{})) return;
    own(inner).leaves[index % kInnerItems / LeafItems] = nullptr;
  }

  // Visits the indexes at which this vector and `other` hold different items, ascending. Blocks
  // that they share are not looked into, so that it costs what was changed between two versions.
  template <class Visit>
  void for_each_difference(const PersistentVector& other, Visit&& visit) const {
    for (std::size_t i = 0; i < std::max(root_.size(), other.root_.size()); ++i) {
      const Inner* here = i < root_.size() ? root_[i].get() : nullptr;
      const Inner* there = i < other.root_.size() ? other.root_[i].get() : nullptr;
      if (here == there) continue;
      for (std::size_t j = 0; j < kLeavesPerInner; ++j)
        compare(here != nullptr ? here->leaves[j].get() : nullptr,
                there != nullptr ? there->leaves[j].get() : nullptr,
                i * kInnerItems + j * LeafItems, visit);
    }
  }

  std::size_t memory_bytes() const {
    std::size_t bytes = root_.capacity() * sizeof(SharedPtr<Inner>);
    for (const SharedPtr<Inner>& inner : root_) {
      if (inner == nullptr) continue;
      bytes += sizeof(Inner);
      for (const SharedPtr<Leaf>& leaf : inner->leaves)
        if (leaf != nullptr) bytes += sizeof(Leaf);
    }
    return bytes;
  }

 private:
  static constexpr std::size_t kLeavesPerInner = 256;
  static constexpr std::size_t kInnerItems = kLeavesPerInner * LeafItems;
  inline static const T kEmpty{};

  template <class Content>
  struct Counted : Content {
    Counted() = default;
    Counted(const Counted& other) : Content(other) {}  // a clone starts with one owner
    ReferenceCount references;
    void retain() const noexcept { references.retain(); }
    void release() const noexcept {
      if (references.release()) delete this;
    }
  };
  struct LeafContent {
    std::array<T, LeafItems> items{};
  };
  using Leaf = Counted<LeafContent>;
  struct InnerContent {
    std::array<SharedPtr<Leaf>, kLeavesPerInner> leaves{};
  };
  using Inner = Counted<InnerContent>;

  // `first`: the index of their first items.
  template <class Visit>
  static void compare(const Leaf* here, const Leaf* there, std::size_t first, Visit& visit) {
    if (here == there) return;
    for (std::size_t i = 0; i < LeafItems; ++i) {
      const T& a = here != nullptr ? here->items[i] : kEmpty;
      const T& b = there != nullptr ? there->items[i] : kEmpty;
      if (!(a == b)) visit(first + i);
    }
  }

  // Makes `block` one that only this vector sees: a new one, a clone, or the one it has.
  template <class Block>
  static Block& own(SharedPtr<Block>& block) {
    if (block == nullptr)
      block = SharedPtr<Block>::adopt(new Block());
    else if (!block->references.unique())
      block = SharedPtr<Block>::adopt(new Block(*block));
    return *block;
  }

  std::vector<SharedPtr<Inner>> root_;
  std::size_t size_ = 0;
};

}  // namespace netml::engine
