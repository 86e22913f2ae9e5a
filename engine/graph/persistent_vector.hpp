// A vector whose copies share all they can: copying costs a few pointers, changing one item of a
// copy clones the leaf that holds it and the path to it. While nobody else shares a leaf it is
// changed in place, so building a large vector is as fast as building a std::vector.
//
// A vector may be made over stored leaves (Source): where nobody set anything since, it shows what
// is stored, and takes each leaf from there when it is first looked at.
//
// Own, because the graph's versions stand on it and no packaged library offers one.
// Thread: const access any; changes by the owner of the object. Two threads may set items of
// different blocks (kBlockItems) at a time, while nobody does anything else with it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/shared.hpp"

namespace netml::engine {

template <class T, std::size_t LeafItems>
class PersistentVector {
  struct Leaf;

 public:
  using Items = std::array<T, LeafItems>;
  class Source;

  // A block holds the items from a multiple of it on.
  static constexpr std::size_t kBlockItems = 256 * LeafItems;

  PersistentVector() = default;
  explicit PersistentVector(std::shared_ptr<const Source> source)
      : source_(std::move(source)), root_(blocks(source_->size())), size_(source_->size()) {}

  PersistentVector(const PersistentVector&) = default;
  PersistentVector(PersistentVector&&) noexcept = default;
  // The items that were here go before the source does.
  PersistentVector& operator=(PersistentVector other) noexcept {
    std::swap(source_, other.source_);
    std::swap(root_, other.root_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~PersistentVector() = default;

  std::size_t size() const { return size_; }

  // index < size(). Items never set are T{}.
  const T& at(std::size_t index) const {
    const Leaf* leaf = nullptr;
    if (const Inner* inner = root_[index / kBlockItems].get(); inner != nullptr)
      leaf = inner->leaves[index % kBlockItems / LeafItems].get();
    if (leaf == nullptr) leaf = stored(index / LeafItems);
    return leaf == nullptr ? kEmpty : leaf->items[index % LeafItems];
  }

  void set(std::size_t index, T value) { mutable_at(index) = std::move(value); }

  // A reference that stays valid until the next copy or change of this vector.
  T& mutable_at(std::size_t index) {
    NETML_ASSERT(index < size_);
    SharedPtr<Leaf>& leaf = own(root_[index / kBlockItems]).leaves[index % kBlockItems / LeafItems];
    if (leaf == nullptr)
      if (const Leaf* from = stored(index / LeafItems); from != nullptr)
        leaf = SharedPtr<Leaf>::adopt(new Leaf(*from));
    return own(leaf).items[index % LeafItems];
  }

  // Growing costs nothing for items that are never set. Shrinking is not supported.
  void resize(std::size_t size) {
    NETML_ASSERT(size >= size_);
    root_.resize(blocks(size));
    size_ = size;
  }

  // Drops the leaf of `index` if all its items are T{}: called after the last one was cleared. One
  // that hides a stored leaf stays.
  void release_if_empty(std::size_t index) {
    if (is_stored(index / LeafItems)) return;
    SharedPtr<Inner>& inner = root_[index / kBlockItems];
    if (inner == nullptr) return;
    const SharedPtr<Leaf>& leaf = inner->leaves[index % kBlockItems / LeafItems];
    if (leaf == nullptr) return;
    for (const T& item : leaf->items)
      if (!(item == T{})) return;
    own(inner).leaves[index % kBlockItems / LeafItems] = nullptr;
  }

  // A leaf: the items from number * LeafItems on; beyond size() they are T{}. Null where nothing of
  // it was ever set.
  std::size_t leaf_count() const { return (size_ + LeafItems - 1) / LeafItems; }
  const Items* leaf(std::size_t number) const {
    const Inner* inner = root_[number / kLeavesPerInner].get();
    const Leaf* leaf = inner != nullptr ? inner->leaves[number % kLeavesPerInner].get() : nullptr;
    if (leaf == nullptr) leaf = stored(number);
    return leaf != nullptr ? &leaf->items : nullptr;
  }

  // Visits the indexes at which this vector and `other` hold different items, ascending. Blocks
  // that they share are not looked into, so that it costs what was changed between two versions.
  template <class Visit>
  void for_each_difference(const PersistentVector& other, Visit&& visit) const {
    for (std::size_t i = 0; i < std::max(root_.size(), other.root_.size()); ++i) {
      const Inner* here = i < root_.size() ? root_[i].get() : nullptr;
      const Inner* there = i < other.root_.size() ? other.root_[i].get() : nullptr;
      if (here == there && (here != nullptr || source_ == other.source_)) continue;
      for (std::size_t j = 0; j < kLeavesPerInner; ++j) {
        const Leaf* a = here != nullptr ? here->leaves[j].get() : nullptr;
        const Leaf* b = there != nullptr ? there->leaves[j].get() : nullptr;
        if (a == b && (a != nullptr || source_ == other.source_)) continue;
        const std::size_t number = i * kLeavesPerInner + j;
        compare(a != nullptr ? a : stored(number), b != nullptr ? b : other.stored(number),
                number * LeafItems, visit);
      }
    }
  }

  // What the source stores a leaf as, where nothing of it was set since and all of it is there: so
  // whoever stores the vector again need not look at the items. Nothing where that is not known.
  std::optional<std::span<const std::byte>> stored_bytes(std::size_t number) const {
    if (source_ == nullptr || (number + 1) * LeafItems > source_->size()) return std::nullopt;
    const Inner* inner = root_[number / kLeavesPerInner].get();
    if (inner != nullptr && inner->leaves[number % kLeavesPerInner] != nullptr) return std::nullopt;
    return source_->stored_bytes(number);
  }

  // What was taken from the source so far.
  std::size_t taken_bytes() const { return source_ != nullptr ? source_->memory_bytes() : 0; }
  // With that.
  std::size_t memory_bytes() const {
    std::size_t bytes = root_.capacity() * sizeof(SharedPtr<Inner>) + taken_bytes();
    for (const SharedPtr<Inner>& inner : root_) {
      if (inner == nullptr) continue;
      bytes += sizeof(Inner);
      for (const SharedPtr<Leaf>& leaf : inner->leaves)
        if (leaf != nullptr) bytes += sizeof(Leaf);
    }
    return bytes;
  }

 private:
  static constexpr std::size_t kLeavesPerInner = kBlockItems / LeafItems;
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
    Items items{};
  };
  struct Leaf : Counted<LeafContent> {};
  struct InnerContent {
    // Null: as in the source; without one, empty.
    std::array<SharedPtr<Leaf>, kLeavesPerInner> leaves{};
  };
  using Inner = Counted<InnerContent>;

  static constexpr std::size_t blocks(std::size_t size) {
    return (size + kBlockItems - 1) / kBlockItems;
  }
  // The last one may be stored in part, and have items behind it.
  bool is_stored(std::size_t leaf) const {
    return source_ != nullptr && leaf * LeafItems < source_->size();
  }
  const Leaf* stored(std::size_t leaf) const {
    return is_stored(leaf) ? source_->leaf(leaf) : nullptr;
  }

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

  // Shared by all versions made from this one. First, so that it goes last: items may lie in what
  // it reads from.
  std::shared_ptr<const Source> source_;
  std::vector<SharedPtr<Inner>> root_;
  std::size_t size_ = 0;
};

// Stored leaves, by number. Each is read once, by whoever looks at it first, and stays until the
// source goes: versions that come later share it.
// Thread: any.
template <class T, std::size_t LeafItems>
class PersistentVector<T, LeafItems>::Source {
 public:
  explicit Source(std::size_t size) : size_(size), leaves_((size + LeafItems - 1) / LeafItems) {}
  virtual ~Source() {
    for (const std::atomic<const Leaf*>& leaf : leaves_)
      if (const Leaf* read = leaf.load(); read != nullptr) read->release();
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const {
    return leaves_.size() * sizeof(leaves_[0]) +
           taken_.load(std::memory_order_relaxed) * sizeof(Leaf);
  }

 private:
  friend PersistentVector;

  // See PersistentVector::stored_bytes(). Throws UnreadableError. Called from several threads.
  virtual std::optional<std::span<const std::byte>> stored_bytes(std::size_t) const {
    return std::nullopt;
  }
  // Fills `items`, which are T{}, with those from number * LeafItems on; beyond size() nothing is
  // to be set. Throws UnreadableError. Called from several threads.
  virtual void read(std::size_t number, Items& items) const = 0;

  const Leaf* leaf(std::size_t number) const {
    const Leaf* known = leaves_[number].load(std::memory_order_acquire);
    return known != nullptr ? known : take(number);
  }

  const Leaf* take(std::size_t number) const {
    const SharedPtr<const Leaf> made = SharedPtr<const Leaf>::adopt([&] {
      auto leaf = std::make_unique<Leaf>();
      read(number, leaf->items);
      return leaf.release();
    }());
    const Leaf* first = nullptr;
    if (!leaves_[number].compare_exchange_strong(first, made.get(), std::memory_order_acq_rel))
      return first;  // another thread was faster
    taken_.fetch_add(1, std::memory_order_relaxed);
    made->retain();
    return made.get();
  }

  const std::size_t size_;
  mutable std::vector<std::atomic<const Leaf*>> leaves_;
  mutable std::atomic<std::size_t> taken_ = 0;
};

}  // namespace netml::engine
