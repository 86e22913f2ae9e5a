#include "engine/graph/ordered_set.hpp"

#include <algorithm>
#include <vector>

#include "engine/base/result.hpp"

namespace netml::engine {

namespace {
// 2 KiB of keys a leaf: large enough for scans to run along memory, small enough to clone for a
// single change.
constexpr std::uint32_t kLeafKeysMax = OrderedSet::Source::kLeafKeys;
constexpr std::uint32_t kChildrenMax = 64;
}  // namespace

// Leaves hold keys; inner nodes hold children and, for each, the smallest key below it. A stored
// leaf stands for one of the source's.
struct OrderedSet::Node {
  ReferenceCount references;
  const bool is_leaf;
  const bool is_stored;
  std::uint32_t count = 0;

  explicit Node(bool leaf, bool stored = false) : is_leaf(leaf), is_stored(stored) {}
  void retain() const noexcept { references.retain(); }
  void release() const noexcept;
  std::uint32_t capacity() const { return is_leaf ? kLeafKeysMax : kChildrenMax; }
};

struct OrderedSet::Leaf : Node {
  std::uint64_t keys[kLeafKeysMax];
  Leaf() : Node(true) {}
};

struct OrderedSet::StoredLeaf : Node {
  std::uint32_t number;
  StoredLeaf(std::size_t leaf, std::size_t keys)
      : Node(true, true), number(static_cast<std::uint32_t>(leaf)) {
    count = static_cast<std::uint32_t>(keys);
  }
};

struct OrderedSet::Inner : Node {
  std::uint64_t first[kChildrenMax];
  SharedPtr<Node> children[kChildrenMax];
  Inner() : Node(false) {}

  // The child whose range holds `key`; the first one also for smaller keys.
  std::uint32_t child_for(std::uint64_t key) const {
    const std::uint64_t* after = std::upper_bound(first, first + count, key);
    return after == first ? 0 : static_cast<std::uint32_t>(after - first - 1);
  }
  void insert_child(std::uint32_t position, std::uint64_t smallest, SharedPtr<Node> child) {
    std::move_backward(first + position, first + count, first + count + 1);
    std::move_backward(children + position, children + count, children + count + 1);
    first[position] = smallest;
    children[position] = std::move(child);
    ++count;
  }
  void erase_child(std::uint32_t position) {
    std::move(first + position + 1, first + count, first + position);
    std::move(children + position + 1, children + count, children + position);
    children[--count] = nullptr;
  }
};

namespace {
std::uint32_t position_of(std::span<const std::uint64_t> keys, std::uint64_t key) {
  return static_cast<std::uint32_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
}
}  // namespace

void OrderedSet::Node::release() const noexcept {
  if (!references.release()) return;
  // Deep as the tree, which kDepthMax bounds.
  if (is_stored)
    delete static_cast<const StoredLeaf*>(this);
  else if (is_leaf)
    delete static_cast<const Leaf*>(this);
  else
    delete static_cast<const Inner*>(this);
}

OrderedSet::OrderedSet() noexcept = default;
OrderedSet::OrderedSet(const OrderedSet& other) noexcept = default;
OrderedSet::OrderedSet(OrderedSet&& other) noexcept
    : root_(std::move(other.root_)),
      size_(std::exchange(other.size_, 0)),
      source_(std::move(other.source_)) {}
OrderedSet& OrderedSet::operator=(OrderedSet other) noexcept {
  std::swap(root_, other.root_);
  std::swap(size_, other.size_);
  std::swap(source_, other.source_);
  return *this;
}
OrderedSet::~OrderedSet() = default;

std::span<const std::uint64_t> OrderedSet::keys_at(const Node& leaf) const {
  if (leaf.is_stored) return source_->keys(static_cast<const StoredLeaf&>(leaf).number);
  return {static_cast<const Leaf&>(leaf).keys, leaf.count};
}

// The way from the root to a leaf, all of it owned by this set alone.
struct OrderedSet::Path {
  int depth = 0;
  Inner* inner[kDepthMax];
  std::uint32_t child[kDepthMax];
  Leaf* leaf = nullptr;

  Path(const OrderedSet& set, SharedPtr<Node>& root, std::uint64_t key) {
    Node* node = &set.own(root);
    while (!node->is_leaf) {
      NETML_ASSERT(depth < kDepthMax);
      inner[depth] = static_cast<Inner*>(node);
      child[depth] = inner[depth]->child_for(key);
      // A key below all others becomes the smallest of every node on its way.
      inner[depth]->first[child[depth]] = std::min(inner[depth]->first[child[depth]], key);
      node = &set.own(inner[depth]->children[child[depth]]);
      ++depth;
    }
    leaf = static_cast<Leaf*>(node);
  }
};

OrderedSet::Node& OrderedSet::own(SharedPtr<Node>& node) const {
  if (node->references.unique() && !node->is_stored) return *node;
  if (node->is_leaf) {
    const auto keys = keys_at(*node);
    auto* clone = new Leaf();
    clone->count = node->count;
    std::ranges::copy(keys, clone->keys);
    node = SharedPtr<Node>::adopt(clone);
  } else {
    const auto& from = static_cast<const Inner&>(*node);
    auto* clone = new Inner();
    clone->count = from.count;
    std::copy_n(from.first, from.count, clone->first);
    std::copy_n(from.children, from.count, clone->children);
    node = SharedPtr<Node>::adopt(clone);
  }
  return *node;
}

// Moves all but the first `keep` entries of a node into a new one.
SharedPtr<OrderedSet::Node> OrderedSet::split(Node& node, std::uint32_t keep) {
  Node* right = nullptr;
  if (node.is_leaf) {
    auto& left = static_cast<Leaf&>(node);
    auto* leaf = new Leaf();
    std::copy(left.keys + keep, left.keys + left.count, leaf->keys);
    right = leaf;
  } else {
    auto& left = static_cast<Inner&>(node);
    auto* inner = new Inner();
    std::copy(left.first + keep, left.first + left.count, inner->first);
    std::move(left.children + keep, left.children + left.count, inner->children);
    right = inner;
  }
  right->count = node.count - keep;
  node.count = keep;
  return SharedPtr<Node>::adopt(right);
}

OrderedSet::Cursor OrderedSet::seek(std::uint64_t key) const {
  Cursor cursor;
  if (root_ == nullptr) return cursor;
  const Node* node = root_.get();
  while (!node->is_leaf) {
    const auto* inner = static_cast<const Inner*>(node);
    const std::uint32_t child = inner->child_for(key);
    cursor.path[cursor.depth++] = {inner, child};
    node = inner->children[child].get();
  }
  const auto keys = keys_at(*node);
  cursor.keys = keys.subspan(position_of(keys, key));
  if (cursor.keys.empty()) next_leaf(cursor);
  return cursor;
}

void OrderedSet::next_leaf(Cursor& cursor) const {
  auto& [keys, depth, path] = cursor;
  keys = {};
  while (depth > 0 && path[depth - 1].child + 1 == path[depth - 1].inner->count) --depth;
  if (depth == 0) return;
  ++path[depth - 1].child;
  const Node* node = path[depth - 1].inner->children[path[depth - 1].child].get();
  while (!node->is_leaf) {
    path[depth++] = {static_cast<const Inner*>(node), 0};
    node = static_cast<const Inner*>(node)->children[0].get();
  }
  keys = keys_at(*node);
}

OrderedSet::Run OrderedSet::run(std::uint64_t first, std::uint64_t last) const {
  const std::span<const std::uint64_t> keys = seek(first).keys;
  const auto end = std::upper_bound(keys.begin(), keys.end(), last);
  return {keys.first(static_cast<std::size_t>(end - keys.begin())),
          !keys.empty() && end == keys.end()};
}

std::size_t OrderedSet::size_about(std::uint64_t first, std::uint64_t last) const {
  std::size_t keys = 0;
  std::vector<const Node*> open;
  if (root_ != nullptr) open.push_back(root_.get());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (node->is_leaf) {
      keys += node->count;
      continue;
    }
    const auto& inner = static_cast<const Inner&>(*node);
    const std::uint32_t end = inner.child_for(last) + 1;
    for (std::uint32_t child = inner.child_for(first); child < end; ++child)
      open.push_back(inner.children[child].get());
  }
  return keys;
}

bool OrderedSet::contains(std::uint64_t key) const {
  const Cursor cursor = seek(key);
  return !cursor.keys.empty() && cursor.keys.front() == key;
}

std::optional<std::uint64_t> OrderedSet::last_in(std::uint64_t first, std::uint64_t last) const {
  if (root_ == nullptr) return std::nullopt;
  const auto child_of = [](const Node* node, std::uint32_t child) {
    return static_cast<const Inner*>(node)->children[child].get();
  };
  const Node* node = root_.get();
  const Node* smaller = nullptr;  // what is just left of the way down
  while (!node->is_leaf) {
    const std::uint32_t child = static_cast<const Inner*>(node)->child_for(last);
    if (child > 0) smaller = child_of(node, child - 1);
    node = child_of(node, child);
  }
  // What an inner node takes for its smallest key may have been removed, so that all keys of the
  // leaf can be larger. Then it is the last one before them.
  std::span<const std::uint64_t> keys = keys_at(*node);
  if (keys.front() > last) {
    if (smaller == nullptr) return std::nullopt;
    for (node = smaller; !node->is_leaf;) node = child_of(node, node->count - 1);
    keys = keys_at(*node);
  }
  const std::uint64_t key = *(std::upper_bound(keys.begin(), keys.end(), last) - 1);
  if (key < first) return std::nullopt;
  return key;
}

bool OrderedSet::insert(std::uint64_t key) {
  if (contains(key)) return false;  // before anything is cloned
  if (root_ == nullptr) root_ = SharedPtr<Node>::adopt(new Leaf());
  Path path(*this, root_, key);
  Leaf* leaf = path.leaf;
  std::uint32_t position = position_of({leaf->keys, leaf->count}, key);
  SharedPtr<Node> added;
  if (leaf->count == kLeafKeysMax) {
    // Ascending insertion leaves full leaves behind.
    const std::uint32_t keep = position == leaf->count ? leaf->count : leaf->count / 2;
    added = split(*leaf, keep);
    if (position >= keep) {
      leaf = static_cast<Leaf*>(added.get());
      position -= keep;
    }
  }
  std::copy_backward(leaf->keys + position, leaf->keys + leaf->count, leaf->keys + leaf->count + 1);
  leaf->keys[position] = key;
  ++leaf->count;
  ++size_;
  grow_up(path, std::move(added));
  return true;
}

// Hangs a node that a split made beside the one it came from, splitting parents as needed.
void OrderedSet::grow_up(Path& path, SharedPtr<Node> added) {
  const auto smallest = [](const Node& node) {
    return node.is_leaf ? static_cast<const Leaf&>(node).keys[0]
                        : static_cast<const Inner&>(node).first[0];
  };
  for (int level = path.depth - 1; added != nullptr && level >= 0; --level) {
    Inner* parent = path.inner[level];
    std::uint32_t position = path.child[level] + 1;
    SharedPtr<Node> right;
    if (parent->count == kChildrenMax) {
      const std::uint32_t keep = position == parent->count ? parent->count : parent->count / 2;
      right = split(*parent, keep);
      if (position >= keep) {
        parent = static_cast<Inner*>(right.get());
        position -= keep;
      }
    }
    const std::uint64_t key = smallest(*added);
    parent->insert_child(position, key, std::move(added));
    added = std::move(right);
  }
  if (added == nullptr) return;
  auto* root = new Inner();
  const std::uint64_t left_key = smallest(*root_);
  const std::uint64_t right_key = smallest(*added);
  root->insert_child(0, left_key, std::move(root_));
  root->insert_child(1, right_key, std::move(added));
  root_ = SharedPtr<Node>::adopt(root);
}

bool OrderedSet::erase(std::uint64_t key) {
  if (!contains(key)) return false;
  Path path(*this, root_, key);
  const std::uint32_t position = position_of({path.leaf->keys, path.leaf->count}, key);
  std::copy(path.leaf->keys + position + 1, path.leaf->keys + path.leaf->count,
            path.leaf->keys + position);
  --path.leaf->count;
  --size_;
  shrink_up(path);
  return true;
}

// Joins children `left` and `left + 1` when one node can hold both.
bool OrderedSet::join(Inner& parent, std::uint32_t left) const {
  const Node& right_node = *parent.children[left + 1];
  if (parent.children[left]->count + right_node.count > right_node.capacity()) return false;
  Node& left_node = own(parent.children[left]);
  if (left_node.is_leaf) {
    std::ranges::copy(keys_at(right_node), static_cast<Leaf&>(left_node).keys + left_node.count);
  } else {
    const auto& from = static_cast<const Inner&>(right_node);
    auto& to = static_cast<Inner&>(left_node);
    std::copy_n(from.first, from.count, to.first + to.count);
    std::copy_n(from.children, from.count, to.children + to.count);
  }
  left_node.count += right_node.count;
  parent.erase_child(left + 1);
  return true;
}

// After a removal: drops empty nodes and joins sparse ones with a neighbour, from the leaf up.
void OrderedSet::shrink_up(Path& path) {
  const Node* node = path.leaf;
  for (int level = path.depth - 1; level >= 0; --level) {
    Inner& parent = *path.inner[level];
    const std::uint32_t at = path.child[level];
    if (node->count == 0) {
      parent.erase_child(at);
    } else if (node->count < node->capacity() / 4) {
      if (at + 1 >= parent.count || !join(parent, at))
        if (at > 0) join(parent, at - 1);
    }
    node = &parent;
  }
  if (root_->count == 0) root_ = nullptr;
  while (root_ != nullptr && !root_->is_leaf && root_->count == 1)
    root_ = SharedPtr<Node>(static_cast<const Inner&>(*root_).children[0]);
}

// Packs ascending keys into a tree of full nodes, level by level.
struct OrderedSet::Builder {
  std::vector<SharedPtr<Node>> nodes;
  std::vector<std::uint64_t> first;
  Leaf* leaf = nullptr;

  void add(SharedPtr<Node> node, std::uint64_t smallest) {
    nodes.push_back(std::move(node));
    first.push_back(smallest);
  }
  void add(std::uint64_t key) {
    if (leaf == nullptr || leaf->count == kLeafKeysMax) {
      leaf = new Leaf();
      add(SharedPtr<Node>::adopt(leaf), key);
    }
    leaf->keys[leaf->count++] = key;
  }

  SharedPtr<Node> finish() {
    while (nodes.size() > 1) {
      std::size_t parents = 0;
      for (std::size_t begin = 0; begin < nodes.size(); begin += kChildrenMax, ++parents) {
        auto* inner = new Inner();
        inner->count =
            static_cast<std::uint32_t>(std::min<std::size_t>(kChildrenMax, nodes.size() - begin));
        std::copy_n(first.begin() + static_cast<std::ptrdiff_t>(begin), inner->count, inner->first);
        std::move(nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                  nodes.begin() + static_cast<std::ptrdiff_t>(begin + inner->count),
                  inner->children);
        first[parents] = inner->first[0];
        nodes[parents] = SharedPtr<Node>::adopt(inner);
      }
      nodes.resize(parents);
      first.resize(parents);
    }
    return nodes.empty() ? nullptr : std::move(nodes[0]);
  }
};

OrderedSet::OrderedSet(std::shared_ptr<const Source> source)
    : size_(source->size()), source_(std::move(source)) {
  const std::vector<std::uint64_t> first = source_->first_keys();
  NETML_ASSERT(first.size() == source_->leaf_count());
  Builder builder;
  for (std::size_t i = 0; i < first.size(); ++i)
    builder.add(SharedPtr<Node>::adopt(new StoredLeaf(i, source_->key_count(i))), first[i]);
  root_ = builder.finish();
}

void OrderedSet::rebuild(std::span<const std::uint64_t> gone, std::span<const std::uint64_t> come) {
  Builder builder;
  std::size_t count = come.size();
  auto leaving = gone.begin();
  auto next = come.begin();
  visit_range(0, ~std::uint64_t{0}, [&](std::uint64_t key) {
    while (next != come.end() && *next < key) builder.add(*next++);
    NETML_ASSERT(next == come.end() || *next != key);
    while (leaving != gone.end() && *leaving < key) ++leaving;
    if (leaving != gone.end() && *leaving == key) return true;
    builder.add(key);
    ++count;
    return true;
  });
  while (next != come.end()) builder.add(*next++);
  root_ = builder.finish();
  size_ = count;
}

void OrderedSet::change_sorted(std::span<const std::uint64_t> gone,
                               std::span<const std::uint64_t> come) {
  // Writing the whole set again costs about as much per key as changing one in twenty.
  if (gone.size() + come.size() > size_ / 20) return rebuild(gone, come);
  for (const std::uint64_t key : gone) erase(key);
  for (const std::uint64_t key : come) {
    const bool inserted = insert(key);
    NETML_ASSERT(inserted);
  }
}

std::size_t OrderedSet::memory_bytes() const {
  std::size_t bytes = 0;
  std::vector<const Node*> open;
  if (root_ != nullptr) open.push_back(root_.get());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    bytes += node->is_stored ? sizeof(StoredLeaf) : node->is_leaf ? sizeof(Leaf) : sizeof(Inner);
    if (node->is_leaf) continue;
    for (const SharedPtr<Node>& child :
         std::span(static_cast<const Inner*>(node)->children, node->count))
      open.push_back(child.get());
  }
  return bytes;
}

}  // namespace netml::engine
