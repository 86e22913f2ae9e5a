// A persistent ordered set of 64-bit keys: a B+ tree whose copies share all nodes, and whose
// changes clone the path they touch. It holds the incoming edges and the index by identifier.
//
// Inserting and removing cost the logarithm of the size, whatever the key: taking one member out
// of a topology does not depend on how many it has.
//
// A set may be made over stored leaves (Source), which are read when they are first looked at.
//
// Own, because the graph's versions stand on it and no packaged library offers one.
// Thread: const access any; changes by the owner of the object.
#pragma once

#include <atomic>
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
  void insert_sorted(std::span<const std::uint64_t> keys);

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

  const Leaf& leaf_at(const Node& node) const;
  Node& own(SharedPtr<Node>& node) const;
  static SharedPtr<Node> split(Node& node, std::uint32_t keep);
  bool join(Inner& parent, std::uint32_t left) const;
  void grow_up(Path& path, SharedPtr<Node> added);
  void shrink_up(Path& path);
  void rebuild_with(std::span<const std::uint64_t> keys);

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

// The leaves of a stored set: its keys, ascending, kLeafKeys to a leaf but for the last. Each is
// read once, by whoever looks at it first, and stays until the source goes. Thread: any.
class OrderedSet::Source {
 public:
  // As many as a leaf in memory holds, so that reading one moves nothing.
  static constexpr std::size_t kLeafKeys = 256;

  explicit Source(std::size_t keys);
  virtual ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  std::size_t size() const { return size_; }
  std::size_t leaf_count() const { return leaves_.size(); }
  std::size_t memory_bytes() const;

 private:
  friend OrderedSet;

  // The first key of each leaf, ascending.
  virtual std::vector<std::uint64_t> first_keys() const = 0;
  // Fills `keys`, as many as leaf `number` has, ascending and of no other leaf's range. Throws
  // UnreadableError. Called from several threads.
  virtual void read(std::size_t number, std::span<std::uint64_t> keys) const = 0;

  const Leaf& leaf(std::size_t number) const;

  const std::size_t size_;
  mutable std::vector<std::atomic<const Leaf*>> leaves_;
  mutable std::atomic<std::size_t> taken_ = 0;
};

}  // namespace netml::engine
