// A persistent ordered set of 64-bit keys: a B+ tree whose copies share all nodes, and whose
// changes clone the path they touch. It holds the incoming edges and the index by identifier.
//
// Inserting and removing cost the logarithm of the size, whatever the key: taking one member out
// of a topology does not depend on how many it has.
//
// Own, because the graph's versions stand on it and no packaged library offers one.
// Thread: const access any; changes by the owner of the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/base/shared.hpp"

namespace netml::engine {

class OrderedSet {
 public:
  OrderedSet() noexcept;
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
    for (Cursor cursor = seek(first); !cursor.keys.empty(); cursor.next_leaf())
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

  std::size_t memory_bytes() const;

 private:
  struct Node;
  struct Leaf;
  struct Inner;
  struct Builder;
  static constexpr int kDepthMax = 12;
  struct Path;

  static Node& own(SharedPtr<Node>& node);
  static SharedPtr<Node> split(Node& node, std::uint32_t keep);
  static bool join(Inner& parent, std::uint32_t left);
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

    void next_leaf();
  };
  Cursor seek(std::uint64_t key) const;

  SharedPtr<Node> root_;
  std::size_t size_ = 0;
};

}  // namespace netml::engine
