// The node's secret key and what is done with it: finding and revealing tokens (rules A1, A3 and
// A4).
//
// The key lies in `node.key` in the data directory, mode 0600, and is left out of backups. Without
// it exports and imports of graphs work, but tokens must be made anew.
//
// Thread: any (immutable).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/random.hpp"
#include "engine/base/result.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

// The system's secure generator. Thread: any.
class SystemRandom : public Random {
 public:
  SystemRandom();
  void fill(std::span<std::byte> bytes) override;
};

// 24 random bytes as 32 base64url characters: the longest that reference peers store.
std::string make_token_value(Random& random);

enum class KeyIfMissing : std::uint8_t { make, refuse };

class Secrets {
 public:
  static constexpr std::size_t kKeyBytes = 32;
  using Key = std::array<std::byte, kKeyBytes>;

  explicit Secrets(const Key& key);
  // Reads the key file in `data`, or makes it durably. Errc::not_found when it is absent and may
  // not be made; Errc::corruption when it is damaged, which is never replaced.
  static Result<Secrets> load(wal::Storage& data, Random& random, KeyIfMissing if_missing);

  // The key file, for a copy of the data that the same operator keeps.
  static Status copy_key(wal::Storage& from, wal::Storage& to);

  // What a token is found by: HMAC-SHA-256 of its value.
  std::array<std::byte, 32> mac(std::string_view value) const;
  static bool equal(const std::array<std::byte, 32>& a, const std::array<std::byte, 32>& b);

  // XChaCha20-Poly1305; the nonce stands before the text.
  std::string seal(std::string_view text, Random& random) const;
  std::optional<std::string> open(std::string_view sealed) const;

 private:
  Key mac_key_;
  Key seal_key_;
};

}  // namespace netml::admin
