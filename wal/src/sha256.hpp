// SHA-256 with a context that is set up once: OpenSSL's one-shot call costs more than hashing a
// small frame.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/ids.hpp"

struct evp_md_ctx_st;

namespace netml::wal {

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

}  // namespace netml::wal
