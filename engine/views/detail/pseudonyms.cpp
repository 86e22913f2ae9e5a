#include "engine/views/detail/pseudonyms.hpp"

#include <algorithm>

namespace netml::engine::detail {

namespace {
constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kNameBytes = 8;
}  // namespace

Pseudonyms::Pseudonyms(const PseudonymKey& key) {
  std::ranges::copy(key, inner_.begin());
  std::ranges::copy(key, outer_.begin());
  for (std::byte& byte : inner_) byte ^= std::byte{0x36};  // RFC 2104
  for (std::byte& byte : outer_) byte ^= std::byte{0x5c};
}

// Kind and field are hashed, too: a node and the institution it is called after are not joined by
// their pseudonyms.
std::string Pseudonyms::hash(Kind kind, std::string_view field, std::string_view text,
                             std::size_t bytes) {
  hasher_.add(inner_);
  for (const std::string_view part : {std::string_view(kind_name(kind)), std::string_view("\n"),
                                      field, std::string_view("\n"), text})
    hasher_.add(std::as_bytes(std::span(part)));
  const Sha256 inner = hasher_.finish();
  hasher_.add(outer_);
  hasher_.add(inner);
  const Sha256 sum = hasher_.finish();
  return to_hex(std::span(sum).first(bytes));
}

std::string Pseudonyms::id(Kind kind, std::string_view id) {
  return "p-" + hash(kind, "id", id, kIdBytes);
}

std::string Pseudonyms::name(Kind kind, std::string_view field, std::string_view text) {
  return std::string(kind_name(kind)) + ' ' + hash(kind, field, text, kNameBytes);
}

}  // namespace netml::engine::detail
