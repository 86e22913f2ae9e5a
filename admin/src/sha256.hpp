// SHA-256 by OpenSSL, and the identifiers made with it (format.md, section 12).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/ids.hpp"

struct evp_md_ctx_st;

namespace netml::admin {

class Sha256Hasher {
 public:
  Sha256Hasher();
  ~Sha256Hasher();
  Sha256Hasher(const Sha256Hasher&) = delete;
  Sha256Hasher& operator=(const Sha256Hasher&) = delete;

  void update(std::span<const std::byte> bytes);
  Sha256 finish();

 private:
  evp_md_ctx_st* context_;
};

std::string hex(std::span<const std::byte> bytes);

// The identifier of something that has none: a hash of kind, name and short name.
std::string generated_id(Kind kind, std::string_view name, std::string_view short_name = {});

}  // namespace netml::admin
