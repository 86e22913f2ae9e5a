// A persistent ordered set of 64-bit keys: a B+ tree whose copies share all nodes, and whose
// changes clone the path they touch. It holds the incoming edges and the index by identifier.
//
// Inserting and removing cost the logarithm of the size, whatever the key: taking one member out
// of a topology does not depend on how many it has.
//
// A set may be made over stored leaves (Source), which are looked at where they are stored.
//
// Own, because the graph's versions stand on it and no packaged library offers one.
// Thread: const access any; changes by the owner of the object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/shared.hpp"

namespace netml::engine {

class OrderedSet {
 public:
  class Source;

  OrderedSet() noexcept;
  explicit OrderedSet(std::shared_ptr<const Source> source);
  OrderedSet(const OrderedSet& other) noexcept;
  OrderedSet(OrderedSet&& other) noexcept;
  OrderedSet& operator=(OrderedSet other) noexcept;
  ~OrderedSet();

  std::size_t size() const { return size_; }
  bool contains(std::uint64_t key) const;
  // The largest key in [first, last].
  std::optional<std::uint64_t> last_in(std::uint64_t first, std::uint64_t last) const;

  // Visits the keys in [first, last], ascending, until `visit` returns false.
  template <class Visit>
  void visit_range(std::uint64_t first, std::uint64_t last, Visit&& visit) const {
    for (Cursor cursor = seek(first); !cursor.keys.empty(); next_leaf(cursor))
      for (const std::uint64_t key : cursor.keys)
        if (key > last || !visit(key)) return;
  }

  // The first keys of [first, last] as far as they lie together in memory: for walks that stop and
  // go on later, at first = the last of them + 1. Valid while this set is and stays as it is.
  struct Run {
    std::span<const std::uint64_t> keys;
    bool more = false;  // there may be further ones
  };
  Run run(std::uint64_t first, std::uint64_t last) const;

  // False when the key was there already, or was not there.
  bool insert(std::uint64_t key);
  bool erase(std::uint64_t key);

  // Inserts keys that are ascending, distinct and not in the set. Far faster than one by one
  // when they are many compared with the set.
  void insert_sorted(std::span<const std::uint64_t> keys) { change_sorted({}, keys); }
  // The same after taking out others, which are ascending, too; those that are not there do not
  // matter.
  void change_sorted(std::span<const std::uint64_t> gone, std::span<const std::uint64_t> come);

  // How many keys [first, last] has, or up to two leaves more: looks at the way to leaves only.
  std::size_t size_about(std::uint64_t first, std::uint64_t last) const;

  std::size_t memory_bytes() const;

 private:
  struct Node;
  struct Leaf;
  struct StoredLeaf;
  struct Inner;
  struct Builder;
  static constexpr int kDepthMax = 12;
  struct Path;

  std::span<const std::uint64_t> keys_at(const Node& leaf) const;
  Node& own(SharedPtr<Node>& node) const;
  static SharedPtr<Node> split(Node& node, std::uint32_t keep);
  bool join(Inner& parent, std::uint32_t left) const;
  void grow_up(Path& path, SharedPtr<Node> added);
  void shrink_up(Path& path);
  void rebuild(std::span<const std::uint64_t> gone, std::span<const std::uint64_t> come);

  // The keys of one leaf from a position on, and the way down to it: leaves are shared between
  // versions and so cannot be linked to one another.
  struct Cursor {
    std::span<const std::uint64_t> keys;  // empty at the end of the set
    int depth = 0;
    struct Step {
      const Inner* inner;
      std::uint32_t child;
    } path[kDepthMax];
  };
  Cursor seek(std::uint64_t key) const;
  void next_leaf(Cursor& cursor) const;

  SharedPtr<Node> root_;
  std::size_t size_ = 0;
  std::shared_ptr<const Source> source_;  // shared by all versions made from this one
};

// The leaves of a stored set: its keys, ascending, kLeafKeys to a leaf but for the last. Thread:
// any.
class OrderedSet::Source {
 public:
  // As many as a leaf in memory holds.
  static constexpr std::size_t kLeafKeys = 256;

  explicit Source(std::size_t keys) : size_(keys) {}
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  std::size_t size() const { return size_; }
  std::size_t leaf_count() const { return (size_ + kLeafKeys - 1) / kLeafKeys; }
  // Of leaf `number`.
  std::size_t key_count(std::size_t number) const {
    return std::min(kLeafKeys, size_ - number * kLeafKeys);
  }

 private:
  friend OrderedSet;

  // The first key of each leaf, ascending.
  virtual std::vector<std::uint64_t> first_keys() const = 0;
  // The keys of leaf `number`, key_count() of them, ascending and of no other leaf's range. They
  // stay where they are until the source goes. Throws UnreadableError. Called from several threads,
  // with each look at a leaf.
  virtual std::span<const std::uint64_t> keys(std::size_t number) const = 0;

  const std::size_t size_;
};

}  // namespace netml::engine
