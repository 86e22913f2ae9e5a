// Names that stand for others: keyed hashes (HMAC-SHA-256), so nobody can compute them, or try
// guesses, without the key.
//
// Thread: its owner.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/ids.hpp"
#include "engine/base/sha256.hpp"
#include "engine/views/apply_view.hpp"

namespace netml::engine::detail {

class Pseudonyms {
 public:
  explicit Pseudonyms(const PseudonymKey& key);

  // What stands for the identifier of a record: 128 bits, for an exchange identifies by it.
  std::string id(Kind kind, std::string_view id);
  // "Node 3fa9c2b1d07e5a64", which fits into the shortest field that has one.
  std::string name(Kind kind, std::string_view field, std::string_view text);

 private:
  std::string hash(Kind kind, std::string_view field, std::string_view text, std::size_t bytes);

  static constexpr std::size_t kBlockBytes = 64;  // of SHA-256

  std::string inner_;  // the key, and what was hashed last
  std::array<std::byte, kBlockBytes + sizeof(Sha256)> outer_{};
  Sha256Hasher hasher_;
};

}  // namespace netml::engine::detail
