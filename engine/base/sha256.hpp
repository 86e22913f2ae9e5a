// SHA-256, and the identifiers made with it (docs/requirements/exchange-format.md, section 12).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/ids.hpp"

struct evp_md_ctx_st;

namespace netml {

// A hash over what is added piece by piece. The context is set up once and used again: OpenSSL's
// one-shot call costs more than hashing a small frame.
// Thread: its owner.
class Sha256Hasher {
 public:
  Sha256Hasher();
  ~Sha256Hasher();
  Sha256Hasher(const Sha256Hasher&) = delete;
  Sha256Hasher& operator=(const Sha256Hasher&) = delete;

  void add(std::span<const std::byte> bytes);
  // The hash of what was added; then it starts afresh.
  Sha256 finish();
  Sha256 hash(std::span<const std::byte> bytes);

 private:
  void start();
  evp_md_ctx_st* context_;
};

// Two lower-case digits for each byte.
std::string to_hex(std::span<const std::byte> bytes);
// The hash that is written so; nothing for any other text.
std::optional<Sha256> parse_sha256(std::string_view hex);

// The identifier of something that has none: a hash of its kind, name and short name.
std::string generated_id(Kind kind, std::string_view name, std::string_view short_name = {});

}  // namespace netml
