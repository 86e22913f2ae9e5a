// An identifier as the key of a hash table. It remembers its hash, so that a growing table need
// not read the texts of all its keys again: with a million nodes in one topology those are
// scattered over memory. The text lives elsewhere and longer.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace netml::codecs {

struct IdKey {
  std::string_view text;
  std::uint64_t hash;

  explicit IdKey(std::string_view id) : text(id), hash(XXH3_64bits(id.data(), id.size())) {}
  bool operator==(const IdKey& other) const { return hash == other.hash && text == other.text; }
};

struct IdKeyHash {
  using is_avalanching = std::true_type;  // tells the table that all bits are good
  std::size_t operator()(const IdKey& key) const { return key.hash; }
};

}  // namespace netml::codecs
