// The hash of an export, made of one for each element, so that the hash of the next version costs
// what is written differently, to whoever writes it and to whoever takes it.
//
// - An element has a name, XXH3 of its identifier with its rank (ElementKey) as the seed, and the
//   first 16 bytes of the SHA-256 of its text.
// - The elements of a topology are ordered by name, the highest byte first, and parted in groups by
//   the first bits of it: into a power of two, the least with at most 16 elements in the mean. The
//   hash of a group is the SHA-256 over name and hash of each element, that of a topology the one
//   over that of its head and that of each group.
// - That of an export is the one over depth (four bytes, the highest first) and hash of each
//   topology, in order.
//
// Versions share the groups in which nothing differs.
//
// Two exports are equal to the byte where their hashes are.
//
// Thread: a hash any (immutable); a hasher its owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "codecs/netml/delta/exported_text.hpp"
#include "engine/base/sha256.hpp"

namespace netml::codecs {

struct ElementHash {
  std::array<std::byte, 8> name{};
  std::array<std::byte, 16> text{};
};

struct TopologyHash {
  struct Group {
    std::shared_ptr<const ElementHash[]> elements;  // ascending; null: none
    std::size_t count = 0;
    Sha256 hash{};

    std::span<const ElementHash> all() const { return {elements.get(), count}; }
  };
  Sha256 head{};
  std::vector<Group> groups;
  std::uint64_t count = 0;  // of elements
  Sha256 whole{};
};
using TopologyHashPtr = std::shared_ptr<const TopologyHash>;

// Whether there is an element of that name.
bool lists(const TopologyHash& hash, const ElementKey& key);

// Of one topology, from nothing or from what it was.
class TopologyHasher {
 public:
  // How many elements there are more and less, by rank.
  struct Counts {
    std::array<std::uint64_t, kElementRanks> added{};
    std::array<std::uint64_t, kElementRanks> removed{};
  };

  void head(std::string_view text);
  // In the place of one of that key.
  void put(const ElementKey& key, std::string_view text);
  void erase(const ElementKey& key);
  // `before`: null: nothing was. What was put and erased is spent.
  TopologyHashPtr finish(const TopologyHash* before, Counts* counts = nullptr);

 private:
  struct Next {
    ElementHash hash;
    std::uint8_t rank = 0;
    bool is_gone = false;
  };
  void add(const ElementKey& key, bool is_gone, const Sha256& text);
  std::uint64_t count_after(const TopologyHash* before, Counts* counts) const;
  TopologyHash::Group merged(std::span<const ElementHash> old, std::span<const Next> next);
  void finish_whole(TopologyHash& hash);

  Sha256Hasher hasher_;
  Sha256 head_{};
  std::vector<Next> next_;
  std::vector<ElementHash> merged_;  // kept for its memory
};

// Of an export: its topologies in its order.
class ExportHasher {
 public:
  void add(std::uint32_t depth, const Sha256& topology);
  Sha256 finish() { return hasher_.finish(); }

 private:
  Sha256Hasher hasher_;
};

// About what it holds.
std::uint64_t bytes_of(const TopologyHash& hash);

}  // namespace netml::codecs
